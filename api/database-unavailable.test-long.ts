import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  maxRefusals,
  lostOrDuplicated,
  startLoad,
  startOutageFixture,
  type Load,
  type OutageFixture,
} from './testing/outage.ts'

let fixture: OutageFixture
let load: Load
beforeAll(async () => {
  fixture = await startOutageFixture()
  load = await startLoad(fixture)
  await load.untilAccepted()
}, 120_000)
afterAll(async () => {
  await load?.stop()
  await fixture?.stop()
}, 60_000)

/** How the database goes away and comes back. `refusals`: away until everybody has been refused so often. */
type Absence = { what: string; away: () => Promise<void>; refusals: number; back: () => Promise<void> }

const stopped = (way: 'fast' | 'immediate' | 'killed', refusals = 1): Absence => ({
  what: refusals === 1 ? `Postgres is stopped (${way})` : `Postgres is stopped for a minute (${way})`,
  away: async () => await fixture.postgres.stop(way),
  refusals,
  back: async () => await fixture.postgres.start(),
})
const frozen = (refusals = 1): Absence => ({
  what: refusals === 1 ? 'Postgres is frozen' : 'Postgres is frozen for longer than a worker is believed',
  away: async () => await fixture.postgres.freeze(),
  refusals,
  back: async () => await fixture.postgres.thaw(),
})
const backends: Absence = {
  what: 'the backends of all sessions are killed',
  away: async () => await Promise.resolve(),
  refusals: 0,
  back: async () => await fixture.postgres.killBackends(),
}
/** Whoever is refused at once comes again after 150 ms. */
const forAMinute = 400

const short = [stopped('fast'), stopped('immediate'), stopped('killed'), backends, frozen()]
const long = [stopped('fast', forAMinute), stopped('immediate'), stopped('killed'), backends, frozen(14)]
const rounds: Absence[] = [...short, ...long, ...short, ...short]

/** What each process of the product held after a round, in megabytes. */
const held: { web: number; worker: number }[] = []
const megabytes = (bytes: number) => Math.round(bytes / 1_000_000)
/** What is cached and compiled by then; a leak of 20 kB for each of the hundreds of requests between two rounds is more. */
const settledAfter = 5
const mostGrowth = 24

// Each after the other on one fixture: what one leaves behind, the next meets.
test.each(rounds.map((absence, at) => [at + 1, absence.what, absence] as const))(
  'round %i: while %s everybody is refused, and then everything is accepted, published and heard of again',
  { timeout: 600_000 },
  async (_round, _what, { away, refusals, back }) => {
    await away()
    if (refusals > 0) {
      // A page that is in memory may be shown for as long as nobody can have changed what it shows.
      await load.untilRefused({ times: refusals, pages: false })
      expect((await fetch(new URL('/healthz', fixture.url))).status).toBe(200)
      expect((await fetch(new URL('/readyz', fixture.url))).status).toBe(503)
    }
    await back()
    const refused = await load.untilAccepted()
    held.push({
      web: megabytes(await fixture.web.retainedBytes()),
      worker: megabytes(await fixture.worker.retainedBytes()),
    })
    for (const [door, times] of refused) expect(times, door).toBeLessThan(maxRefusals)
    expect(load.wrong).toEqual([])
  },
)

test('after all that what was accepted is there once', { timeout: 180_000 }, async () => {
  await load.stop()
  expect(await lostOrDuplicated(fixture, load)).toEqual([])
})

test('after all that no process holds more than after the first rounds', () => {
  expect(held).toHaveLength(rounds.length)
  for (const name of ['web', 'worker'] as const) {
    const then = held[settledAfter - 1]?.[name] ?? 0
    expect(held.at(-1)?.[name], `${name}: ${held.map((one) => one[name]).join(', ')} MB`).toBeLessThan(
      then + mostGrowth,
    )
  }
})
