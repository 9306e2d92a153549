import { authMessages } from '@flashsheet/contracts/auth/messages'
import { linkRequests, users } from '@flashsheet/db/schema/auth'
import { and, eq } from 'drizzle-orm'
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sha256 } from '../../../core/crypto.ts'
import { createArtist, createVisitor, type Answer, type Artist, type Visitor } from '../../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { lockWaits } from '../../../testing/lock-waits.ts'
import { eventually, mailTo } from '../../../testing/sandbox.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(async () => await app.stop())

const save = async (artist: Artist, change: Record<string, unknown>): Promise<Answer> =>
  await artist.put('/api/users/profile', { _id: artist.id, ...change })
const isSignedIn = async (visitor: Visitor) => (await visitor.trpc.auth.me.query()) !== null
const logIn = async (email: string, password: string) =>
  (await app.visitor().post('/api/users/auth', { email, password })).status
const newAddress = () => `moved-${randomBytes(6).toString('hex')}@studio.example`

/** Logs in as the artist on another device. */
async function elsewhere(artist: Artist): Promise<Visitor> {
  const device = app.visitor()
  await device.post('/api/users/auth', { email: artist.email, password: artist.password })
  return device
}

/** Another browser with the current cookies of this one. */
function copyOf(artist: Artist): Visitor {
  const copy = createVisitor(app.url)
  for (const [name, value] of artist.cookies) copy.cookies.set(name, value)
  return copy
}

async function confirmationToken(email: string): Promise<string> {
  const mail = await mailTo(app, email, /Confirm your new/)
  return new URL(mail.links.find((link) => link.includes('/verify-email')) ?? '').searchParams.get('token') ?? ''
}

describe('refusals', () => {
  test('without a session, unverified, or for somebody else', async () => {
    expect((await app.visitor().put('/api/users/profile', { _id: 'x' })).status).toBe(401)
    const unverified = await createArtist(app, { verified: false, plan: null })
    expect(await save(unverified, { name: 'New' })).toMatchObject({ status: 403, body: { code: 'unverified' } })
    const [one, other] = [await createArtist(app), await createArtist(app, { name: 'Other One' })]
    expect((await one.put('/api/users/profile', { _id: other.id, name: 'Taken over' })).status).toBe(404)
    expect((await one.put('/api/users/profile', { name: 'Nobody' })).status).toBe(400)
    expect((await one.put('/api/users/profile', { _id: one.id.toUpperCase() })).status).toBe(200)
    expect(await other.trpc.auth.me.query()).toMatchObject({ name: 'Other One' })
  })

  test.each([
    [{ name: ' ' }, 'name', authMessages.nameRequired],
    [{ name: 'x'.repeat(101) }, 'name', authMessages.nameTooLong],
    [{ email: '' }, 'email', authMessages.emailRequired],
    [{ email: 'nowhere' }, 'email', authMessages.emailInvalid],
    [{ password: '12345' }, 'password', authMessages.passwordTooShort],
    [{ password: '😀😀😀' }, 'password', authMessages.passwordTooShort],
    [{ password: 'x'.repeat(201) }, 'password', authMessages.passwordTooLong],
    [{ password: 'long enough' }, 'currentPassword', authMessages.currentPasswordRequired],
    [{ password: 'long enough', currentPassword: '' }, 'currentPassword', authMessages.currentPasswordRequired],
    [{ email: 'other@studio.example' }, 'currentPassword', authMessages.currentPasswordRequired],
    [
      { email: 'other@studio.example', currentPassword: 'wrong password' },
      'currentPassword',
      authMessages.currentPasswordWrong,
    ],
  ])('%j', async (change, field, message) => {
    const artist = await createArtist(app)
    expect(await save(artist, change)).toMatchObject({ status: 400, body: { message, fields: { [field]: message } } })
    expect(await isSignedIn(artist)).toBe(true)
    expect(await artist.trpc.auth.account.query()).toEqual({ hasPassword: true, pendingEmail: null, google: false })
  })
})

describe('a name', () => {
  test('changes without a password, and every session continues', async () => {
    const artist = await createArtist(app)
    const device = await elsewhere(artist)
    const answer = await save(artist, { name: '  Nora Nadel ', email: artist.email.toUpperCase(), password: '' })
    expect(answer).toMatchObject({
      status: 200,
      body: { _id: artist.id, name: 'Nora Nadel', email: artist.email, isEmailVerified: true },
    })
    expect(answer.headers.get('set-cookie')).toMatch(/flashsheet_session=.*HttpOnly/)
    expect(await artist.trpc.auth.me.query()).toMatchObject({ name: 'Nora Nadel' })
    expect(await isSignedIn(device)).toBe(true)
  })
})

describe('a password', () => {
  test('changes with the current one; other sessions end, this one is renewed, and the owner is notified', async () => {
    const artist = await createArtist(app)
    const device = await elsewhere(artist)
    const stolen = copyOf(artist)
    expect(await save(artist, { password: 'a brand new one', currentPassword: artist.password })).toMatchObject({
      status: 200,
      body: { email: artist.email },
    })
    expect(await isSignedIn(artist)).toBe(true)
    expect(await isSignedIn(device)).toBe(false)
    expect(await isSignedIn(stolen)).toBe(false)
    expect(await logIn(artist.email, artist.password)).toBe(401)
    expect(await logIn(artist.email, 'a brand new one')).toBe(200)
    expect((await mailTo(app, artist.email)).subject).toBe('Your password was changed')
  })

  test('cannot be set by a session alone where there is none, nor can an address; the mailed link sets the first one', async () => {
    const artist = await createArtist(app)
    await app.client.db.update(users).set({ passwordHash: null }).where(eq(users.id, artist.id))
    expect(await artist.trpc.auth.account.query()).toMatchObject({ hasPassword: false })
    expect(await save(artist, { password: 'the first one' })).toMatchObject({
      status: 400,
      body: { fields: { password: authMessages.passwordFirst } },
    })
    expect(await save(artist, { email: newAddress() })).toMatchObject({
      status: 400,
      body: { fields: { email: authMessages.passwordFirst } },
    })
    expect((await save(artist, { name: 'A Name Alone' })).status).toBe(200)
    expect(await artist.trpc.auth.account.query()).toMatchObject({ hasPassword: false, pendingEmail: null })
    await app.visitor().post('/api/users/forgot-password', { email: artist.email })
    const link =
      (await mailTo(app, artist.email, /Reset your password/)).links.find((one) => one.includes('token=')) ?? ''
    await app.visitor().post('/api/users/reset-password', {
      token: new URL(link).searchParams.get('token'),
      newPassword: 'the first one',
    })
    expect(await logIn(artist.email, 'the first one')).toBe(200)
  })

  test('of two concurrent changes, one counts', async () => {
    const artist = await createArtist(app)
    const passwords = ['the first password', 'the second password']
    const change = async (session: Visitor, password: string) =>
      (await session.put('/api/users/profile', { _id: artist.id, password, currentPassword: artist.password })).status
    const copy = copyOf(artist)
    const statuses = await Promise.all([change(artist, passwords[0]!), change(copy, passwords[1]!)])
    // The other one is refused by its ended session or, if it has read the account later, by the new password.
    expect(statuses.map((status) => (status === 400 ? 401 : status)).toSorted((a, b) => a - b)).toEqual([200, 401])
    for (const [at, password] of passwords.entries())
      expect(await logIn(artist.email, password)).toBe(statuses[at] === 200 ? 200 : 401)
  })
})

describe('an address', () => {
  test('changes once the new mailbox has confirmed it; both mailboxes are notified', async () => {
    const artist = await createArtist(app)
    const device = await elsewhere(artist)
    const stolen = copyOf(artist)
    const to = newAddress()
    expect(await save(artist, { email: to.toUpperCase(), currentPassword: artist.password })).toMatchObject({
      status: 200,
      body: { email: artist.email, isEmailVerified: true },
    })
    expect(await artist.trpc.auth.account.query()).toMatchObject({ pendingEmail: to })
    expect([await isSignedIn(artist), await isSignedIn(device), await isSignedIn(stolen)]).toEqual([true, false, false])
    expect((await mailTo(app, artist.email)).text).toContain(to)
    expect(await logIn(to, artist.password)).toBe(401)
    expect(await logIn(artist.email, artist.password)).toBe(200)

    const token = await confirmationToken(to)
    const before = copyOf(artist)
    const again = await elsewhere(artist)
    expect(await artist.post('/api/users/verify-email', { token })).toMatchObject({
      status: 200,
      body: { _id: artist.id, email: to, isEmailVerified: true },
    })
    expect([await isSignedIn(artist), await isSignedIn(before), await isSignedIn(again)]).toEqual([true, false, false])
    expect(await artist.trpc.auth.account.query()).toMatchObject({ pendingEmail: null })
    expect(await logIn(artist.email, artist.password)).toBe(401)
    expect(await logIn(to, artist.password)).toBe(200)
    expect((await mailTo(app, artist.email, /was changed/)).subject).toBe('Your email address was changed')
    expect((await artist.post('/api/users/verify-email', { token })).status).toBe(400)
  })

  test('of somebody else is answered like a free one; its owner is notified, and it has no effect', async () => {
    const [artist, owner] = [await createArtist(app), await createArtist(app)]
    const free = await save(await createArtist(app), { email: newAddress(), currentPassword: artist.password })
    const taken = await save(artist, { email: owner.email, currentPassword: artist.password })
    expect(taken.status).toBe(free.status)
    expect(await artist.trpc.auth.account.query()).toMatchObject({ pendingEmail: owner.email })
    const mail = await mailTo(app, owner.email)
    expect(mail.subject).toBe('This address already has a Flashsheet account')
    expect(mail.links.some((link) => link.includes('token='))).toBe(false)
  })

  test('that somebody else verified before its confirmation is refused then', async () => {
    const artist = await createArtist(app)
    const to = newAddress()
    await save(artist, { email: to, currentPassword: artist.password })
    const token = await confirmationToken(to)
    const other = await createArtist(app)
    await app.client.db.update(users).set({ email: to }).where(eq(users.id, other.id))
    expect(await artist.post('/api/users/verify-email', { token })).toMatchObject({
      status: 400,
      body: { message: authMessages.verifyLinkInvalid },
    })
    expect(await artist.trpc.auth.me.query()).toMatchObject({ email: artist.email })
    // Nor is an address taken that staff gave to another account, confirmed or not.
    await app.client.db.update(users).set({ emailVerifiedAt: null }).where(eq(users.id, other.id))
    expect((await artist.post('/api/users/verify-email', { token })).status).toBe(400)
  })

  test('requested later replaces the earlier one, and a cancelled one is invalid', async () => {
    const artist = await createArtist(app)
    const [first, second] = [newAddress(), newAddress()]
    await save(artist, { email: first, currentPassword: artist.password })
    const early = await confirmationToken(first)
    await save(artist, { email: second, currentPassword: artist.password })
    expect((await artist.post('/api/users/verify-email', { token: early })).status).toBe(400)
    const late = await confirmationToken(second)
    expect(await artist.trpc.auth.cancelEmailChange.mutate()).toEqual({ message: authMessages.emailChangeCancelled })
    expect((await artist.post('/api/users/verify-email', { token: late })).status).toBe(400)
    await expect(artist.trpc.auth.resendEmailChange.mutate()).rejects.toMatchObject({ data: { httpStatus: 404 } })
  })

  test('can be cancelled while its link is being confirmed', async () => {
    const artist = await createArtist(app)
    const to = newAddress()
    await save(artist, { email: to, currentPassword: artist.password })
    const hash = sha256(await confirmationToken(to))
    const { cancelled } = await app.client.sql.begin(async (sql) => {
      // As a confirmation, which locks the link and then the user. Only the other transaction looks for deadlocks.
      await sql`set local deadlock_timeout = '20s'`
      await sql`select 1 from link_tokens where hash = ${hash} for update`
      const answer = artist.trpc.auth.cancelEmailChange.mutate()
      await eventually('the other to wait', async () => (await lockWaits(app.client)) > 0)
      await sql`select 1 from users where id = ${artist.id} for update`
      return { cancelled: answer }
    })
    expect(await cancelled).toEqual({ message: authMessages.emailChangeCancelled })
  })

  test('can get its link mailed once more', async () => {
    const artist = await createArtist(app)
    const to = newAddress()
    await save(artist, { email: to, currentPassword: artist.password })
    const first = await confirmationToken(to)
    expect(await artist.trpc.auth.resendEmailChange.mutate()).toEqual({ message: authMessages.emailChangeSent })
    await expect.poll(async () => await confirmationToken(to), { timeout: 10_000 }).not.toBe(first)
    expect((await artist.post('/api/users/verify-email', { token: await confirmationToken(to) })).status).toBe(200)
  })

  test('is discarded by a password reset, so that its link no longer works', async () => {
    const artist = await createArtist(app)
    const to = newAddress()
    await save(artist, { email: to, currentPassword: artist.password })
    const token = await confirmationToken(to)
    await app.visitor().post('/api/users/forgot-password', { email: artist.email })
    const link =
      (await mailTo(app, artist.email, /Reset your password/)).links.find((one) => one.includes('token=')) ?? ''
    await app.visitor().post('/api/users/reset-password', {
      token: new URL(link).searchParams.get('token'),
      newPassword: 'the owner is back',
    })
    expect((await app.visitor().post('/api/users/verify-email', { token })).status).toBe(400)
    const owner = app.visitor()
    await owner.post('/api/users/auth', { email: artist.email, password: 'the owner is back' })
    expect(await owner.trpc.auth.account.query()).toMatchObject({ pendingEmail: null })
  })
})

describe('limits', () => {
  let strict: TestApp
  beforeAll(async () => {
    strict = await startTestApp({ role: 'web', env: { RATE_LIMITS: 'on' } })
  })
  afterAll(async () => await strict.stop())

  test('ten mails an hour to an address, independent of others', async () => {
    const artist = await createArtist(strict)
    const to = newAddress()
    const visitor = strict.visitor()
    for (let i = 0; i < 9; i++)
      expect((await visitor.post('/api/users/resend-verification', { email: to })).status).toBe(200)
    const requestChange = async () =>
      await artist.put('/api/users/profile', { _id: artist.id, email: to, currentPassword: artist.password })
    expect((await requestChange()).status).toBe(200)
    const refused = await requestChange()
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await visitor.post('/api/users/resend-verification', { email: to })).status).toBe(429)
    await expect(artist.trpc.auth.resendEmailChange.mutate()).rejects.toMatchObject({ data: { httpStatus: 429 } })
    expect((await visitor.post('/api/users/resend-verification', { email: newAddress() })).status).toBe(200)
    strict.clock.advance(60 * 60_000 + 1000)
    expect((await visitor.post('/api/users/resend-verification', { email: to })).status).toBe(200)
  })

  test('ten other addresses an hour of an account, so that it cannot mail any number of strangers', async () => {
    const artist = await createArtist(strict)
    const requestChange = async () =>
      (await save(artist, { email: newAddress(), currentPassword: artist.password })).status
    for (let i = 0; i < 10; i++) expect(await requestChange()).toBe(200)
    expect(await requestChange()).toBe(429)
    strict.clock.advance(60 * 60_000 + 1000)
    expect(await requestChange()).toBe(200)
  })

  test('a reset always gets the same answer; beyond ten an hour nothing more is mailed, whatever else was requested', async () => {
    const artist = await createArtist(strict)
    for (let i = 0; i < 10; i++) await strict.visitor().post('/api/users/resend-verification', { email: artist.email })
    for (let i = 0; i < 12; i++)
      expect((await strict.visitor().post('/api/users/forgot-password', { email: artist.email })).status).toBe(200)
    const requests = await strict.client.db
      .select()
      .from(linkRequests)
      .where(and(eq(linkRequests.email, artist.email), eq(linkRequests.purpose, 'reset_password')))
    expect(requests).toHaveLength(10)
  })

  test('an address can be registered ten times an hour, taken or not', async () => {
    const visitor = strict.visitor()
    const taken = (await createArtist(strict)).email
    for (const email of [taken, newAddress()]) {
      const register = async () =>
        (await visitor.post('/api/users', { name: 'Again', email, password: 'a password' })).status
      for (let i = 0; i < 10; i++) expect(await register()).toBe(201)
      expect(await register()).toBe(429)
    }
  })

  test('attempts at the current password share the limit of the log-in', async () => {
    const artist = await createArtist(strict)
    const guess = async (currentPassword: string) =>
      (await artist.put('/api/users/profile', { _id: artist.id, password: 'a brand new one', currentPassword })).status
    for (let i = 0; i < 10; i++) expect(await guess(`guess ${i}`)).toBe(400)
    expect(await guess(artist.password)).toBe(429)
  })
})
