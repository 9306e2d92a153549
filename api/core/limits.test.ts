import { afterAll, beforeAll, expect, test } from 'vitest'
import { createArtist } from '../testing/actors.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ role: 'web', env: { RATE_LIMITS: 'on' } })
})
afterAll(async () => await app.stop())

test('ten failed log-ins close an address for a while, the right password too, and no other address', async () => {
  const artist = await createArtist(app)
  const other = await createArtist(app)
  const attempt = async (password: string) => await app.visitor().post('/api/users/auth', { email: artist.email, password })
  for (let i = 0; i < 10; i++) expect((await attempt('wrong password')).status).toBe(401)
  const closed = await attempt(artist.password)
  expect(closed.status).toBe(429)
  expect(Number(closed.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await app.visitor().post('/api/users/auth', { email: other.email, password: other.password })).status).toBe(200)
  app.clock.advance(15 * 60_000 + 1000)
  expect((await attempt(artist.password)).status).toBe(200)
})

test('verification mails to one address stop after ten an hour', async () => {
  const resend = async () => await app.visitor().post('/api/users/resend-verification', { email: 'someone@studio.example' })
  for (let i = 0; i < 10; i++) expect((await resend()).status).toBe(200)
  expect((await resend()).status).toBe(429)
})
