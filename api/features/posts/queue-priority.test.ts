import type { TargetPhase } from '@flashsheet/contracts/posts/limits'
import { posts } from '@flashsheet/db/schema/posts'
import { beforeAll, expect, test } from 'vitest'
import type { Jobs } from '../../core/jobs.ts'
import { createArtist, type Artist } from '../../testing/actors.ts'
import { fetchOneByOne } from '../../testing/queue-fetch.ts'
import { insertTargets, publishingFixture } from '../../testing/publishing.ts'
import { publishQueue } from './jobs.ts'
import { sweepTargets } from './service/sweep.ts'

const fixture = publishingFixture({ role: 'web' })
let artist: Artist
beforeAll(async () => {
  artist = await createArtist(fixture.app)
})

/** Inserts a post with one target that was due this many seconds ago. */
async function due(seconds: number, phase: TargetPhase): Promise<{ postId: string; targetId: string }> {
  const dueAt = new Date(fixture.app.clock.now().getTime() - seconds * 1000)
  const [inserted] = await insertTargets(fixture.app.client, artist.id, dueAt, { phase })
  return inserted ?? { postId: '', targetId: '' }
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
