import { authMessages } from '@flashsheet/contracts/auth/messages'
import { auditEntries } from '@flashsheet/db/schema/admin'
import { linkTokens, registrations, userIdentities, users } from '@flashsheet/db/schema/auth'
import { asc, eq } from 'drizzle-orm'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { System } from '../../../core/context.ts'
import { sha256 } from '../../../core/crypto.ts'
import { ownerScope } from '../../../core/scope.ts'
import { createArtist, type Visitor } from '../../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { lockWaits } from '../../../testing/lock-waits.ts'
import { control, eventually, type SandboxMail } from '../../../testing/sandbox.ts'
import { openSystem } from '../../../testing/system.ts'
import { deleteOtherRegistrations, lockUsersByEmail, updateUser } from '../queries.ts'
import { cleanUpAuth } from './clean-up.ts'

/** An account belongs to the owner of the mailbox (docs/product/accounts.md). */
const boss = 'boss@studio.example'
let app: TestApp
let system: System
let close: () => Promise<void>
beforeAll(async () => {
  app = await startTestApp({ env: { ADMIN_EMAIL: boss } })
  ;({ system, close } = await openSystem(app))
})
afterAll(async () => {
  await close?.()
  await app?.stop()
})

const fresh = () => `${randomUUID()}@studio.example`
const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:142.0) Gecko/20100101 Firefox/142.0'
const me = async (visitor: Visitor) => await visitor.trpc.auth.me.query()
const logIn = async (email: string, password: string, visitor = app.visitor()) =>
  await visitor.post<{ _id: string; name: string; isAdmin: boolean; isEmailVerified: boolean }>('/api/users/auth', {
    email,
    password,
  })
const verify = async (visitor: Visitor, token: string) => await visitor.post('/api/users/verify-email', { token })

/** Registers and logs in without access to the mailbox. */
async function register(email: string, name: string, password: string): Promise<Visitor> {
  const visitor = app.visitor()
  expect((await visitor.post('/api/users', { name, email, password }, { 'user-agent': firefox })).status).toBe(201)
  expect((await logIn(email, password, visitor)).status).toBe(200)
  return visitor
}

/** The mail that says that `name` registered, and its token. */
async function mailAbout(email: string, name: string): Promise<{ mail: SandboxMail; token: string }> {
  return await eventually(`the mail about ${name}`, async () => {
    const mails = await control<SandboxMail[]>(app, 'GET', `/mail?to=${encodeURIComponent(email)}`)
    const mail = mails.find((one) => one.text.includes(`Registered as: ${name}`))
    const token = mail && new URL(mail.links.find((link) => link.includes('token=')) ?? '').searchParams.get('token')
    return mail && token ? { mail, token } : undefined
  })
}

async function resetPassword(visitor: Visitor, email: string, newPassword: string): Promise<void> {
  await visitor.post('/api/users/forgot-password', { email })
  const token = await eventually('the reset mail', async () => {
    const [mail] = (await control<SandboxMail[]>(app, 'GET', `/mail?to=${encodeURIComponent(email)}`)).filter((one) =>
      /Reset/.test(one.subject),
    )
    return mail && new URL(mail.links.find((link) => link.includes('token=')) ?? '').searchParams.get('token')
  })
  expect((await visitor.post('/api/users/reset-password', { token, newPassword })).status).toBe(200)
}

describe('two registrations of one address', () => {
  test('are separate; the opened link verifies its own, and the other is deleted', async () => {
    const email = fresh()
    const stranger = await register(email, 'Eve Squatter', 'of the stranger')
    const owner = await register(email, 'Mara Quill', 'of the owner')
    expect([(await me(stranger))?.name, (await me(owner))?.name]).toEqual(['Eve Squatter', 'Mara Quill'])
    const { mail, token } = await mailAbout(email, 'Mara Quill')
    expect(mail.text).toMatch(/When: .* UTC\n/)
    expect(mail.text).toContain('On: Firefox on Windows')
    expect(await verify(owner, token)).toMatchObject({
      status: 200,
      body: { name: 'Mara Quill', email, isEmailVerified: true },
    })
    expect(await me(stranger)).toBeNull()
    expect((await logIn(email, 'of the stranger')).status).toBe(401)
    expect((await logIn(email, 'of the owner')).body).toMatchObject({ name: 'Mara Quill', isEmailVerified: true })
    expect((await verify(app.visitor(), (await mailAbout(email, 'Eve Squatter')).token)).status).toBe(400)
    expect(await app.client.db.select().from(users).where(eq(users.email, email))).toHaveLength(1)
  })

  test('with both links opened at the same moment become one account', async () => {
    const email = fresh()
    await register(email, 'The First', 'password one')
    await register(email, 'The Second', 'password two')
    const tokens = [(await mailAbout(email, 'The First')).token, (await mailAbout(email, 'The Second')).token]
    const answers = await Promise.all(tokens.map(async (token) => (await verify(app.visitor(), token)).status))
    expect(answers.toSorted((a, b) => a - b)).toEqual([200, 400])
    expect(await app.client.db.select().from(users).where(eq(users.email, email))).toHaveLength(1)
  })

  test('a session of the registration from before the link ends with it', async () => {
    const email = fresh()
    const before = await register(email, 'Ada Inkwell', 'a good password')
    const { token } = await mailAbout(email, 'Ada Inkwell')
    const opener = app.visitor()
    expect((await verify(opener, token)).status).toBe(200)
    expect(await me(before)).toBeNull()
    expect(await me(opener)).toMatchObject({ email })
  })

  test('of more than five the oldest is deleted, and all are after thirty days; an account whose address staff changed stays', async () => {
    const email = fresh()
    for (let n = 1; n <= 6; n++) {
      await app.visitor().post('/api/users', { name: `Number ${n}`, email, password: 'a good password' })
      // The job that creates the link locks the row until then, and a locked registration is not deleted.
      await mailAbout(email, `Number ${n}`)
      app.clock.advance(1000)
    }
    const remaining = await app.client.db
      .select({ name: users.name })
      .from(users)
      .where(eq(users.email, email))
      .orderBy(asc(users.createdAt))
    expect(remaining.map((one) => one.name)).toEqual(['Number 2', 'Number 3', 'Number 4', 'Number 5', 'Number 6'])
    const artist = await createArtist(app, { verified: false })
    await app.client.db.delete(registrations).where(eq(registrations.userId, artist.id))
    app.clock.advance(31 * 86_400_000)
    await cleanUpAuth(system)
    expect(await app.client.db.select().from(users).where(eq(users.email, email))).toEqual([])
    expect(await app.client.db.select().from(users).where(eq(users.id, artist.id))).toHaveLength(1)
    app.clock.set(new Date().toISOString())
  })

  test('an old registration whose link is confirmed during the clean-up stays', async () => {
    const email = fresh()
    await register(email, 'Late But There', 'a good password')
    await mailAbout(email, 'Late But There')
    const [{ id } = { id: '' }] = await app.client.db.select().from(users).where(eq(users.email, email))
    const inAMonth = new Date(app.clock.now().getTime() + 31 * 86_400_000)
    let isCleaned = false
    const cleaning = await app.client.db.transaction(async (tx) => {
      // What the confirmation writes, not committed yet.
      await lockUsersByEmail(tx, email)
      await updateUser(tx, ownerScope(id), { emailVerifiedAt: inAMonth }, inAMonth)
      await deleteOtherRegistrations(tx, email, ownerScope(id))
      const cleanUp = cleanUpAuth({ ...system, now: () => inAMonth }).finally(() => (isCleaned = true))
      await eventually('the clean-up to end, or to wait for this transaction', async () => {
        return isCleaned || (await lockWaits(app.client)) > 0
      })
      return { cleanUp }
    })
    await cleaning.cleanUp
    expect(await app.client.db.select().from(users).where(eq(users.email, email))).toHaveLength(1)
  })

  test('a reset of an unverified address keeps neither the password nor the name of a stranger', async () => {
    const email = fresh()
    const stranger = await register(email, 'Eve Squatter', 'of the stranger')
    await resetPassword(app.visitor(), email, 'of the mailbox')
    expect(await me(stranger)).toBeNull()
    expect((await logIn(email, 'of the stranger')).status).toBe(401)
    expect((await logIn(email, 'of the mailbox')).body).toMatchObject({
      name: email.split('@')[0],
      isEmailVerified: true,
    })
    const other = fresh()
    const own = await register(other, 'Mara Quill', 'forgotten again')
    await resetPassword(own, other, 'remembered now')
    expect((await logIn(other, 'remembered now')).body).toMatchObject({ name: 'Mara Quill' })
  })
})

describe('the page of the link', () => {
  const confirm = async (
    visitor: Visitor,
    input: { token: string; password?: string; newPassword?: string; name?: string },
  ) => await visitor.trpc.auth.confirmLink.mutate(input)

  test('says what the link is for, and reading it changes nothing', async () => {
    const email = fresh()
    const owner = await register(email, 'Mara Quill', 'of the owner')
    const { token } = await mailAbout(email, 'Mara Quill')
    const elsewhere = app.visitor()
    for (let n = 0; n < 2; n++) {
      expect(await elsewhere.trpc.auth.readLink.query({ token })).toMatchObject({
        kind: 'registration',
        email,
        name: 'Mara Quill',
        isAsker: false,
        registered: { browser: 'Firefox', system: 'Windows' },
      })
    }
    expect(elsewhere.cookies.size).toBe(0)
    expect(await owner.trpc.auth.readLink.query({ token })).toMatchObject({ isAsker: true })
    expect(await me(owner)).toMatchObject({ isEmailVerified: false })
    await expect(elsewhere.trpc.auth.readLink.query({ token: 'made up' })).rejects.toThrow(
      authMessages.verifyLinkInvalid,
    )
  })

  test('in the browser that registered needs one press', async () => {
    const email = fresh()
    const visitor = app.visitor()
    await visitor.post('/api/users', { name: 'Mara Quill', email, password: 'of the owner' })
    const { token } = await mailAbout(email, 'Mara Quill')
    expect(await confirm(visitor, { token })).toMatchObject({ email, isEmailVerified: true })
    expect(await me(visitor)).toMatchObject({ email })
  })

  test('in another browser needs the chosen password; a wrong one does not use the link', async () => {
    const email = fresh()
    await register(email, 'Mara Quill', 'of the owner')
    const { token } = await mailAbout(email, 'Mara Quill')
    const phone = app.visitor()
    await expect(confirm(phone, { token })).rejects.toThrow(authMessages.passwordRequired)
    await expect(confirm(phone, { token, password: 'not this one' })).rejects.toThrow(
      authMessages.registeredPasswordWrong,
    )
    expect(await me(phone)).toBeNull()
    expect(await confirm(phone, { token, password: 'of the owner' })).toMatchObject({ email, isEmailVerified: true })
    expect(await me(phone)).toMatchObject({ email })
  })

  test('"This wasn\\\'t me" gives the account to the mailbox\'s owner, with a name and a password of their own', async () => {
    const email = fresh()
    const stranger = await register(email, 'Eve Squatter', 'of the stranger')
    const { token } = await mailAbout(email, 'Eve Squatter')
    const owner = app.visitor()
    await expect(confirm(owner, { token, newPassword: 'of the owner' })).rejects.toThrow(authMessages.nameRequired)
    await expect(confirm(owner, { token, newPassword: '123', name: 'Mara' })).rejects.toThrow(
      authMessages.passwordTooShort,
    )
    expect(await confirm(owner, { token, newPassword: 'of the owner', name: 'Mara Quill' })).toMatchObject({
      name: 'Mara Quill',
      email,
      isEmailVerified: true,
    })
    expect(await me(stranger)).toBeNull()
    expect((await logIn(email, 'of the stranger')).status).toBe(401)
    expect((await logIn(email, 'of the owner')).status).toBe(200)
  })

  test('of a new address signs in only the browser that requested it, and unlinks Google of the old one', async () => {
    const artist = await createArtist(app)
    const to = fresh()
    await app.client.db.insert(userIdentities).values({
      provider: 'google',
      subject: randomUUID(),
      userId: artist.id,
      email: artist.email,
      createdAt: app.clock.now(),
    })
    await artist.put('/api/users/profile', { _id: artist.id, email: to, currentPassword: artist.password })
    const token = await eventually('the link', async () => {
      const [mail] = await control<SandboxMail[]>(app, 'GET', `/mail?to=${encodeURIComponent(to)}`)
      return mail && new URL(mail.links.find((link) => link.includes('token=')) ?? '').searchParams.get('token')
    })
    const opener = app.visitor()
    expect(await opener.trpc.auth.readLink.query({ token })).toMatchObject({
      kind: 'new_address',
      email: to,
      name: artist.name,
      isAsker: false,
      registered: null,
    })
    expect(await confirm(opener, { token })).toMatchObject({ email: to })
    expect(opener.cookies.size).toBe(0)
    expect(await me(opener)).toBeNull()
    expect(await me(artist)).toBeNull()
    expect((await logIn(to, artist.password)).status).toBe(200)
    expect(await app.client.db.select().from(userIdentities).where(eq(userIdentities.userId, artist.id))).toEqual([])
  })
})

describe('ADMIN_EMAIL', () => {
  const isStaff = async (visitor: Visitor) => (await visitor.get('/api/admin/users')).status === 200

  test('gives nothing to a stranger who registered it first, whoever opens the link; it makes staff of the next log-in, once', async () => {
    const stranger = await register(boss, 'Eve Squatter', 'of the stranger')
    const owner = await register(boss, 'The Boss', 'of the boss')
    const { token } = await mailAbout(boss, 'The Boss')
    expect((await verify(owner, token)).body).toMatchObject({ isEmailVerified: true, isAdmin: false })
    expect([await isStaff(stranger), await isStaff(owner)]).toEqual([false, false])
    expect((await logIn(boss, 'of the stranger')).status).toBe(401)
    const desk = app.visitor()
    expect((await logIn(boss, 'of the boss', desk)).body).toMatchObject({ isAdmin: true })
    expect(await isStaff(desk)).toBe(true)
    // Sessions from before have no staff rights.
    expect(await me(owner)).toBeNull()
    const id = (await me(desk))?._id ?? ''
    const log = async () =>
      await app.client.db
        .select({ action: auditEntries.action, actorId: auditEntries.actorId })
        .from(auditEntries)
        .where(eq(auditEntries.subjectId, id))
        .orderBy(asc(auditEntries.id))
    expect(await log()).toEqual([{ action: 'admin_by_setting', actorId: null }])
    const colleague = await createArtist(app, { admin: true, plan: null })
    expect((await colleague.put(`/api/admin/users/${id}`, { isAdmin: false })).status).toBe(200)
    expect((await logIn(boss, 'of the boss')).body).toMatchObject({ isAdmin: false })
    expect((await log()).map((one) => one.action)).toEqual(['admin_by_setting', 'admin_revoked'])
    // The setting does not apply either after an admin made in another way loses the right.
    await app.client.db.update(users).set({ isAdmin: true, adminSettingUsedAt: null }).where(eq(users.id, id))
    expect((await colleague.put(`/api/admin/users/${id}`, { isAdmin: false })).status).toBe(200)
    expect((await logIn(boss, 'of the boss')).body).toMatchObject({ isAdmin: false })
  })
})

describe('a linked Google account', () => {
  async function linked() {
    const artist = await createArtist(app)
    await app.client.db.insert(userIdentities).values({
      provider: 'google',
      subject: randomUUID(),
      userId: artist.id,
      email: artist.email,
      createdAt: app.clock.now(),
    })
    const countIdentities = async () =>
      (await app.client.db.select().from(userIdentities).where(eq(userIdentities.userId, artist.id))).length
    expect(await countIdentities()).toBe(1)
    return { artist, left: countIdentities }
  }

  test('is unlinked by a password reset', async () => {
    const { artist, left: countIdentities } = await linked()
    await resetPassword(app.visitor(), artist.email, 'a brand new one')
    expect(await countIdentities()).toBe(0)
  })

  test('is unlinked when staff change the address', async () => {
    const { artist, left: countIdentities } = await linked()
    const admin = await createArtist(app, { admin: true, plan: null })
    expect((await admin.put(`/api/admin/users/${artist.id}`, { email: fresh() })).status).toBe(200)
    expect(await countIdentities()).toBe(0)
  })

  test('is removed in the settings with the password, which is then the only sign-in method; other sessions end', async () => {
    const { artist, left: countIdentities } = await linked()
    const other = app.visitor()
    await logIn(artist.email, artist.password, other)
    expect(await artist.trpc.auth.ownSignInMethods.query()).toMatchObject({
      hasPassword: true,
      google: [{ email: artist.email }],
    })
    await expect(artist.trpc.auth.removeGoogle.mutate({ currentPassword: 'not this one' })).rejects.toThrow(
      authMessages.currentPasswordWrong,
    )
    expect(await countIdentities()).toBe(1)
    await artist.trpc.auth.removeGoogle.mutate({ currentPassword: artist.password })
    expect(await countIdentities()).toBe(0)
    expect([(await me(artist))?._id, await me(other)]).toEqual([artist.id, null])
    await expect(artist.trpc.auth.removeGoogle.mutate({ currentPassword: artist.password })).rejects.toThrow(
      authMessages.googleNotLinked,
    )
  })

  test('stays while it is the only sign-in method', async () => {
    const { artist, left: countIdentities } = await linked()
    await app.client.db.update(users).set({ passwordHash: null }).where(eq(users.id, artist.id))
    await expect(artist.trpc.auth.removeGoogle.mutate({ currentPassword: 'anything' })).rejects.toThrow(
      authMessages.googleIsOnlyWay,
    )
    expect(await countIdentities()).toBe(1)
  })
})

describe('a form on another site', () => {
  const evil = { origin: 'https://evil.example' }

  test('logs nobody in, at any path that sets a cookie', async () => {
    const artist = await createArtist(app)
    const body = JSON.stringify({ email: artist.email, password: artist.password })
    const post = async (path: string, headers: Record<string, string>, sent = body) => {
      const answer = await app.visitor().fetch(path, { method: 'POST', headers, body: sent })
      expect(answer.headers.getSetCookie(), `${path} ${JSON.stringify(headers)}`).toEqual([])
      return answer.status
    }
    expect(await post('/api/users/auth', { ...evil, 'content-type': 'text/plain' })).toBe(403)
    expect(await post('/api/users/auth', { 'sec-fetch-site': 'cross-site', 'content-type': 'application/json' })).toBe(
      403,
    )
    expect(await post('/api/users/auth', { 'content-type': 'text/plain' })).toBe(400)
    expect(await post('/api/users/auth', { 'content-type': 'application/x-www-form-urlencoded' })).toBe(400)
    expect(await post('/trpc/auth.login', { ...evil, 'content-type': 'application/json' })).toBe(403)
    expect(await post('/trpc/auth.login', { 'content-type': 'text/plain' })).toBeGreaterThanOrEqual(400)
    const registration = JSON.stringify({ name: 'Eve', email: fresh(), password: 'a good password' })
    expect(await post('/api/users', { ...evil, 'content-type': 'text/plain' }, registration)).toBe(403)
    expect(await post('/api/users', { 'content-type': 'text/plain' }, registration)).toBe(400)
    expect((await logIn(artist.email, artist.password)).status).toBe(200)
  })

  test('does not use a verification link', async () => {
    const email = fresh()
    await register(email, 'Eve Squatter', 'of the stranger')
    const { token } = await mailAbout(email, 'Eve Squatter')
    const victim = app.visitor()
    expect((await victim.post('/api/users/verify-email', { token }, evil)).status).toBe(403)
    expect(victim.cookies.size).toBe(0)
    expect(
      (
        await victim.fetch('/api/users/verify-email', {
          method: 'POST',
          headers: { 'content-type': 'text/plain' },
          body: JSON.stringify({ token }),
        })
      ).status,
    ).toBe(400)
    expect((await verify(app.visitor(), token)).status).toBe(200)
  })
})

describe('strangers who guess passwords', () => {
  let strict: TestApp
  beforeAll(async () => {
    strict = await startTestApp({ role: 'web', env: { RATE_LIMITS: 'on' } })
  })
  afterAll(async () => await strict?.stop())

  test('lock the log-in for strangers, and not for a browser with a device cookie, which counts separately', async () => {
    const artist = await createArtist(strict)
    const attempt = async (visitor: Visitor, password: string) =>
      (await visitor.post('/api/users/auth', { email: artist.email, password })).status
    const own = strict.visitor()
    expect(await attempt(own, artist.password)).toBe(200)
    await own.post('/api/users/logout')
    for (let n = 0; n < 10; n++) expect(await attempt(strict.visitor(), `guess ${n}`)).toBe(401)
    expect(await attempt(strict.visitor(), artist.password)).toBe(429)
    expect(await attempt(own, artist.password)).toBe(200)
    for (let n = 0; n < 10; n++) expect(await attempt(own, `typo ${n}`)).toBe(401)
    expect(await attempt(own, artist.password)).toBe(429)
    // A device cookie of another account, or a forged one, does not count.
    const other = await createArtist(strict)
    const stranger = strict.visitor()
    expect((await stranger.post('/api/users/auth', { email: other.email, password: other.password })).status).toBe(200)
    expect(await attempt(stranger, 'guess')).toBe(429)
  })

  test('do not exceed the limit by concurrent guesses', async () => {
    const artist = await createArtist(strict)
    const guesses = Array.from({ length: 20 }, (_, n) => ({ email: artist.email, password: `guess ${n}` }))
    const batch = `/trpc/${guesses.map(() => 'auth.login').join(',')}?batch=1`
    const { body } = await strict
      .visitor()
      .post<{ error?: { data: { httpStatus: number } } }[]>(batch, Object.fromEntries(guesses.entries()))
    // Which of them are verified first depends on the connections to the database.
    const statuses = body.map((answer) => answer.error?.data.httpStatus ?? 200).toSorted((a, b) => a - b)
    expect(statuses).toEqual([...Array<number>(10).fill(401), ...Array<number>(10).fill(429)])
    const { status } = await strict
      .visitor()
      .post('/api/users/auth', { email: artist.email, password: artist.password })
    expect(status).toBe(429)
  })

  test('do not lock out an artist who resets the password: the browser of the reset gets a device cookie', async () => {
    const artist = await createArtist(strict)
    for (let n = 0; n < 10; n++)
      await strict.visitor().post('/api/users/auth', { email: artist.email, password: `guess ${n}` })
    const token = randomUUID()
    const expiresAt = new Date(strict.clock.now().getTime() + 3_600_000)
    await strict.client.db
      .insert(linkTokens)
      .values({ hash: sha256(token), purpose: 'reset_password', userId: artist.id, email: artist.email, expiresAt })
    const owner = strict.visitor()
    await owner.trpc.auth.resetPassword.mutate({ token, newPassword: 'a brand new one' })
    expect([...owner.cookies.keys()]).toEqual(['flashsheet_device'])
    expect(
      (await strict.visitor().post('/api/users/auth', { email: artist.email, password: 'a brand new one' })).status,
    ).toBe(429)
    expect((await owner.post('/api/users/auth', { email: artist.email, password: 'a brand new one' })).status).toBe(200)
  })

  test('get no device cookie by registering the same address', async () => {
    const artist = await createArtist(strict)
    const stranger = strict.visitor()
    await stranger.post('/api/users', { name: 'Eve', email: artist.email, password: 'of the stranger' })
    expect((await stranger.post('/api/users/auth', { email: artist.email, password: 'of the stranger' })).status).toBe(
      200,
    )
    expect([...stranger.cookies.keys()].toSorted()).toEqual(['flashsheet_registered', 'flashsheet_session'])
    for (let n = 0; n < 10; n++) await stranger.post('/api/users/auth', { email: artist.email, password: `guess ${n}` })
    expect((await stranger.post('/api/users/auth', { email: artist.email, password: artist.password })).status).toBe(
      429,
    )
  })
})
