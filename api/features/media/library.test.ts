import { mediaMessages } from '@flashsheet/contracts/media/messages'
import type { MediaItem } from '@flashsheet/contracts/media/schema'
import { postMedia, posts } from '@flashsheet/db/schema/posts'
import { videoFixture, picture } from '@flashsheet/sandbox/fixtures/videos'
import * as fs from 'node:fs'
import * as path from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../core/ids.ts'
import { createArtist, type Artist } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { mislabelledJpegWithLocation } from '../../testing/bad-files.ts'
import { tus, upload } from '../../testing/uploads.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(async () => await app.stop())

async function add(artist: Artist, bytes: Buffer, type = 'image/jpeg'): Promise<MediaItem> {
  const { headers } = await upload(artist, { name: 'a', type, bytes })
  const items = await artist.get<MediaItem[]>('/api/media')
  return items.body.find((item) => item._id === headers.get('media-id')) ?? expect.fail('the upload was refused')
}
const read = async (artist: Artist, address: string) => Buffer.from(await (await artist.fetch(address)).arrayBuffer())

describe('the library', () => {
  test('requires a subscription', async () => {
    expect(await app.visitor().get('/api/media')).toMatchObject({ status: 401 })
    expect(await (await createArtist(app, { plan: null })).get('/api/media')).toMatchObject({ status: 403 })
    expect(await (await createArtist(app, { plan: null })).delete('/api/media', { ids: [newId()] })).toMatchObject({
      status: 403,
    })
  })

  test('lists newest first, the same over tRPC and REST, and counts', async () => {
    const artist = await createArtist(app)
    expect((await artist.get('/api/media')).body).toEqual([])
    const [first, second] = [await add(artist, await picture(30, 30, 1)), await add(artist, await picture(30, 30, 2))]
    const list = await artist.get<MediaItem[]>('/api/media')
    expect(list.body.map((item) => item._id)).toEqual([second._id, first._id])
    expect(await artist.trpc.media.list.query()).toEqual(list.body)
    expect(await artist.trpc.media.usage.query()).toEqual({ count: 2, capacity: 100 })
  })

  test.each([
    ['no ids', { ids: [] }],
    ['no list', {}],
    ['no id', { ids: ['nonsense'] }],
  ])('rejects deleting %s with 400', async (_what, body) => {
    expect(await (await createArtist(app)).delete('/api/media', body)).toMatchObject({ status: 400 })
  })

  test("deleting another artist's item is 404 and deletes nothing", async () => {
    const [owner, other] = [await createArtist(app), await createArtist(app)]
    const item = await add(owner, await picture(30, 30))
    expect(await other.delete('/api/media', { ids: [item._id] })).toMatchObject({ status: 404 })
    expect((await owner.get<MediaItem[]>('/api/media')).body).toHaveLength(1)
  })

  test('deletes items with their files, and counts them', async () => {
    const artist = await createArtist(app)
    const items = [await add(artist, await picture(30, 30, 1)), await add(artist, await picture(30, 30, 2))]
    const folder = path.join(app.dataDir, 'storage/media', items[0]!._id)
    expect(fs.existsSync(path.join(folder, 'original'))).toBe(true)
    expect(await artist.delete('/api/media', { ids: items.map((item) => item._id) })).toMatchObject({
      status: 200,
      body: { deleted: 2 },
    })
    expect((await artist.fetch(items[0]!.url)).status).toBe(404)
    await expect.poll(() => fs.existsSync(path.join(folder, 'original')), { timeout: 10_000 }).toBe(false)
    expect(await artist.delete('/api/media', { ids: items.map((item) => item._id) })).toMatchObject({ status: 404 })
  })

  test('keeps the thumbnail that a published post still shows', async () => {
    const artist = await createArtist(app)
    const item = await add(artist, await picture(30, 30, 3))
    const folder = path.join(app.dataDir, 'storage/media', item._id)
    const thumbnail = fs.readdirSync(folder).find((name) => name.startsWith('thumbnail')) ?? ''
    const now = app.clock.now()
    const postId = newId()
    await app.client.db.insert(posts).values({
      id: postId,
      userId: artist.id,
      status: 'posted',
      scheduledAt: now,
      timeZone: 'Europe/Berlin',
      requestId: newId(),
      requestHash: '',
      createdAt: now,
      updatedAt: now,
    })
    await app.client.db.insert(postMedia).values({
      postId,
      position: 0,
      mediaId: item._id,
      kind: 'image',
      fileName: 'a',
      thumbnailKey: `media/${item._id}/${thumbnail}`,
    })
    expect((await artist.delete('/api/media', { ids: [item._id] })).status).toBe(200)
    await expect.poll(() => fs.readdirSync(folder), { timeout: 10_000 }).toEqual([thumbnail])
  })
})

describe('the files', () => {
  test('are for their owner only', async () => {
    const [owner, other] = [await createArtist(app), await createArtist(app)]
    const item = await add(owner, await picture(30, 30))
    for (const address of [item.url, item.thumbnailUrl, `/files/media/${item._id}/original`]) {
      expect((await app.visitor().fetch(address)).status).toBe(401)
      expect((await other.fetch(address)).status).toBe(404)
      expect((await owner.fetch(address)).status).toBe(200)
    }
    for (const address of [
      `/files/media/${item._id}/secret`,
      '/files/media/nonsense/display',
      `/files/media/${newId()}/display`,
    ]) {
      expect((await owner.fetch(address)).status).toBe(404)
    }
  })

  test('a rotated picture with GPS is displayed upright and without it; the original stays unchanged', async () => {
    const artist = await createArtist(app)
    const bytes = await mislabelledJpegWithLocation(3000, 1000)
    expect((await sharp(bytes).metadata()).exif?.includes(Buffer.from('Needle'))).toBe(true)
    const item = await add(artist, bytes)
    expect(item.dimensions).toEqual({ width: 1000, height: 3000 })
    const shown = await read(artist, item.url)
    const facts = await sharp(shown).metadata()
    expect({ width: facts.width, height: facts.height, orientation: facts.orientation, exif: facts.exif }).toEqual({
      width: 683,
      height: 2048,
      orientation: undefined,
      exif: undefined,
    })
    expect(shown.includes('GPS') || shown.includes('Needle')).toBe(false)
    expect(await read(artist, `/files/media/${item._id}/original`)).toEqual(bytes)
    const small = await sharp(await read(artist, item.thumbnailUrl)).metadata()
    expect({ format: small.format, height: small.height }).toEqual({ format: 'webp', height: 480 })
  })

  test('support ranges and conditional requests', async () => {
    const artist = await createArtist(app)
    const bytes = videoFixture('portrait-5s.mp4')
    const item = await add(artist, bytes, 'video/mp4')
    const whole = await artist.fetch(item.url)
    expect(whole.headers.get('content-type')).toBe('video/mp4')
    expect(whole.headers.get('cache-control')).toMatch(/^private/)
    const etag = whole.headers.get('etag') ?? ''
    await whole.arrayBuffer()
    const part = await artist.fetch(item.url, { headers: { range: 'bytes=100-199' } })
    expect({
      status: part.status,
      range: part.headers.get('content-range'),
      length: part.headers.get('content-length'),
    }).toEqual({ status: 206, range: `bytes 100-199/${bytes.length}`, length: '100' })
    expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(100, 200))
    expect((await artist.fetch(item.url, { headers: { range: `bytes=${bytes.length}-` } })).status).toBe(416)
    expect((await artist.fetch(item.url, { headers: { 'if-none-match': etag } })).status).toBe(304)
    expect((await artist.fetch(item.url, { headers: { range: 'bytes=0-9', 'if-range': '"old"' } })).status).toBe(200)
    const head = await artist.fetch(item.url, { method: 'HEAD' })
    expect({
      status: head.status,
      length: head.headers.get('content-length'),
      ranges: head.headers.get('accept-ranges'),
    }).toEqual({ status: 200, length: String(bytes.length), ranges: 'bytes' })
  })
})

describe('a poster', () => {
  const post = async (artist: Artist, location: string, bytes: Buffer, type = 'image/jpeg') =>
    await artist.fetch(`${location}/poster`, {
      method: 'POST',
      body: Uint8Array.from(bytes),
      headers: { 'content-type': type },
    })
  const colour = async (bytes: Buffer) => [...(await sharp(bytes).resize(1, 1).removeAlpha().raw().toBuffer())]
  const red = async () =>
    await sharp({ create: { width: 540, height: 960, channels: 3, background: '#ff0000' } })
      .jpeg()
      .toBuffer()
  const begin = async (artist: Artist) => {
    const bytes = videoFixture('portrait-5s.mp4')
    const { headers } = await tus.create(artist, { name: 'a.mp4', type: 'video/mp4', bytes: bytes.length })
    return { bytes, location: headers.get('location') ?? '' }
  }

  test("is rejected when it is no picture, too large, for a picture, or for another artist's item", async () => {
    const [artist, other] = [await createArtist(app), await createArtist(app)]
    const { location } = await begin(artist)
    expect((await post(artist, location, Buffer.from('no picture'))).status).toBe(400)
    expect((await post(artist, location, Buffer.alloc(0))).status).toBe(400)
    expect((await post(artist, location, Buffer.alloc(1_048_577))).status).toBe(413)
    expect((await post(other, location, await red())).status).toBe(404)
    const still = await tus.create(artist, { name: 'a.jpg', type: 'image/jpeg', bytes: 100 })
    expect(await (await post(artist, still.headers.get('location') ?? '', await red())).json()).toMatchObject({
      message: mediaMessages.posterForVideo,
    })
  })

  test.each([
    ['before the video is complete', true],
    ['after it', false],
  ])('sent %s becomes the thumbnail', async (_when, before) => {
    const artist = await createArtist(app)
    const { bytes, location } = await begin(artist)
    if (before) expect((await post(artist, location, await red())).status).toBe(204)
    await tus.patch(artist, location, 0, Uint8Array.from(bytes))
    const drawn = (await artist.get<MediaItem[]>('/api/media')).body[0]!.thumbnailUrl
    if (!before) expect((await post(artist, location, await red())).status).toBe(204)
    const [item] = (await artist.get<MediaItem[]>('/api/media')).body
    if (!before) expect(item!.thumbnailUrl).not.toBe(drawn)
    const [r = 0, g = 0, b = 0] = await colour(await read(artist, item!.thumbnailUrl))
    expect(r > 200 && g < 60 && b < 60).toBe(true)
  })

  test('is drawn when none is sent', async () => {
    const artist = await createArtist(app)
    const item = await add(artist, videoFixture('landscape-5s.mp4'), 'video/mp4')
    const drawn = await sharp(await read(artist, item.thumbnailUrl)).metadata()
    expect({ format: drawn.format, width: drawn.width, height: drawn.height }).toEqual({
      format: 'webp',
      width: 480,
      height: 270,
    })
  })
})
