import { authMessages } from '@flashsheet/contracts/auth/messages'
import { errorMessages } from '@flashsheet/contracts/errors/messages'
import { signInStates, userIdentities, users } from '@flashsheet/db/schema/auth'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createArtist, type Visitor } from '../../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { lockWaits } from '../../../testing/lock-waits.ts'
import { control, eventually, mailTo } from '../../../testing/sandbox.ts'

let app: TestApp
let people: { id: string; name: string; email: string; emailVerified: boolean }[]
beforeAll(async () => {
  app = await startTestApp()
  people = (await control<{ google: { identities: typeof people } }>(app, 'GET', '/defaults')).google.identities
})
afterAll(async () => await app.stop())
beforeEach(async () => {
  // Each test starts without users or links of the identities at Google.
  for (const { email } of people) await app.client.db.delete(users).where(eq(users.email, email))
  await app.client.db.delete(userIdentities)
})

const mina = () => people[0]!
const unverified = () => people.find((one) => !one.emailVerified)!

/** Starts a sign-in; returns Google's address with the changed parameters. */
async function begin(visitor: Visitor, change: Record<string, string> = {}): Promise<URL> {
  const answer = await visitor.fetch('/api/auth/google?timeZone=Europe/Berlin')
  expect(answer.status).toBe(302)
  const url = new URL(answer.headers.get('location') ?? '')
  for (const [name, value] of Object.entries(change)) url.searchParams.set(name, value)
  return url
}

/** Approves or denies at Google; returns the address that Google redirects to. */
async function consent(google: URL, as?: string, auto = 'approve'): Promise<string> {
  google.searchParams.set('auto', auto)
  if (as) google.searchParams.set('as', as)
  const answer = await fetch(google, { redirect: 'manual' })
  return answer.headers.get('location') ?? ''
}

async function signIn(visitor: Visitor, as?: string, change: Record<string, string> = {}): Promise<URL> {
  const callbackUrl = await consent(await begin(visitor, change), as)
  return await followRedirect(visitor, callbackUrl)
}

async function followRedirect(visitor: Visitor, callbackUrl: string): Promise<URL> {
  const answer = await visitor.fetch(callbackUrl)
  expect(answer.status).toBe(302)
  return new URL(answer.headers.get('location') ?? '', app.url)
}

const refusal = (at: URL) => (at.pathname === '/login' ? at.searchParams.get('error') : at.pathname)
const me = async (visitor: Visitor) => await visitor.trpc.auth.me.query()
const userOf = async (email: string) => (await app.client.db.select().from(users).where(eq(users.email, email)))[0]

describe('refusals', () => {
  test('a denial and errors of Google return to the log-in with a message', async () => {
    const visitor = app.visitor()
    expect(refusal(await followRedirect(visitor, await consent(await begin(visitor), undefined, 'deny')))).toBe(
      authMessages.googleCancelled,
    )
    expect(refusal(await signIn(visitor, undefined, { prompt: 'none' }))).toBe(authMessages.googleRefused)
    expect(await me(visitor)).toBeNull()
  })

  test('a wrong nonce, verifier, or client', async () => {
    const visitor = app.visitor()
    expect(refusal(await signIn(visitor, undefined, { nonce: 'of-another-flow' }))).toBe(authMessages.googleRefused)
    expect(refusal(await signIn(visitor, undefined, { code_challenge: 'x'.repeat(43) }))).toBe(
      authMessages.googleRefused,
    )
    expect(refusal(await signIn(visitor, undefined, { client_id: 'another-app' }))).toBe(authMessages.googleRefused)
    expect(await me(visitor)).toBeNull()
    expect(await userOf(mina().email)).toBeUndefined()
  })

  test('a state that is unknown, used, expired, or of another browser', async () => {
    const visitor = app.visitor()
    expect(refusal(await followRedirect(visitor, '/api/auth/google/callback'))).toBe(authMessages.googleExpired)
    expect(refusal(await followRedirect(visitor, '/api/auth/google/callback?code=x&state=made-up'))).toBe(
      authMessages.googleExpired,
    )

    const callbackUrl = await consent(await begin(visitor))
    const thief = app.visitor()
    await begin(thief)
    expect(refusal(await followRedirect(thief, callbackUrl))).toBe(authMessages.googleExpired)
    expect(refusal(await followRedirect(app.visitor(), callbackUrl))).toBe(authMessages.googleExpired)
    const cookies = new Map(visitor.cookies)
    expect(refusal(await followRedirect(visitor, callbackUrl))).toBe('/')
    for (const [name, value] of cookies) visitor.cookies.set(name, value)
    expect(refusal(await followRedirect(visitor, callbackUrl))).toBe(authMessages.googleExpired)

    const late = app.visitor()
    const slow = await consent(await begin(late))
    await app.client.db.update(signInStates).set({ expiresAt: new Date(app.clock.now().getTime() - 1) })
    expect(refusal(await followRedirect(late, slow))).toBe(authMessages.googleExpired)
  })

  test('a used code', async () => {
    const [one, other] = [app.visitor(), app.visitor()]
    const callbackUrl = new URL(await consent(await begin(one)))
    const state = (await begin(other)).searchParams.get('state') ?? ''
    await followRedirect(one, callbackUrl.href)
    callbackUrl.searchParams.set('state', state)
    expect(refusal(await followRedirect(other, callbackUrl.href))).toBe(authMessages.googleRefused)
    expect(await me(other)).toBeNull()
  })

  test('an address that Google has not verified opens nothing and creates nothing, taken or not', async () => {
    const visitor = app.visitor()
    expect(refusal(await signIn(visitor, unverified().id))).toBe(authMessages.googleUnverified)
    expect(await userOf(unverified().email)).toBeUndefined()
    const artist = await createArtist(app)
    await app.client.db.update(users).set({ email: unverified().email }).where(eq(users.id, artist.id))
    expect(refusal(await signIn(visitor, unverified().id))).toBe(authMessages.googleUnverified)
    expect(await me(visitor)).toBeNull()
    expect(await app.client.db.select().from(userIdentities)).toEqual([])
  })

  test('a failure at Google', async () => {
    const visitor = app.visitor()
    const callbackUrl = await consent(await begin(visitor))
    await control(app, 'POST', '/faults', {
      service: 'google',
      method: 'POST',
      path: '^/token',
      kind: 'status',
      status: 503,
      times: 1,
    })
    expect(refusal(await followRedirect(visitor, callbackUrl))).toBe(authMessages.googleUnreachable)
  })

  test('a deactivated account, linked to Google or not', async () => {
    const visitor = app.visitor()
    await signIn(visitor)
    await app.client.db.update(users).set({ isActive: false }).where(eq(users.email, mina().email))
    expect(refusal(await signIn(app.visitor()))).toBe(errorMessages.deactivated)
    await app.client.db.delete(userIdentities)
    expect(refusal(await signIn(app.visitor()))).toBe(errorMessages.deactivated)
    expect(await app.client.db.select().from(userIdentities)).toEqual([])
  })
})

describe('the OAuth flow', () => {
  test('uses a new state, nonce and PKCE verifier, bound by an HttpOnly cookie', async () => {
    const visitor = app.visitor()
    const answer = await visitor.fetch('/api/auth/google')
    const params = new URL(answer.headers.get('location') ?? '').searchParams
    expect(Object.fromEntries(params)).toMatchObject({
      response_type: 'code',
      scope: 'openid email profile',
      code_challenge_method: 'S256',
      redirect_uri: `${app.url}/api/auth/google/callback`,
    })
    const cookie = answer.headers.getSetCookie().find((line) => line.startsWith('flashsheet_google='))
    expect(cookie).toMatch(/HttpOnly/)
    expect(cookie).toMatch(/SameSite=Lax/)
    expect(cookie).toMatch(/Path=\//)
    const again = (await begin(visitor)).searchParams
    for (const name of ['state', 'nonce', 'code_challenge']) expect(again.get(name)).not.toBe(params.get(name))
    const [stored] = await app.client.db.select().from(signInStates)
    expect(JSON.stringify(stored)).not.toContain(params.get('state'))
  })

  test('begins at the host that Google redirects to', async () => {
    const other = new URL('/api/auth/google?timeZone=Europe/Berlin', app.url)
    other.hostname = '127.0.0.1'
    const answer = await app.visitor().fetch(other.href)
    expect(answer.headers.get('location')).toBe(`${app.url}/api/auth/google?timeZone=Europe/Berlin`)
    expect(answer.headers.getSetCookie()).toEqual([])
  })

  test('creates a verified account without a password, and finds it by the subject from then on', async () => {
    const visitor = app.visitor()
    const before = [...visitor.cookies]
    const end = await signIn(visitor)
    expect(end.pathname).toBe('/')
    expect(before).toEqual([])
    expect(await me(visitor)).toMatchObject({ name: mina().name, email: mina().email, isEmailVerified: true })
    expect(await visitor.trpc.auth.account.query()).toEqual({ hasPassword: false, pendingEmail: null, google: true })
    expect(await visitor.trpc.auth.studioZone.query()).toEqual({ timeZone: 'Europe/Berlin' })
    expect((await app.visitor().post('/api/users/auth', { email: mina().email, password: 'anything' })).status).toBe(
      401,
    )

    await app.client.db
      .update(users)
      .set({ email: `own-${mina().email}` })
      .where(eq(users.email, mina().email))
    const again = app.visitor()
    await signIn(again)
    expect(await me(again)).toMatchObject({ email: `own-${mina().email}` })
    await app.client.db.delete(users).where(eq(users.email, `own-${mina().email}`))
  })

  test.each([
    ['of a new person', false],
    ['of a person whose account is not linked', true],
  ])('two sign-ins at once %s both succeed, in one account', async (_name, hasAccount) => {
    if (hasAccount) {
      const artist = await createArtist(app)
      await app.client.db.update(users).set({ email: mina().email }).where(eq(users.id, artist.id))
    }
    const visitors = [app.visitor(), app.visitor()]
    const callbacks = await Promise.all(visitors.map(async (visitor) => await consent(await begin(visitor))))
    const { ends } = await app.client.db.transaction(async (tx) => {
      await tx.execute(sql`lock table user_identities in exclusive mode`)
      const sent = visitors.map(async (visitor, at) => await followRedirect(visitor, callbacks[at] ?? ''))
      await eventually('both to wait', async () => (await lockWaits(app.client)) > 1)
      return { ends: sent }
    })
    expect((await Promise.all(ends)).map(refusal)).toEqual(['/', '/'])
    expect((await me(visitors[0]!))?._id).toBe((await me(visitors[1]!))?._id)
  })

  test('an identity that a reset removes meanwhile no longer opens the account', async () => {
    const artist = await createArtist(app)
    const person = { subject: mina().id, userId: artist.id, email: mina().email, createdAt: app.clock.now() }
    await app.client.db.insert(userIdentities).values({ provider: 'google', ...person })
    const visitor = app.visitor()
    const callbackUrl = await consent(await begin(visitor))
    const { end } = await app.client.db.transaction(async (tx) => {
      await tx.select().from(users).where(eq(users.id, artist.id)).for('update')
      const sent = followRedirect(visitor, callbackUrl)
      await eventually('the sign-in to wait', async () => (await lockWaits(app.client)) > 0)
      await tx.update(users).set({ passwordHash: 'new' }).where(eq(users.id, artist.id))
      await tx.delete(userIdentities).where(eq(userIdentities.userId, artist.id))
      return { end: sent }
    })
    expect(refusal(await end)).toBe('/')
    expect(await me(visitor)).toMatchObject({ email: mina().email })
  })

  test('ends the previous session of this browser', async () => {
    const artist = await createArtist(app)
    const before = new Map(artist.cookies)
    await signIn(artist)
    expect(await me(artist)).toMatchObject({ email: mina().email })
    const stale = app.visitor()
    for (const [name, value] of before) stale.cookies.set(name, value)
    expect(await me(stale)).toBeNull()
  })
})

describe('an existing account', () => {
  test('that is verified is linked, keeps its password and name, and its owner is notified', async () => {
    const artist = await createArtist(app, { name: 'Mina of the Studio' })
    await app.client.db.update(users).set({ email: mina().email }).where(eq(users.id, artist.id))
    const visitor = app.visitor()
    await signIn(visitor)
    expect(await me(visitor)).toMatchObject({ _id: artist.id, name: 'Mina of the Studio' })
    const mail = await mailTo(app, mina().email, /Google/)
    expect(mail.subject).toBe('Google was linked to your account')
    expect(mail.links).toEqual([`${app.url}/contact`, `${app.url}/settings`])
    expect(
      (await app.visitor().post('/api/users/auth', { email: mina().email, password: artist.password })).status,
    ).toBe(200)
    expect(await me(artist)).toMatchObject({ _id: artist.id })
  })

  test('a mere registration of the address is deleted: a new account is created, which its credentials do not open', async () => {
    const password = 'of the squatter'
    const squatter = app.visitor()
    await squatter.post('/api/users', { name: 'Not Mina', email: mina().email, password })
    await squatter.post('/api/users/auth', { email: mina().email, password })
    const link = (await mailTo(app, mina().email, /Verify/)).links.find((one) => one.includes('token=')) ?? ''
    const visitor = app.visitor()
    await signIn(visitor)
    expect(await me(visitor)).toMatchObject({ name: mina().name, isEmailVerified: true })
    expect(await me(squatter)).toBeNull()
    expect((await app.visitor().post('/api/users/auth', { email: mina().email, password })).status).toBe(401)
    expect(
      (await app.visitor().post('/api/users/verify-email', { token: new URL(link).searchParams.get('token') })).status,
    ).toBe(400)
    expect(await app.client.db.select().from(users).where(eq(users.email, mina().email))).toMatchObject([
      { passwordHash: null },
    ])
  })

  test('whose address staff changed to this one is taken over: older credentials no longer open it', async () => {
    const admin = await createArtist(app, { admin: true, plan: null })
    const artist = await createArtist(app, { name: 'Mina of the Studio' })
    expect((await admin.put(`/api/admin/users/${artist.id}`, { email: mina().email })).status).toBe(200)
    const before = app.visitor()
    expect((await before.post('/api/users/auth', { email: mina().email, password: artist.password })).status).toBe(200)
    const visitor = app.visitor()
    await signIn(visitor)
    expect(await me(visitor)).toMatchObject({ _id: artist.id, name: 'Mina of the Studio', isEmailVerified: true })
    expect(await me(before)).toBeNull()
    expect(
      (await app.visitor().post('/api/users/auth', { email: mina().email, password: artist.password })).status,
    ).toBe(401)
  })
})

describe('without keys and without the sandbox', () => {
  test('it is unavailable, and the screens hide it', async () => {
    expect(await app.visitor().trpc.auth.signInMethods.query()).toEqual({ google: true })
    const bare = await startTestApp({ role: 'web', env: { SANDBOX: 'off', RATE_LIMITS: 'on' } })
    try {
      expect(await bare.visitor().trpc.auth.signInMethods.query()).toEqual({ google: false })
      expect((await bare.visitor().get('/api/auth/google')).status).toBe(404)
      expect((await bare.visitor().fetch('/api/auth/google/callback?code=x&state=y')).headers.get('location')).toMatch(
        /^\/login\?error=/,
      )
    } finally {
      await bare.stop()
    }
  })
})
