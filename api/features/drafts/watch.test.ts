import type { Draft } from '@flashsheet/contracts/drafts/schema'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createArtist, type Artist } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { connect } from '../../testing/connect.ts'
import { openEvents } from '../../testing/events.ts'
import { uploadPictures, variantsOf } from '../../testing/posting.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(async () => await app.stop())

const watch = async (artist: Artist) => await openEvents(artist, 'drafts.watch')

test('a watch emits at once and when a draft is created, changed, deleted, posted or loses a media item, but not for other artists’ drafts', async () => {
  const [artist, other] = [await createArtist(app), await createArtist(app)]
  const mediaIds = await uploadPictures(artist, 2)
  const variants = variantsOf(await connect(app, artist, 'facebook'))
  const [own, foreign] = [await watch(artist), await watch(other)]
  await expect.poll(() => [own.received(), foreign.received()]).toEqual([1, 1])
  const make = async (who: Artist, body: object = {}) => (await who.post<Draft>('/api/drafts', body)).body
  const { _id, version } = await make(artist, { mediaIds, variants })
  await expect.poll(own.received).toBe(2)
  await artist.put(`/api/drafts/${_id}`, { version, title: 'Changed' })
  await expect.poll(own.received).toBe(3)
  await artist.delete('/api/media', { ids: mediaIds.slice(1) })
  await expect.poll(own.received).toBe(4)
  await artist.post(`/api/drafts/${_id}/post`, { when: 'now' })
  await expect.poll(own.received).toBe(5)
  const gone = await make(artist)
  await expect.poll(own.received).toBe(6)
  await artist.delete(`/api/drafts/${gone._id}`)
  await expect.poll(own.received).toBe(7)
  await make(other)
  await expect.poll(foreign.received).toBe(2)
  expect(own.received()).toBe(7)
  own.close()
  foreign.close()
})
