import { users } from '@flashsheet/db/schema/auth'
import { rateLimits } from '@flashsheet/db/schema/outbox'
import { hash } from '@node-rs/argon2'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createArtist } from '../testing/actors.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { bookAt, openStudio } from '../testing/booking.ts'
import { eventually } from '../testing/sandbox.ts'
import { consumeRateLimit, consumeRateLimits, tryConsumeRateLimit } from './limits.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ role: 'web', startAt: '2026-11-21T12:00:00Z', env: { RATE_LIMITS: 'on' } })
})
afterAll(async () => await app.stop())

test('ten failed log-ins block an address for a while, even with the right password, and no other address', async () => {
  const artist = await createArtist(app)
  const other = await createArtist(app)
  const attempt = async (password: string) =>
    await app.visitor().post('/api/users/auth', { email: artist.email, password })
  for (let i = 0; i < 10; i++) expect((await attempt('wrong password')).status).toBe(401)
  const closed = await attempt(artist.password)
  expect(closed.status).toBe(429)
  expect(Number(closed.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await app.visitor().post('/api/users/auth', { email: other.email, password: other.password })).status).toBe(
    200,
  )
  app.clock.advance(15 * 60_000 + 1000)
  expect((await attempt(artist.password)).status).toBe(200)
})

test('verification mails to one address stop after ten an hour', async () => {
  const resend = async () =>
    await app.visitor().post('/api/users/resend-verification', { email: 'someone@studio.example' })
  for (let i = 0; i < 10; i++) expect((await resend()).status).toBe(200)
  expect((await resend()).status).toBe(429)
})

test('bookings mail one address at most ten times an hour, over all sites', async () => {
  const sites = await Promise.all(Array.from({ length: 6 }, async () => await openStudio(app)))
  const statuses: number[] = []
  // Two requests of one contact may wait at each artist.
  for (const site of sites) {
    for (const timeSlot of ['9:00am-10:00am', '11:00am-12:00pm']) {
      const email = statuses.length % 2 === 0 ? 'victim@home.example' : 'Victim@Home.example'
      statuses.push((await bookAt(app, site, { timeSlot, contact: { email } })).status)
    }
  }
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 201), 429, 429])
})

test('an event under several limits is counted by none while one is reached, until the last of the reached ones resets', async () => {
  const system = { config: app.running.config, now: app.clock.now, db: app.client.db }
  const start = app.clock.now().getTime()
  /** Null if it was counted; otherwise the minutes from `start` to the reset. */
  const consume = async (address: string) => {
    const resetsAt = await consumeRateLimits(system, [
      ['contactsPerAddress', address],
      ['contactsPerIp', '192.0.2.9'],
    ])
    return resetsAt ? Math.round((resetsAt.getTime() - start) / 60_000) : null
  }
  for (let n = 0; n < 3; n++) expect(await consume('one@home.example')).toBeNull()
  for (let n = 0; n < 3; n++) expect(await consume('one@home.example')).toBe(60)
  app.clock.advance(10 * 60_000)
  for (let n = 0; n < 2; n++) expect(await consume('two@home.example')).toBeNull()
  expect(await consume('two@home.example')).toBe(60)
  await consumeRateLimit(system, 'contactsPerAddress', 'two@home.example')
  expect(await consume('two@home.example')).toBe(70)
})

test('an event is within its limit as often as the limit says, until it resets', async () => {
  const system = { config: app.running.config, now: app.clock.now, db: app.client.db }
  const isWithin = async () => await tryConsumeRateLimit(system, 'contactsPerAddress', 'three@home.example')
  expect([await isWithin(), await isWithin(), await isWithin(), await isWithin()]).toEqual([true, true, true, false])
  app.clock.advance(60 * 60_000)
  expect(await isWithin()).toBe(true)
})

test('rejects a right password whose check was under way when the limit was reached', async () => {
  const artist = await createArtist(app)
  // Takes far longer to check than the other attempts to be counted.
  const slow = await hash(artist.password, { memoryCost: 65_536, timeCost: 16, parallelism: 1 })
  await app.client.db.update(users).set({ passwordHash: slow }).where(eq(users.id, artist.id))
  const { db, sql } = app.client
  const [right, others] = await sql.begin(async (tx) => {
    await tx`lock table rate_limits in access exclusive mode`
    const right = app.visitor().post('/api/users/auth', { email: artist.email, password: artist.password })
    await eventually('the attempt to read its limit', async () => {
      const waiting = await sql`
        select from pg_locks join pg_database on pg_database.oid = pg_locks.database
        where not granted and relation = 'rate_limits'::regclass and datname = current_database()`
      return waiting.length > 0
    })
    // Both wait for the lock.
    const others = db
      .insert(rateLimits)
      .values({ key: `failedLoginsPerAddress:${artist.email}`, windowStartedAt: app.clock.now(), count: 10 })
      .execute()
    return [{ answer: right }, { counted: others }] as const
  })
  await others.counted
  expect((await right.answer).status).toBe(429)
})
