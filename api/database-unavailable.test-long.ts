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

/** How the database fails and recovers. It is unavailable until every caller has been refused `refusals` times. */
type Outage = { what: string; begin: () => Promise<void>; refusals: number; end: () => Promise<void> }

const stopped = (way: 'fast' | 'immediate' | 'killed', refusals = 1): Outage => ({
  what: refusals === 1 ? `Postgres is stopped (${way})` : `Postgres is stopped for a minute (${way})`,
  begin: async () => await fixture.postgres.stop(way),
  refusals,
  end: async () => await fixture.postgres.start(),
})
const frozen = (refusals = 1): Outage => ({
  what: refusals === 1 ? 'Postgres is frozen' : 'Postgres is frozen for longer than a worker counts as alive',
  begin: async () => await fixture.postgres.freeze(),
  refusals,
  end: async () => await fixture.postgres.thaw(),
})
const backends: Outage = {
  what: 'the backends of all sessions are killed',
  begin: async () => await Promise.resolve(),
  refusals: 0,
  end: async () => await fixture.postgres.killBackends(),
}
/** A caller that is refused at once repeats its request after 150 ms, so this takes about a minute. */
const forAMinute = 400

const short = [stopped('fast'), stopped('immediate'), stopped('killed'), backends, frozen()]
const long = [stopped('fast', forAMinute), stopped('immediate'), stopped('killed'), backends, frozen(14)]
const rounds: Outage[] = [...short, ...long, ...short, ...short]

/** The memory of each process after a round, in megabytes. */
const memory: { web: number; worker: number }[] = []
const megabytes = (bytes: number) => Math.round(bytes / 1_000_000)
/** After these rounds caches are full and code is compiled. A leak of 20 kB per request would grow by more than `maxGrowth`. */
const settledAfter = 5
/** In megabytes. */
const maxGrowth = 24

// The rounds run one after the other on the same processes.
test.each(rounds.map((outage, at) => [at + 1, outage.what, outage] as const))(
  'round %i: while %s every call is refused, and afterwards everything is accepted, published and notified',
  { timeout: 600_000 },
  async (_round, _what, { begin, refusals, end }) => {
    await begin()
    if (refusals > 0) {
      // A cached page may still be served, since its content cannot change during the outage.
      await load.untilRefused({ times: refusals, pages: false })
      expect((await fetch(new URL('/healthz', fixture.url))).status).toBe(200)
      expect((await fetch(new URL('/readyz', fixture.url))).status).toBe(503)
    }
    await end()
    const refused = await load.untilAccepted()
    memory.push({
      web: megabytes(await fixture.web.retainedBytes()),
      worker: megabytes(await fixture.worker.retainedBytes()),
    })
    for (const [operation, times] of refused) expect(times, operation).toBeLessThan(maxRefusals)
    expect(load.wrong).toEqual([])
  },
)

test('after all rounds everything that was accepted exists exactly once', { timeout: 180_000 }, async () => {
  await load.stop()
  expect(await lostOrDuplicated(fixture, load)).toEqual([])
})

test('after all rounds no process uses more memory than after the first rounds', () => {
  expect(memory).toHaveLength(rounds.length)
  for (const name of ['web', 'worker'] as const) {
    const settled = memory[settledAfter - 1]?.[name] ?? 0
    expect(memory.at(-1)?.[name], `${name}: ${memory.map((one) => one[name]).join(', ')} MB`).toBeLessThan(
      settled + maxGrowth,
    )
  }
})
