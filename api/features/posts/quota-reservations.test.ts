import { posts, postTargets } from '@flashsheet/db/schema/posts'
import { quotaBuckets, quotaUses } from '@flashsheet/db/schema/quotas'
import { eq } from 'drizzle-orm'
import { afterEach, describe, expect, test } from 'vitest'
import { newId } from '../../core/ids.ts'
import { everyoneScope } from '../../core/scope.ts'
import type { PublishJob, PublishSteps } from '../../gateways/networks/adapter.ts'
import { createArtist } from '../../testing/actors.ts'
import { insertTargets, publishingFixture } from '../../testing/publishing.ts'
import type { ClaimedTarget } from './queries/leases.ts'
import { listPlanned } from './queries/quotas.ts'
import { quotaSentence } from './rules/quota.ts'
import {
  deleteOldAllowanceUses,
  laterNotice,
  markAllowanceExhausted,
  releaseWaiting,
  renewAllowance,
  reserveAllowance,
} from './service/quota.ts'

const noon = '2026-11-21T20:00:00.000Z'
/** YouTube's next day, with the margin. */
const nextMidnight = new Date('2026-11-22T08:01:00.000Z')
const hour = 3_600_000
const later = (hours: number) => new Date(Date.parse(noon) + hours * hour)

const fixture = publishingFixture({ role: 'web', startAt: noon })
afterEach(async () => {
  for (const table of [posts, quotaUses, quotaBuckets]) await fixture.app.client.db.delete(table)
})

/** A target of a new artist that uses this allowance. */
async function targetOf(quotaBucket: string, columns: Partial<ClaimedTarget> = {}): Promise<ClaimedTarget> {
  const { db } = fixture.app.client
  const { id } = await createArtist(fixture.app)
  const scheduledAt = fixture.app.clock.now()
  const [inserted] = await insertTargets({ db }, id, scheduledAt, { quotaBucket, ...columns })
  const [row] = await db
    .select()
    .from(postTargets)
    .where(eq(postTargets.id, inserted?.targetId ?? ''))
  if (!row) throw new Error('the target was inserted')
  return { ...row, scheduledAt }
}

/** Inserts uses that the network counts from now on. */
async function count(bucketId: string, uses: number): Promise<void> {
  const drawnAt = fixture.app.clock.now()
  await fixture.app.client.db.insert(quotaBuckets).values({ id: bucketId }).onConflictDoNothing()
  await fixture.app.client.db
    .insert(quotaUses)
    .values(
      Array.from({ length: uses }, () => ({ id: newId(), bucketId, state: 'done' as const, since: drawnAt, drawnAt })),
    )
}

const reserve = async (target: ClaimedTarget) =>
  await reserveAllowance(fixture.system, target, {} as PublishSteps, {} as PublishJob)

const usesOf = async (target: ClaimedTarget) =>
  await fixture.app.client.db
    .select({ bucketId: quotaUses.bucketId, state: quotaUses.state, drawnAt: quotaUses.drawnAt })
    .from(quotaUses)
    .where(eq(quotaUses.targetId, target.id))

const deletePost = async (target: ClaimedTarget) =>
  await fixture.app.client.db.delete(posts).where(eq(posts.id, target.postId))

describe('the last use of an allowance', () => {
  test('stays used when the upload of a deleted post was counted, also after the daily clean-up', async () => {
    await count('youtube', 99)
    const first = await targetOf('youtube')
    expect(await reserve(first)).toBeUndefined()
    await deletePost(first)
    await deleteOldAllowanceUses(fixture.system)
    expect(await reserve(await targetOf('youtube'))).toMatchObject({ freesAt: nextMidnight })
  })

  test('is free again when a post is deleted that had reserved it and was not sent', async () => {
    await count('tiktok page', 14)
    const [first, second] = [await targetOf('tiktok page'), await targetOf('tiktok page')]
    expect(await reserve(first)).toBeUndefined()
    expect(await reserve(second)).toBeDefined()
    await deletePost(first)
    expect(await reserve(second)).toBeUndefined()
  })

  test('is not needed by a target that was partly sent', async () => {
    await count('youtube', 100)
    expect(await reserve(await targetOf('youtube', { checkpoint: { session: 'x' } }))).toBeUndefined()
  })

  test('that was reserved yesterday does not count for today', async () => {
    const target = await targetOf('youtube')
    expect(await reserve(target)).toBeUndefined()
    fixture.app.clock.set(nextMidnight.toISOString())
    await count('youtube', 100)
    expect(await reserve(target)).toMatchObject({ freesAt: new Date(nextMidnight.getTime() + 24 * hour) })
  })

  test('is reserved again by an upload that starts again, and not by a new container', async () => {
    const [upload, container] = [await targetOf('youtube'), await targetOf('instagram page')]
    for (const target of [upload, container]) {
      expect(await reserve(target)).toBeUndefined()
      await renewAllowance(fixture.app.client.db, target)
      expect(await reserve(target)).toBeUndefined()
    }
    expect((await usesOf(upload)).map(({ state }) => state).toSorted()).toEqual(['done', 'taken'])
    expect((await usesOf(container)).map(({ state }) => state)).toEqual(['taken'])
  })

  test('is not free sooner because of a report that is a day old', async () => {
    await fixture.app.client.db.insert(quotaBuckets).values({
      id: 'instagram page',
      reportedLimit: 0,
      reportedUsed: 0,
      reportedAt: new Date(Date.parse(noon) - 25 * hour),
    })
    expect(await reserve(await targetOf('instagram page'))).toBeUndefined()
  })
})

describe("an artist's share", () => {
  test('is not used up by other artists who wait for the whole allowance', async () => {
    await count('youtube', 100)
    for (let artists = 0; artists < 21; artists += 1) await reserve(await targetOf('youtube'))
    const target = await targetOf('youtube')
    expect(await reserve(target)).toEqual({ freesAt: nextMidnight, message: quotaSentence('youtube', 100) })
    expect(await usesOf(target)).toEqual([{ bucketId: 'youtube', state: 'waiting', drawnAt: null }])
  })
})

describe('when the network reports that nothing is left', () => {
  const exhaust = async (target: ClaimedTarget, hours: number, code = 'quotaExceeded') =>
    await markAllowanceExhausted(fixture.system, target, code, later(hours))

  test('a refusal that means one channel closes the allowance for no other', async () => {
    await exhaust(await targetOf('youtube'), 3, 'uploadLimitExceeded')
    expect(await reserve(await targetOf('youtube'))).toBeUndefined()
  })

  test('the latest end that it named counts', async () => {
    const target = await targetOf('youtube')
    await exhaust(target, 15)
    await exhaust(target, 14)
    expect(await reserve(await targetOf('youtube'))).toMatchObject({ freesAt: later(15) })
  })

  test('a target that was partly sent keeps its use, and one that was not waits again', async () => {
    const begun = await targetOf('youtube')
    const untouched = await targetOf('youtube')
    for (const target of [begun, untouched]) await reserve(target)
    await exhaust({ ...begun, checkpoint: { session: 'x' } }, 3)
    await exhaust(untouched, 3)
    expect(await usesOf(begun)).toMatchObject([{ state: 'taken', drawnAt: expect.any(Date) }])
    expect(await usesOf(untouched)).toMatchObject([{ state: 'waiting', drawnAt: null }])
  })
})

test('the artist is notified of refusals for now once their waits add up to ten minutes', async () => {
  const target = await targetOf('instagram page')
  const noticeAfter = (minutes: number) =>
    laterNotice(
      target,
      {
        kind: 'wait',
        phase: 'scheduled',
        dueAt: later(1),
        tries: 0,
        waitedMs: minutes * 60_000,
        unanswered: 0,
        message: '',
        restart: false,
        idsLapsed: false,
      },
      'Instagram is busy.',
    )
  expect(noticeAfter(9)).toBeUndefined()
  expect(noticeAfter(10)).toMatchObject({ kind: 'post_waiting', link: `/scheduled-posts?post=${target.postId}` })
})

test('a use that is free makes no target due that a worker has claimed', async () => {
  await count('youtube', 100)
  const [claimed, waiting] = [await targetOf('youtube'), await targetOf('youtube')]
  for (const target of [claimed, waiting]) await reserve(target)
  await fixture.app.client.db.update(postTargets).set({ dueAt: nextMidnight })
  await fixture.app.client.db.update(postTargets).set({ leaseToken: newId() }).where(eq(postTargets.id, claimed.id))
  await fixture.app.client.db.delete(quotaUses).where(eq(quotaUses.state, 'done'))
  expect(await releaseWaiting(fixture.system)).toBe(1)
})

test('a forecast leaves out targets that are held, and counts one that waits for the allowance as waiting alone', async () => {
  await count('youtube', 100)
  const from = fixture.app.clock.now()
  const planned = await targetOf('youtube', { dueAt: nextMidnight })
  await targetOf('youtube', { dueAt: nextMidnight, held: true })
  const list = async () => await listPlanned(fixture.app.client.db, everyoneScope(), 'youtube', from, nextMidnight)
  expect(await list()).toEqual([nextMidnight])
  await reserve(planned)
  expect(await list()).toEqual([])
})
