import { mediaMessages } from '@flashsheet/contracts/media/messages'
import type { MediaItem } from '@flashsheet/contracts/media/schema'
import { picture } from '@flashsheet/sandbox/fixtures/videos'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createArtist, type Artist } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { insertPictures } from '../../testing/records.ts'
import { sendForm, tus, upload } from '../../testing/uploads.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ role: 'web' })
})
afterAll(async () => await app.stop())

const jpeg = { name: 'a.jpg', type: 'image/jpeg', bytes: 1000 }
const library = async (artist: Artist) => (await artist.get<MediaItem[]>('/api/media')).body

describe('the limit of 100', () => {
  test('rejects at creation when full, unfinished uploads included, and again at the end when it became full meanwhile', async () => {
    const artist = await createArtist(app)
    await insertPictures(app, artist, 99)
    const bytes = await picture(20, 20)
    const late = await tus.create(artist, { ...jpeg, bytes: bytes.length })
    const location = late.headers.get('location') ?? ''
    const refused = { status: 409, body: { message: mediaMessages.libraryFull, code: 'full' } }
    expect(await tus.create(artist, jpeg)).toMatchObject(refused)
    expect(await sendForm(artist, [{ name: 'a.jpg', type: 'image/jpeg', bytes }])).toMatchObject(refused)
    await insertPictures(app, artist, 1)
    expect(await tus.patch(artist, location, 0, Uint8Array.from(bytes))).toMatchObject({
      status: 400,
      body: refused.body,
    })
    // The bytes are stored: once there is room again, a retry is enough.
    const [victim] = await library(artist)
    await artist.delete('/api/media', { ids: [victim!._id] })
    expect((await tus.head(artist, location)).headers.get('media-id')).toEqual(expect.any(String))
    expect(await library(artist)).toHaveLength(100)
  })

  test('holds against twenty concurrent uploads with room for five', async () => {
    const artist = await createArtist(app)
    await insertPictures(app, artist, 95)
    const files = await Promise.all(Array.from({ length: 20 }, async (_, n) => await picture(40, 40, n)))
    const answers = await Promise.all(
      files.map(async (bytes, n) => await upload(artist, { name: `${n}.jpg`, type: 'image/jpeg', bytes })),
    )
    expect(answers.filter((answer) => answer.status === 204)).toHaveLength(5)
    expect(answers.filter((answer) => answer.body.message === mediaMessages.libraryFull)).toHaveLength(15)
    expect(await library(artist)).toHaveLength(100)
  })
})
