import { afterAll, beforeAll, expect, test } from 'vitest'
import { createArtist, type Artist } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { openEvents } from '../../testing/events.ts'
import { uploadPictures } from '../../testing/posting.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ role: 'web' })
})
afterAll(async () => await app.stop())

const watch = async (artist: Artist) => await openEvents(artist, 'media.watch')

test('a watch emits at once and after each change of library or gallery, and not for others’ changes', async () => {
  const [artist, other] = [await createArtist(app), await createArtist(app)]
  const [own, foreign] = [await watch(artist), await watch(other)]
  await expect.poll(() => [own.received(), foreign.received()]).toEqual([1, 1])
  const ids = await uploadPictures(artist, 3)
  await expect.poll(own.received).toBe(2)
  await artist.post('/api/websitebuilder/gallery', { ids })
  await expect.poll(own.received).toBe(3)
  await artist.delete(`/api/websitebuilder/gallery/${ids[0]}`)
  await expect.poll(own.received).toBe(4)
  await artist.delete('/api/media', { ids })
  await expect.poll(own.received).toBe(5)
  await uploadPictures(other, 1)
  await expect.poll(foreign.received).toBe(2)
  expect(own.received()).toBe(5)
  own.close()
  foreign.close()
})
