import { afterAll, beforeAll, expect, test } from 'vitest'
import { createArtist, type Artist } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { uploadPictures } from '../../testing/posting.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ role: 'web' })
})
afterAll(async () => await app.stop())

/** Watches the library of an artist. `heard`: how often the watch has emitted so far. */
async function watch(artist: Artist): Promise<{ heard: () => number; stop: () => void }> {
  const abort = new AbortController()
  const response = await artist.fetch('/trpc/media.watch', {
    headers: { accept: 'text/event-stream' },
    signal: abort.signal,
  })
  let text = ''
  void (async () => {
    for await (const chunk of response.body ?? []) text += new TextDecoder().decode(chunk)
  })().catch(() => {})
  return { heard: () => text.split('"library":"changed"').length - 1, stop: () => abort.abort() }
}

test('a watch emits at once and after each change of library or gallery, and not for others’ changes', async () => {
  const [artist, other] = [await createArtist(app), await createArtist(app)]
  const [own, foreign] = [await watch(artist), await watch(other)]
  await expect.poll(() => [own.heard(), foreign.heard()]).toEqual([1, 1])
  const ids = await uploadPictures(artist, 3)
  await expect.poll(own.heard).toBe(2)
  await artist.post('/api/websitebuilder/gallery', { ids })
  await expect.poll(own.heard).toBe(3)
  await artist.delete(`/api/websitebuilder/gallery/${ids[0]}`)
  await expect.poll(own.heard).toBe(4)
  await artist.delete('/api/media', { ids })
  await expect.poll(own.heard).toBe(5)
  await uploadPictures(other, 1)
  await expect.poll(foreign.heard).toBe(2)
  expect(own.heard()).toBe(5)
  own.stop()
  foreign.stop()
})
