import { calendarPost } from '@flashsheet/contracts/posts/rules'
import type { CalendarPost } from '@flashsheet/contracts/posts/schema'
import { mediaItems } from '@flashsheet/db/schema/media'
import { posts } from '@flashsheet/db/schema/posts'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createArtist, type Artist } from '../../testing/actors.ts'
import { ownerScope } from '../../core/scope.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { connect } from '../../testing/connect.ts'
import { postNow, readPost, untilSettled, uploadPictures, variantsOf } from '../../testing/posting.ts'
import { insertTargets } from '../../testing/publishing.ts'
import { listCalendarRows, listCalendarTargets } from './queries/calendar.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(async () => await app.stop())

const hours = (count: number) => new Date(app.clock.now().getTime() + count * 3_600_000).toISOString()

async function schedule(artist: Artist, mediaIds: string[], variants: unknown[], scheduledAt: string): Promise<string> {
  const { status, body } = await artist.post<{ _id: string }>('/api/posts/schedule', {
    mediaIds,
    variants,
    scheduledAt,
  })
  expect(status).toBe(201)
  return body._id
}

const idsOf = (list: readonly CalendarPost[]) => list.map((post) => post._id).sort()

test('requires a subscription and both ends of the range', async () => {
  const stranger = await createArtist(app, { plan: null })
  await expect(stranger.trpc.posts.calendar.query({ from: hours(0), to: hours(1) })).rejects.toMatchObject({
    data: { refusal: { code: 'no_subscription' } },
  })
  const artist = await createArtist(app)
  await expect(artist.trpc.posts.calendar.query({ from: 'yesterday', to: hours(1) })).rejects.toMatchObject({
    data: { refusal: { code: 'invalid' } },
  })
})

test('shows each of the artist’s posts with the same values as the whole post, and no other artist’s', async () => {
  const artist = await createArtist(app)
  const facebook = await connect(app, artist, 'facebook')
  const instagram = await connect(app, artist, 'instagram')
  const mediaIds = await uploadPictures(artist, 3)
  const both = [
    ...variantsOf(facebook, { title: '', message: 'A caption '.repeat(40) }, facebook.pages),
    ...variantsOf(instagram, { title: 'Second' }),
  ]
  const ids = [
    await schedule(artist, mediaIds, both, hours(5)),
    await schedule(
      artist,
      mediaIds.slice(0, 1),
      variantsOf(facebook, { title: 'Dagger', message: 'One hour' }),
      hours(6),
    ),
    await schedule(artist, mediaIds.slice(0, 1), variantsOf(facebook, { title: '', message: '' }), hours(7)),
  ]
  const posted = await postNow(artist, { mediaIds: mediaIds.slice(1, 2), variants: variantsOf(facebook) })
  await untilSettled(artist, posted)
  // The post keeps a thumbnail of a deleted library item.
  await app.client.db.delete(mediaItems).where(eq(mediaItems.id, mediaIds[1] ?? ''))

  const range = { from: hours(-1), to: hours(24) }
  const list = await artist.trpc.posts.calendar.query(range)
  expect(idsOf(list)).toEqual([...ids, posted].sort())
  for (const shown of list) expect(shown).toEqual(calendarPost(await readPost(artist, shown._id)))
  expect(list.find((one) => one._id === ids[2])?.title).toBe('Untitled Post')
  expect(list.find((one) => one._id === ids[0])).toMatchObject({
    platforms: ['facebook', 'instagram'],
    mediaCount: 3,
    title: 'A caption '.repeat(12),
  })

  expect(await (await createArtist(app)).trpc.posts.calendar.query(range)).toEqual([])
})

test('`from` is inclusive and `to` exclusive; final posts are placed at their last change', async () => {
  const artist = await createArtist(app)
  const account = await connect(app, artist, 'facebook')
  const mediaIds = await uploadPictures(artist)
  const at = hours(10)
  const id = await schedule(artist, mediaIds, variantsOf(account), at)
  const calendar = async (from: string, to: string) => idsOf(await artist.trpc.posts.calendar.query({ from, to }))
  expect(await calendar(at, hours(11))).toEqual([id])
  expect(await calendar(hours(9), at)).toEqual([])
  await app.client.db
    .update(posts)
    .set({ status: 'failed', updatedAt: new Date(hours(40)) })
    .where(eq(posts.id, id))
  expect(await calendar(hours(9), hours(11))).toEqual([])
  expect(await calendar(hours(39), hours(41))).toEqual([id])
})

test('the targets of a limited range are those of its posts', async () => {
  const artist = await createArtist(app)
  const { db } = app.client
  const owner = ownerScope(artist.id)
  await insertTargets(app.client, owner, new Date(hours(10)), {}, 5)
  const range = { from: new Date(hours(9)), to: new Date(hours(11)) }
  const rows = await listCalendarRows(db, owner, range, 3)
  const targets = await listCalendarTargets(db, owner, range, 3)
  expect(rows).toHaveLength(3)
  expect(targets.map((target) => target.postId).toSorted()).toEqual(rows.map((row) => row.id).toSorted())
})
