import { authMessages } from '@flashsheet/contracts/auth/messages'
import { linkTokens, users } from '@flashsheet/db/schema/auth'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createArtist, type Artist } from '../../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { mailTo } from '../../../testing/sandbox.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(async () => await app.stop())

async function resetToken(artist: Pick<Artist, 'email'>): Promise<string> {
  await app.visitor().post('/api/users/forgot-password', { email: artist.email })
  return await newestToken(artist)
}

/** The token of the newest mail. */
async function newestToken(artist: Pick<Artist, 'email'>): Promise<string> {
  const mail = await mailTo(app, artist.email, /Reset your password/)
  const link = mail.links.find((one) => one.startsWith(`${app.url}/reset-password?`))
  return new URL(link ?? '').searchParams.get('token') ?? ''
}

const reset = async (token: string, newPassword: string) =>
  await app.visitor().post('/api/users/reset-password', { token, newPassword })
const logIn = async (email: string, password: string) =>
  (await app.visitor().post('/api/users/auth', { email, password })).status
const newPassword = 'an entirely new one'

describe('requesting a reset', () => {
  test.each([
    [{}, authMessages.forgotEmailRequired],
    [{ email: ' ' }, authMessages.forgotEmailRequired],
    [{ email: 'no address' }, authMessages.emailInvalid],
  ])('rejects %j', async (body, message) => {
    expect(await app.visitor().post('/api/users/forgot-password', body)).toMatchObject({
      status: 400,
      body: { message, fields: { email: message } },
    })
  })

  test('gives the same answer for an unknown address', async () => {
    const artist = await createArtist(app)
    const known = await app.visitor().post('/api/users/forgot-password', { email: artist.email.toUpperCase() })
    const unknown = await app.visitor().post('/api/users/forgot-password', { email: 'nobody-at-all@studio.example' })
    expect(known).toMatchObject({ status: 200, body: { message: authMessages.resetSent } })
    expect(unknown.body).toEqual(known.body)
    expect((await mailTo(app, artist.email)).subject).toBe('Reset your password')
  })
})

describe('resetting', () => {
  test.each([
    [{}, authMessages.resetLinkInvalid],
    [{ token: '', newPassword }, authMessages.resetLinkInvalid],
    [{ token: 'unknown', newPassword }, authMessages.resetLinkInvalid],
    [{ token: 'unknown', newPassword: '' }, authMessages.fillAllFields],
    [{ token: 'unknown', newPassword: '12345' }, authMessages.passwordTooShort],
    [{ token: 'unknown', newPassword: 'x'.repeat(201) }, authMessages.passwordTooLong],
  ])('rejects %j', async (body, message) => {
    expect(await app.visitor().post('/api/users/reset-password', body)).toMatchObject({
      status: 400,
      body: { message },
    })
  })

  test('a link works once, for an hour, and is not used by reading or by a refused password', async () => {
    const artist = await createArtist(app)
    const token = await resetToken(artist)
    await app.visitor().get(`/reset-password?token=${token}`)
    expect((await reset(token, '123')).status).toBe(400)
    expect(await reset(token, newPassword)).toMatchObject({ status: 200, body: { message: authMessages.resetDone } })
    expect(await logIn(artist.email, artist.password)).toBe(401)
    expect(await logIn(artist.email, newPassword)).toBe(200)
    expect((await reset(token, 'yet another one')).status).toBe(400)
    expect((await mailTo(app, artist.email, /was changed/)).subject).toBe('Your password was changed')

    const late = await createArtist(app)
    const old = await resetToken(late)
    const [stored] = await app.client.db.select().from(linkTokens).where(eq(linkTokens.userId, late.id))
    const life = (stored?.expiresAt.getTime() ?? 0) - app.clock.now().getTime()
    expect(life).toBeGreaterThan(59 * 60_000)
    expect(life).toBeLessThanOrEqual(60 * 60_000)
    await app.client.db
      .update(linkTokens)
      .set({ expiresAt: new Date(app.clock.now().getTime() - 1) })
      .where(eq(linkTokens.userId, late.id))
    expect((await reset(old, newPassword)).status).toBe(400)
    expect(await logIn(late.email, late.password)).toBe(200)
  })

  test('opens no session and ends all others', async () => {
    const artist = await createArtist(app)
    const answer = await reset(await resetToken(artist), newPassword)
    expect(answer.headers.get('set-cookie')).toBeNull()
    expect(await artist.trpc.auth.me.query()).toBeNull()
    expect((await artist.get('/api/media')).status).toBe(401)
  })

  test('invalidates every other link', async () => {
    const artist = await createArtist(app)
    const first = await resetToken(artist)
    await app.visitor().post('/api/users/forgot-password', { email: artist.email })
    await expect.poll(async () => await newestToken(artist), { timeout: 10_000 }).not.toBe(first)
    expect((await reset(await newestToken(artist), newPassword)).status).toBe(200)
    expect(await reset(first, 'of the one before')).toMatchObject({
      status: 400,
      body: { message: authMessages.resetLinkInvalid },
    })
    expect(await logIn(artist.email, newPassword)).toBe(200)
  })

  test('is refused once the password was changed in the settings', async () => {
    const artist = await createArtist(app)
    const token = await resetToken(artist)
    const change = { _id: artist.id, password: newPassword, currentPassword: artist.password }
    expect((await artist.put('/api/users/profile', change)).status).toBe(200)
    expect((await reset(token, 'of a stolen mailbox')).status).toBe(400)
  })

  test('verifies an unverified address: the link came through its mailbox', async () => {
    const artist = await createArtist(app, { verified: false, plan: null })
    expect((await reset(await resetToken(artist), newPassword)).status).toBe(200)
    const visitor = app.visitor()
    expect(await visitor.post('/api/users/auth', { email: artist.email, password: newPassword })).toMatchObject({
      body: { isEmailVerified: true },
    })
  })

  test('does nothing once the account has another address', async () => {
    const artist = await createArtist(app)
    const token = await resetToken(artist)
    await app.client.db
      .update(users)
      .set({ email: `moved-${artist.email}` })
      .where(eq(users.id, artist.id))
    expect((await reset(token, newPassword)).status).toBe(400)
  })

  test('of a registration does nothing once staff have given its address to an account', async () => {
    const registration = await createArtist(app, { verified: false, plan: null })
    const token = await resetToken(registration)
    const account = await createArtist(app)
    await app.client.db
      .update(users)
      .set({ email: registration.email, emailVerifiedAt: null })
      .where(eq(users.id, account.id))
    expect((await reset(token, newPassword)).status).toBe(400)
  })

  test('is refused with the reason for a deactivated artist', async () => {
    const artist = await createArtist(app)
    const token = await resetToken(artist)
    await app.client.db.update(users).set({ isActive: false }).where(eq(users.id, artist.id))
    expect(await reset(token, newPassword)).toMatchObject({ status: 403, body: { code: 'deactivated' } })
  })

  test('of two concurrent uses of one link, one succeeds', async () => {
    const artist = await createArtist(app)
    const token = await resetToken(artist)
    const both = await Promise.all([reset(token, 'the first password'), reset(token, 'the second password')])
    expect(both.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([200, 400])
  })
})
