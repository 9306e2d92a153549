import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openEvents } from './testing/events.ts'
import { lostOrDouble, startLoad, startOutageStage, type Load, type OutageStage } from './testing/outage.ts'

let stage: OutageStage
let load: Load
beforeAll(async () => {
  stage = await startOutageStage()
  load = await startLoad(stage)
  await load.accepting()
}, 120_000)
afterAll(async () => {
  await load?.stop()
  await stage?.stop()
}, 60_000)

// Each after the other on one stage: what one leaves behind, the next meets.
test.each(['fast', 'killed'] as const)('while Postgres is away (%s) everybody is refused, and once it is back everything is accepted again', { timeout: 120_000 }, async (way) => {
  await stage.postgres.stop(way)
  await load.refusing()
  expect((await fetch(new URL('/healthz', stage.url))).status).toBe(200)
  expect((await fetch(new URL('/readyz', stage.url))).status).toBe(503)
  await stage.postgres.start()
  await load.accepting()
})

test('when the backends of sessions are killed, everything is accepted again', { timeout: 120_000 }, async () => {
  await stage.postgres.killBackends()
  await load.accepting()
  expect(load.wrong).toEqual([])
})

test('while Postgres is frozen everybody is refused, and once it goes on everything is accepted again', { timeout: 120_000 }, async () => {
  await stage.postgres.freeze()
  // A page that is in memory is still right: nobody can have changed what it shows.
  await load.refusing({ pages: false })
  await stage.postgres.thaw()
  await load.accepting()
  expect(load.wrong).toEqual([])
})

test('after all that no process has ended, nobody got a wrong answer, and what was accepted is there once', { timeout: 180_000 }, async () => {
  await load.stop()
  for (const { child } of [stage.web, stage.worker]) expect([child.exitCode, child.signalCode]).toEqual([null, null])
  expect(load.wrong).toEqual([])
  expect(await lostOrDouble(stage, load)).toEqual([])
})

test('after all that live updates arrive again', { timeout: 60_000 }, async () => {
  const stream = await openEvents<{ appointments: string }>(stage.artist, 'appointments.watch')
  await stream.next()
  const date = new Date(Date.now() + 50 * 86_400_000).toISOString().slice(0, 10)
  const requestId = randomUUID()
  const booked = await stage.artist.post('/api/appointments', { domainName: stage.domainName, bookingType: '1 Hour Booking', timeSlot: '9:00am-10:00am', date, contact: { email: 'late@home.example' }, requestId })
  const told = await stream.next()
  stream.close()
  expect([booked.status, told]).toEqual([201, { appointments: 'changed' }])
})
