import type { SocialAccount } from '@flashsheet/contracts/social/schema'
import type { DbClient } from '@flashsheet/db/client'
import { postTargets } from '@flashsheet/db/schema/posts'
import { eq } from 'drizzle-orm'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { System } from '../../core/context.ts'
import { createArtist, type Artist } from '../../testing/actors.ts'
import { connect } from '../../testing/connect.ts'
import { connectFailing, lostConnection, type Failure } from '../../testing/failing-database.ts'
import { eventually } from '../../testing/sandbox.ts'
import { fault, heldMs, shownAt, timesHit, uploadPictures, variantsOf } from '../../testing/posting.ts'
import { publishingFixture } from '../../testing/publishing.ts'
import { publishTarget } from './service/publish.ts'

const fixture = publishingFixture()
let artist: Artist
let account: SocialAccount
let mediaIds: string[]
beforeAll(async () => {
  artist = await createArtist(fixture.app)
  // LinkedIn's list proves nothing: a post that may have been sent is confirmed for half an hour.
  account = await connect(fixture.app, artist, 'linkedin')
  mediaIds = await uploadPictures(artist)
})

/** How far the clock of `system` is ahead, so that planned posts are due for it but not for the app's own worker. */
let laterMs: number
let failureOf: (statement: string) => Failure | undefined
let client: DbClient
let system: System
let presumedDead: AbortController
beforeEach(() => {
  laterMs = 7_200_000
  hasFailed = false
  failureOf = () => undefined
  presumedDead = new AbortController()
  client = connectFailing(fixture.app.running.databaseUrl, (statement) => failureOf(statement))
  system = {
    ...fixture.system,
    client,
    db: client.db,
    now: () => new Date(fixture.app.clock.now().getTime() + laterMs),
    liveness: {
      identity: () => ({ id: 0, lost: presumedDead.signal, check: () => {} }),
      stop: async () => await Promise.resolve(),
    },
  }
})
afterEach(async () => await client.close())

let plans = 0
/** A post that is due in `system`, with the id of its only target. */
async function plan(): Promise<{ id: string; message: string }> {
  const message = `Away ${(plans += 1)}`
  const scheduledAt = new Date(fixture.app.clock.now().getTime() + 3_600_000).toISOString()
  await artist.trpc.posts.schedule.mutate({ mediaIds, variants: variantsOf(account, { message }), scheduledAt })
  const [target] = await fixture.app.client.db
    .select({ id: postTargets.id })
    .from(postTargets)
    .where(eq(postTargets.message, message))
  return { id: target?.id ?? '', message }
}
const rowOf = async (id: string) =>
  (await fixture.app.client.db.select().from(postTargets).where(eq(postTargets.id, id)))[0]
const publish = async (id: string) => await publishTarget(system, id, new AbortController().signal)
const countShown = async (message: string) =>
  (await shownAt(fixture.app, 'linkedin', account.pages[0]?.pageId ?? '', message)).length

let hasFailed = false
/** The next `times` statements do not reach the server. */
function failNext(times: number): void {
  hasFailed = true
  let left = times
  failureOf = () => (left-- > 0 ? 'before' : undefined)
}
/** Runs the target repeatedly, because the network processes its picture for a while, until the database has failed. */
async function publishUntilFailure(id: string): Promise<void> {
  await eventually('the database to be away', async () => {
    await publish(id)
    laterMs += 10_000
    return hasFailed
  })
}
/** The write before the irreversible call. */
const beginsCall = (statement: string) =>
  statement.includes('set "phase" =') && statement.includes('"first_publish_at" =')
/** The lease check right before the irreversible call. */
const checksLease = (statement: string) => statement.includes('make_interval') && statement.startsWith('select')

const failures: [string, () => void][] = [
  [
    'in the answer to the write before it',
    () => {
      failureOf = (statement) => {
        if (!beginsCall(statement)) return undefined
        failNext(1)
        return 'after'
      }
    },
  ],
  [
    'in the write before it',
    () => {
      failureOf = (statement) => {
        if (!beginsCall(statement)) return undefined
        failNext(1)
        return 'before'
      }
    },
  ],
  [
    'while publishing progress is counted',
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
    'while publishing progress is counted, for so long that the worker may be presumed dead',
    () => {
      const advance = async () => {
        presumedDead.abort(new Error('this worker may be presumed dead'))
        failNext(1)
        return await Promise.reject(lostConnection())
      }
      system = { ...system, progress: { ...system.progress, advance } }
    },
  ],
  [
    'right before it is sent, some time after the write',
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
        if (!checksLease(statement)) return undefined
        failNext(1)
        return 'before'
      }
    },
  ],
]
test.each(failures)(
  'a call not sent because the database failed %s is made once it is back, without confirming',
  async (_when, fail) => {
    const { id, message } = await plan()
    fail()
    await publishUntilFailure(id)
    expect(await countShown(message)).toBe(0)
    expect(await rowOf(id)).toMatchObject({
      phase: 'preparing',
      unanswered: 0,
      tries: 0,
      leaseToken: null,
      errorMessage: null,
    })
    failureOf = () => undefined
    presumedDead = new AbortController()
    system = { ...system, progress: fixture.system.progress }
    laterMs += 60_000
    await publish(id)
    expect([(await rowOf(id))?.phase, await countShown(message)]).toEqual(['posted', 1])
  },
)

test('an answer that came while the database was unavailable is stored, even by a worker that may be presumed dead', async () => {
  const { id, message } = await plan()
  failureOf = (statement) => {
    if (!statement.includes('"remote_id" =')) return undefined
    presumedDead.abort(new Error('this worker may be presumed dead'))
    failNext(1)
    return 'before'
  }
  await publishUntilFailure(id)
  const row = await rowOf(id)
  expect([row?.phase, row?.unanswered, await countShown(message)]).toEqual(['confirming', 0, 1])
  expect(row?.remoteId).toMatch(/^urn:li:/)
})

test('a call whose answer is lost by a worker that may be presumed dead is left to the next one to confirm', async () => {
  const { id } = await plan()
  const held = await fault(fixture.app, 'linkedin', 'slow', '/posts', { method: 'POST', delayMs: heldMs })
  const isSent = async () => (await timesHit(fixture.app, held)) === 1
  const sent = eventually('the call to be under way', isSent).then(() => presumedDead.abort(new Error('presumed dead')))
  await eventually('a run to send the call', async () => {
    await publish(id)
    laterMs += 10_000
    return await isSent()
  })
  await sent
  expect(await rowOf(id)).toMatchObject({ phase: 'publishing', unanswered: 1, lastPublishEndedAt: null })
})
