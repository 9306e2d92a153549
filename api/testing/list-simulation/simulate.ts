import {
  cohortFigures,
  mediaTallies,
  movementTallies,
  orderTallies,
  subscriptionTallies,
  userTallies,
} from '@flashsheet/db/schema/admin'
import { sessions, users } from '@flashsheet/db/schema/auth'
import { mrrMovements, subscriptionOrders, subscriptions } from '@flashsheet/db/schema/subscription'
import { createArtist, type Artist } from '../actors.ts'
import { startTestApp, type TestApp } from '../app.ts'
import { connectAssistant } from '../assistant.ts'
import { createProgram } from '../keys.ts'
import { seeded } from '../random.ts'
import { type Actor, compareSizes, pagedLists, tryBadPages, walkList } from './artist-lists.ts'
import { changeBilling, type Draws, draws, insertArtistRows, insertBilling, insertCrowd } from './rows.ts'
import { compareArtist, compareFigures, compareHealth } from './figures.ts'
import { compareOwnLists } from './own-lists.ts'
import { compareAudit, compareOrders, compareStaffList, compareUsers } from './staff-lists.ts'

class Violation extends Error {}

/** One run: the product, and what was done so far. */
export type Run = {
  app: TestApp
  d: Draws
  trace: string[]
  /** Cursors that lists have given, and to whom. */
  cursors: { cursor: string; path: string; owner: string }[]
  check: (isTrue: boolean, ...texts: unknown[]) => void
}

/**
 * Fills all lists with random rows, reads them as two artists and as staff, and compares them with simple models. Returns the
 * first difference of each seed that has one, with the last steps before it.
 */
export async function simulateLists(firstSeed: number, count: number): Promise<string[]> {
  const app = await startTestApp({ role: 'web' })
  const violations: string[] = []
  try {
    for (let seed = firstSeed; seed < firstSeed + count; seed++) {
      const trace: string[] = []
      try {
        await play(app, seed, trace)
      } catch (error) {
        if (!(error instanceof Violation)) throw new Error(`seed ${seed}: ${trace.at(-1)}`, { cause: error })
        violations.push(`seed ${seed}: ${error.message}\n  ${trace.slice(-5).join('\n  ')}`)
      }
    }
  } finally {
    await app.stop()
  }
  return violations
}

/** Hours away from a UTC midnight, which must not pass during a run. */
const moments = [
  '2026-11-27T10:00:00Z',
  '2026-03-01T00:00:05Z',
  '2026-10-25T01:30:00Z',
  '2026-03-08T06:59:59Z',
  '2028-02-29T22:00:00Z',
  '2026-12-31T22:30:00Z',
]

/** Emptied, since the clock of the next seed may be earlier. */
const tallies = [orderTallies, subscriptionTallies, movementTallies, userTallies, mediaTallies, cohortFigures]

async function play(app: TestApp, seed: number, trace: string[]): Promise<void> {
  const random = seeded(seed)
  const moment = random.pick(moments)
  app.clock.set(moment)
  const now = Date.parse(moment)
  const d = draws(random, now)
  const { db } = app.client
  for (const table of [users, subscriptions, subscriptionOrders, mrrMovements, ...tallies]) await db.delete(table)
  const run: Run = {
    app,
    d,
    trace,
    cursors: [],
    check: (isTrue, ...texts) => {
      if (!isTrue)
        throw new Violation(
          texts
            .map((one) => (typeof one === 'string' ? one : JSON.stringify(one)))
            .join('\n')
            .slice(0, 3000),
        )
    },
  }
  const isCrowded = random.oneIn(10)
  const crowd = await insertCrowd(db, d, isCrowded ? 620 : d.few(25))
  await insertBilling(db, d, crowd, now, isCrowded ? 700 : d.few(30))
  const staff = await createArtist(app, { name: 'Ada Staff', admin: true, plan: null })
  await compareFigures(run, staff)
  await changeBilling(db, d, crowd)
  const actors: Actor[] = []
  for (let n = 0; n < 2; n++) {
    const artist: Artist = await createArtist(app, { name: 'Ada Ink' })
    // The machine's clock ends sessions, not the product's.
    await db.update(sessions).set({ expiresAt: new Date('2030-01-01') })
    await insertArtistRows(db, d, artist.id, now)
    const program = await createProgram(app, artist, ['posts:read', 'media:read', 'bookings:read'])
    actors.push({ artist, program, assistant: await connectAssistant(app, program.key) })
  }
  await compareFigures(run, staff)
  await compareHealth(run, staff)
  const [first, second] = actors as [Actor, Actor]
  await compareArtist(run, staff, d.pick([first.artist.id, ...crowd.slice(3)]))
  await compareOwnLists(run, first, second)
  for (let n = 0; n < 12; n++)
    await d.pick([compareUsers, compareOrders, compareStaffList, compareStaffList, compareAudit])(run, staff)
  for (let n = 0; n < 12; n++) await walkList(run, d.pick(pagedLists), d.pick(actors))
  await compareSizes(run, d.pick(pagedLists), d.pick(actors))
  await tryBadPages(run, d.pick(pagedLists), d.pick(actors))
  for (const { assistant } of actors) await assistant.client.close()
}
