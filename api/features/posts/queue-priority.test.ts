import type { TargetPhase } from '@flashsheet/contracts/posts/limits'
import { posts, postTargets } from '@flashsheet/db/schema/posts'
import { beforeAll, expect, test } from 'vitest'
import { newId } from '../../core/ids.ts'
import type { Jobs } from '../../core/jobs.ts'
import { createArtist, type Artist } from '../../testing/actors.ts'
import { fetchOneByOne } from '../../testing/queue-fetch.ts'
import { publishingFixture } from '../../testing/publishing.ts'
import { publishQueue } from './jobs.ts'
import { sweepTargets } from './service/sweep.ts'

const fixture = publishingFixture({ role: 'web' })
let artist: Artist
beforeAll(async () => {
  artist = await createArtist(fixture.app)
})

/** Inserts a post with one target that was due this many seconds ago. */
async function due(seconds: number, phase: TargetPhase): Promise<{ postId: string; targetId: string }> {
  const at = new Date(fixture.app.clock.now().getTime() - seconds * 1000)
  const [postId, targetId, times] = [newId(), newId(), { createdAt: at, updatedAt: at }]
  await fixture.app.client.db.insert(posts).values({
    id: postId,
    userId: artist.id,
    status: 'scheduled',
    scheduledAt: at,
    timeZone: 'UTC',
    requestId: postId,
    requestHash: '',
    ...times,
  })
  const words = {
    title: '',
    message: 'Fresh flash',
    options: {},
    pageId: '1',
    pageName: 'Ink',
    platform: 'facebook' as const,
  }
  await fixture.app.client.db
    .insert(postTargets)
    .values({ id: targetId, postId, userId: artist.id, ...words, phase, dueAt: at, checkpoint: {}, ...times })
  return { postId, targetId }
}

test('among many planned posts, targets that have begun come first, then posts published now', async () => {
  const planned: string[] = []
  for (let n = 0; n < 12; n++) planned.push((await due(300 - n, 'scheduled')).targetId)
  const begun: string[] = []
  for (const phase of ['claimed', 'preparing', 'confirming', 'unknown'] as const)
    begun.push((await due(100, phase)).targetId)
  const publishedNow = [await due(-3600, 'scheduled'), await due(-3600, 'scheduled')]
  await sweepTargets(fixture.system)
  for (const { postId } of publishedNow) await artist.trpc.posts.publishNow.mutate({ postId })

  const order = (await fetchOneByOne(fixture.app.running.databaseUrl, publishQueue, 18)).map(({ targetId }) => targetId)
  expect(order.slice(0, 4).toSorted()).toEqual(begun.toSorted())
  expect(order.slice(4, 6).toSorted()).toEqual(publishedNow.map((one) => one.targetId).toSorted())
  expect(order.slice(6).toSorted()).toEqual(planned.toSorted())
})

test('at its concurrency limit, the sweep enqueues only the longest overdue, before the waiting jobs', async () => {
  await fixture.app.client.db.delete(posts)
  const waiting: string[] = []
  for (let n = 0; n < 60; n++) waiting.push((await due(300 - n, 'scheduled')).targetId)
  const sweep = async (isFull: boolean) => {
    const sent: { id: string; priority: number }[] = []
    const jobs: Jobs = {
      ...fixture.system.jobs,
      isFull: () => isFull,
      send: async (_tx, _queue, payload, options) =>
        void sent.push({ id: (payload as { targetId: string }).targetId, priority: options?.priority ?? 0 }),
    }
    await sweepTargets({ ...fixture.system, jobs })
    return sent
  }
  expect(await sweep(true)).toEqual(waiting.slice(0, 40).map((id) => ({ id, priority: 1 })))
  expect(await sweep(false)).toEqual(waiting.map((id) => ({ id, priority: 0 })))
})
