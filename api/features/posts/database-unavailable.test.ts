import type { SocialAccount } from '@flashsheet/contracts/social/schema'
import type { DbClient } from '@flashsheet/db/client'
import { postTargets } from '@flashsheet/db/schema/posts'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { System } from '../../core/context.ts'
import { createArtist, type Artist } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { connect } from '../../testing/connect.ts'
import { connectFailing, lostConnection, type Failure } from '../../testing/failing-database.ts'
import { eventually } from '../../testing/sandbox.ts'
import { shownAt, uploadPictures, variantsOf } from '../../testing/posting.ts'
import { openSystem } from '../../testing/system.ts'
import { publishTarget } from './service/publish.ts'

let app: TestApp
let artist: Artist
let account: SocialAccount
let mediaIds: string[]
let other: { system: System; close: () => Promise<void> }
beforeAll(async () => {
  app = await startTestApp()
  artist = await createArtist(app)
  // Its list proves nothing: what may have been sent is looked for, for half an hour.
  account = await connect(app, artist, 'linkedin')
  mediaIds = await uploadPictures(artist)
  other = await openSystem(app)
})
afterAll(async () => {
  await other?.close()
  await app?.stop()
})

/** After the time of what is planned below, which the app's own worker does not touch before it. */
let laterMs: number
let failureOf: (statement: string) => Failure | undefined
let client: DbClient
let system: System
let lost: AbortController
beforeEach(() => {
  laterMs = 7_200_000
  wasAway = false
  failureOf = () => undefined
  lost = new AbortController()
  client = connectFailing(app.running.databaseUrl, (statement) => failureOf(statement))
  system = {
    ...other.system,
    client,
    db: client.db,
    now: () => new Date(app.clock.now().getTime() + laterMs),
    liveness: {
      identity: () => ({ id: 0, lost: lost.signal, check: () => {} }),
      stop: async () => await Promise.resolve(),
    },
  }
})
afterEach(async () => await client.close())

let plans = 0
/** A post that is due, and the id of its one target. */
async function plan(): Promise<{ id: string; words: string }> {
  const words = `Away ${(plans += 1)}`
  const scheduledAt = new Date(app.clock.now().getTime() + 3_600_000).toISOString()
  await artist.trpc.posts.schedule.mutate({ mediaIds, variants: variantsOf(account, { message: words }), scheduledAt })
  const [target] = await app.client.db
    .select({ id: postTargets.id })
    .from(postTargets)
    .where(eq(postTargets.message, words))
  return { id: target?.id ?? '', words }
}
const rowOf = async (id: string) => (await app.client.db.select().from(postTargets).where(eq(postTargets.id, id)))[0]
const publish = async (id: string) => await publishTarget(system, id, new AbortController().signal)
const shown = async (words: string) => (await shownAt(app, 'linkedin', account.pages[0]?.pageId ?? '', words)).length

let wasAway = false
/** The next `times` statements after this one do not reach the server. */
function failNext(times: number): void {
  wasAway = true
  let left = times
  failureOf = () => (left-- > 0 ? 'before' : undefined)
}
/** Runs the target, whose picture its network works on for a while, until the database has been away. */
async function publishUntilAway(id: string): Promise<void> {
  await eventually('the database to be away', async () => {
    await publish(id)
    laterMs += 10_000
    return wasAway
  })
}
/** The statement that begins the irreversible call. */
const beginsCall = (statement: string) =>
  statement.includes('set "phase" =') && statement.includes('"first_publish_at" =')
/** The question right before it leaves. */
const asksToLeave = (statement: string) => statement.includes('make_interval') && statement.startsWith('select')

const failures: [string, () => void][] = [
  [
    'in the answer to the write that begins it',
    () => {
      failureOf = (statement) => {
        if (!beginsCall(statement)) return undefined
        failNext(1)
        return 'after'
      }
    },
  ],
  [
    'in the write that begins it',
    () => {
      failureOf = (statement) => {
        if (!beginsCall(statement)) return undefined
        failNext(1)
        return 'before'
      }
    },
  ],
  [
    'while how far publishing has come is counted',
    () => {
      system = {
        ...system,
        progress: {
          ...system.progress,
          advance: async () => await Promise.reject(lostConnection()).finally(() => failNext(1)),
        },
      }
    },
  ],
  [
    'while how far publishing has come is counted, for so long that the worker may be taken for gone',
    () => {
      const advance = async () => {
        lost.abort(new Error('this worker may be taken for gone'))
        failNext(1)
        return await Promise.reject(lostConnection())
      }
      system = { ...system, progress: { ...system.progress, advance } }
    },
  ],
  [
    'right before it leaves, a while after it was written',
    () => {
      const { monotonic, progress } = system
      let later = 0
      const advance = async () => {
        later = 2000
        await progress.advance()
      }
      system = {
        ...system,
        monotonic: { ...monotonic, now: () => monotonic.now() + later },
        progress: { ...progress, advance },
      }
      failureOf = (statement) => {
        if (!asksToLeave(statement)) return undefined
        failNext(1)
        return 'before'
      }
    },
  ],
]
test.each(failures)(
  'a call that was held back by a database that goes away %s is made once it is back, and is not looked for',
  async (_when, fail) => {
    const { id, words } = await plan()
    fail()
    await publishUntilAway(id)
    expect(await shown(words)).toBe(0)
    expect(await rowOf(id)).toMatchObject({
      phase: 'preparing',
      unanswered: 0,
      tries: 0,
      leaseToken: null,
      errorMessage: null,
    })
    failureOf = () => undefined
    lost = new AbortController()
    system = { ...system, progress: other.system.progress }
    laterMs += 60_000
    await publish(id)
    expect([(await rowOf(id))?.phase, await shown(words)]).toEqual(['posted', 1])
  },
)

test('an answer that came while the database was away is kept, also by a worker that may be taken for gone', async () => {
  const { id, words } = await plan()
  failureOf = (statement) => {
    if (!statement.includes('"remote_id" =')) return undefined
    lost.abort(new Error('this worker may be taken for gone'))
    failNext(1)
    return 'before'
  }
  await publishUntilAway(id)
  const row = await rowOf(id)
  expect([row?.phase, row?.unanswered, await shown(words)]).toEqual(['confirming', 0, 1])
  expect(row?.remoteId).toMatch(/^urn:li:/)
})
