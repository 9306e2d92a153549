import { posts } from '@flashsheet/db/schema/posts'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createArtist, type Artist } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { lockWaits } from '../../testing/lock-waits.ts'
import { insertTargets } from '../../testing/publishing.ts'

let app: TestApp
beforeAll(async () => {
  // Without a worker, only the tested request waits for the lock.
  app = await startTestApp({ role: 'web', startAt: '2026-12-01T12:00:00Z' })
})
afterAll(async () => await app.stop())

const range = { from: '2026-12-01T00:00:00Z', to: '2026-12-03T00:00:00Z' }
const idsOf = (list: readonly { _id: string }[]) => list.map(({ _id }) => _id)

test.each<[string, (artist: Artist, postId: string) => Promise<unknown>, (kept: string) => unknown]>([
  ['the list', async (artist) => idsOf((await artist.get<{ _id: string }[]>('/api/posts')).body), (kept) => [kept]],
  ['the calendar', async (artist) => idsOf(await artist.trpc.posts.calendar.query(range)), (kept) => [kept]],
  ['one post', async (artist, postId) => (await artist.get(`/api/posts/${postId}`)).status, () => 404],
])('%s does not show a post without its pages while it is deleted', async (_name, read, expectedOf) => {
  const { db } = app.client
  const artist = await createArtist(app)
  const [kept, deleted] = await insertTargets(app.client, artist.id, new Date('2026-12-02T12:00:00Z'), {}, 2)
  let answer: Promise<unknown> | undefined
  await db.transaction(async (tx) => {
    await tx.execute(sql`lock table post_targets in access exclusive mode`)
    answer = read(artist, deleted!.postId)
    await expect.poll(async () => await lockWaits(app.client, 'from "post_targets"')).toBe(1)
    await tx.delete(posts).where(eq(posts.id, deleted!.postId))
  })
  expect(await answer).toEqual(expectedOf(kept!.postId))
})
