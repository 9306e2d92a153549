import { authMessages } from '@flashsheet/contracts/auth/messages'
import { errorMessages } from '@flashsheet/contracts/errors/messages'
import { users } from '@flashsheet/db/schema/auth'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createArtist } from '../../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { lockWaits } from '../../../testing/lock-waits.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ role: 'web', env: { TRUSTED_PROXIES: '127.0.0.1,::1' } })
})
afterAll(async () => await app.stop())

describe('logging in', () => {
  test('rejects a wrong password and an unknown address alike', async () => {
    const artist = await createArtist(app)
    const wrong = await app.visitor().post('/api/users/auth', { email: artist.email, password: 'wrong password' })
    const unknown = await app
      .visitor()
      .post('/api/users/auth', { email: 'nobody@studio.example', password: 'wrong password' })
    expect(wrong.status).toBe(401)
    expect({ status: wrong.status, body: wrong.body }).toEqual({ status: unknown.status, body: unknown.body })
  })

  test('rejects a deactivated account, and reveals it only with the right password', async () => {
    const artist = await createArtist(app, { active: false })
    const attempt = async (password: string) =>
      await app.visitor().post('/api/users/auth', { email: artist.email, password })
    expect(await attempt('wrong password')).toMatchObject({
      status: 401,
      body: { message: authMessages.badCredentials },
    })
    expect(await attempt(artist.password)).toMatchObject({
      status: 403,
      body: { code: 'deactivated', message: errorMessages.deactivated },
    })
  })

  test('with a password or address that is changed during verification opens nothing', async () => {
    for (const change of [{ passwordHash: 'another one' }, { email: 'elsewhere@home.example' }]) {
      const artist = await createArtist(app)
      let logIn: Promise<{ status: number }> | undefined
      await app.client.db.transaction(async (tx) => {
        await tx.select({ id: users.id }).from(users).where(eq(users.id, artist.id)).for('update')
        logIn = app.visitor().post('/api/users/auth', { email: artist.email, password: artist.password })
        // The password is verified by then, and the log-in waits for the lock of this transaction.
        await expect.poll(async () => await lockWaits(app.client), { timeout: 20_000 }).toBe(1)
        await tx.update(users).set(change).where(eq(users.id, artist.id))
      })
      expect(await logIn).toMatchObject({ status: 401, body: { message: authMessages.badCredentials } })
    }
  })

  test('ends this browser’s previous session and keeps those of other devices', async () => {
    const artist = await createArtist(app)
    const before = new Map(artist.cookies)
    await artist.post('/api/users/auth', { email: artist.email, password: artist.password })
    const stale = app.visitor()
    for (const [name, value] of before) stale.cookies.set(name, value)
    expect(await stale.trpc.auth.me.query()).toBeNull()
    const phone = app.visitor()
    await phone.post('/api/users/auth', { email: artist.email, password: artist.password })
    expect(await artist.trpc.auth.me.query()).toMatchObject({ email: artist.email })
    expect(await phone.trpc.auth.me.query()).toMatchObject({ email: artist.email })
  })

  test('opens a session for tRPC and REST', async () => {
    const artist = await createArtist(app)
    const visitor = app.visitor()
    const answer = await visitor.post('/api/users/auth', {
      email: artist.email.toUpperCase(),
      password: artist.password,
    })
    expect(answer).toMatchObject({
      status: 200,
      body: { _id: artist.id, isEmailVerified: true, isAdmin: false, isActive: true },
    })
    expect(answer.headers.get('set-cookie')).toMatch(/HttpOnly/)
    expect(answer.headers.get('set-cookie')).toMatch(/SameSite=Lax/)
    expect(await visitor.trpc.auth.me.query()).toMatchObject({ email: artist.email })
    expect(await visitor.post('/api/users/logout')).toMatchObject({ status: 200 })
    expect(await visitor.trpc.auth.me.query()).toBeNull()
  })
})

describe('many concurrent passwords', () => {
  test('are verified up to a bounded queue; beyond it callers get Retry-After, and another caller gets its turn', async () => {
    const artist = await createArtist(app)
    const attempt = async (address: string, password: string) =>
      await app
        .visitor()
        .post<{ message: string; code: string }>(
          '/api/users/auth',
          { email: artist.email, password },
          { 'x-forwarded-for': address },
        )
    let pending = 100
    const attempts = Array.from({ length: pending }, async () => {
      const answer = await attempt('203.0.113.7', 'a wrong password')
      pending -= 1
      return answer
    })
    expect((await attempt('203.0.113.8', artist.password)).status).toBe(200)
    expect(pending).toBeGreaterThan(0)
    const answers = await Promise.all(attempts)
    const refused = answers.filter(({ status }) => status === 503)
    expect(refused.length).toBeGreaterThan(0)
    expect(refused[0]).toMatchObject({ body: { code: 'unavailable', message: errorMessages.unavailable } })
    expect(refused[0]?.headers.get('retry-after')).toBe('2')
    expect(answers.filter(({ status }) => status !== 503 && status !== 401)).toEqual([])
  })

  test('of one caller are at most twenty', async () => {
    const names = (count: number) => Array.from({ length: count }, () => 'auth.login').join(',')
    const inputs = Object.fromEntries(
      Array.from({ length: 21 }, (_, n) => [n, { email: 'nobody@studio.example', password: 'wrong password' }]),
    )
    expect(await app.visitor().post(`/trpc/${names(21)}?batch=1`, inputs)).toMatchObject({
      status: 400,
      body: { error: { message: errorMessages.batchTooLong } },
    })
    const { status, body } = await app.visitor().post<unknown[]>(`/trpc/${names(20)}?batch=1`, inputs)
    expect([status, body.length]).toEqual([401, 20])
  })
})

describe('the studio zone', () => {
  test('is refused to a visitor, and initially the one of the registration', async () => {
    await expect(app.visitor().trpc.auth.studioZone.query()).rejects.toMatchObject({ data: { httpStatus: 401 } })
    const artist = await createArtist(app)
    expect(await artist.trpc.auth.studioZone.query()).toEqual({ timeZone: expect.stringMatching(/./) })
  })
})
