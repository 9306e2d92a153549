import { errorMessages } from '@flashsheet/contracts/errors/messages'
import { mediaLimits } from '@flashsheet/contracts/media/limits'
import { mediaMessages } from '@flashsheet/contracts/media/messages'
import type { MediaItem } from '@flashsheet/contracts/media/schema'
import { mediaItems, uploads } from '@flashsheet/db/schema/media'
import { videoFixture, picture, remuxedVideo } from '@flashsheet/sandbox/fixtures/videos'
import { eq } from 'drizzle-orm'
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { request } from 'node:http'
import * as path from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { bodyPace } from '../../core/body-pace.ts'
import { createLogger } from '../../core/log.ts'
import { newId } from '../../core/ids.ts'
import { createArtist, type Artist } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { animatedPng, gif, padded, pixelBomb } from '../../testing/bad-files.ts'
import { eventually } from '../../testing/sandbox.ts'
import { originalSha, sendForm, tus, upload } from '../../testing/uploads.ts'
import { startSystem } from '../../wiring.ts'
import { ingestUpload } from './service/ingest.ts'
import { sweepUploads } from './service/sweep.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(async () => await app.stop())

const jpeg = { name: 'a.jpg', type: 'image/jpeg', bytes: 1000 }
const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const library = async (artist: Artist) => (await artist.get<MediaItem[]>('/api/media')).body
const incoming = (location: string) => path.join(app.dataDir, 'storage/uploads', location.split('/').at(-1) ?? '')

/** Items without files, to fill a library quickly. */
async function fill(artist: Artist, count: number): Promise<void> {
  const now = app.clock.now()
  await app.client.db.insert(mediaItems).values(
    Array.from({ length: count }, () => {
      const id = newId()
      return {
        id,
        userId: artist.id,
        kind: 'image' as const,
        mimeType: 'image/jpeg' as const,
        fileName: 'old.jpg',
        bytes: 1,
        width: 1,
        height: 1,
        sha256: '',
        originalKey: `media/${id}/original`,
        thumbnailKey: `media/${id}/thumbnail-0.webp`,
        createdAt: now,
      }
    }),
  )
}

describe('tus uploads reject', () => {
  test('users who may not upload', async () => {
    expect(await tus.create(app.visitor(), jpeg)).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
    expect(await tus.create(await createArtist(app, { verified: false }), jpeg)).toMatchObject({
      status: 403,
      body: { code: 'unverified' },
    })
    expect(await tus.create(await createArtist(app, { plan: null }), jpeg)).toMatchObject({
      status: 403,
      body: { code: 'no_subscription', message: errorMessages.noSubscription },
    })
  })

  test('a page of another origin', async () => {
    const artist = await createArtist(app)
    expect(await tus.create(artist, jpeg, { origin: 'https://elsewhere.example' })).toMatchObject({
      status: 403,
      body: { code: 'origin' },
    })
  })

  test("another artist's upload as not found", async () => {
    const [owner, other] = [await createArtist(app), await createArtist(app)]
    const { headers } = await tus.create(owner, jpeg)
    const location = headers.get('location') ?? ''
    expect((await tus.head(other, location)).status).toBe(404)
    expect(await tus.patch(other, location, 0, new Uint8Array(10))).toMatchObject({
      status: 404,
      body: { message: errorMessages.notFound },
    })
    expect((await tus.terminate(other, location)).status).toBe(404)
    // An address with another upload's id in its query does not reach that one.
    const own = (await tus.create(other, jpeg)).headers.get('location') ?? ''
    await tus.patch(other, `${own}?x=${location}`, 0, new Uint8Array(10))
    expect((await tus.head(owner, location)).headers.get('upload-offset')).toBe('0')
    expect((await tus.head(other, own)).headers.get('upload-offset')).toBe('10')
    // Nor does one whose first piece has just arrived.
    await tus.patch(owner, location, 0, new Uint8Array(10))
    expect((await tus.patch(other, location, 10, new Uint8Array(10))).status).toBe(404)
    expect((await tus.head(owner, location)).headers.get('upload-offset')).toBe('10')
  })

  test.each([
    ['a GIF', { name: 'a.gif', type: 'image/gif', bytes: 10 }, 400, mediaMessages.imageType],
    ['a HEIC', { name: 'a.heic', type: 'image/heic', bytes: 10 }, 400, mediaMessages.imageType],
    ['a WebM', { name: 'a.webm', type: 'video/webm', bytes: 10 }, 400, mediaMessages.videoType],
    ['a text', { name: 'a.txt', type: 'text/plain', bytes: 10 }, 400, mediaMessages.unsupported],
    ['nothing said at all', { bytes: 10 }, 400, mediaMessages.unsupported],
    [
      'a picture one byte too large',
      { name: 'a.jpg', type: 'image/jpeg', bytes: mediaLimits.imageBytes + 1 },
      413,
      mediaMessages.imageSize,
    ],
    [
      'a video one byte too large',
      { name: 'a.mp4', type: 'video/mp4', bytes: mediaLimits.videoBytes + 1 },
      413,
      mediaMessages.videoSize,
    ],
    ['an empty picture', { name: 'a.jpg', type: 'image/jpeg', bytes: 0 }, 400, mediaMessages.imageUnreadable],
    ['an empty video', { name: 'a.mp4', type: 'video/mp4', bytes: 0 }, 400, mediaMessages.videoUnreadable],
  ])('%s, before a byte is sent', async (_what, file, status, message) => {
    const answer = await tus.create(await createArtist(app), file)
    expect(answer).toMatchObject({ status, body: { message } })
    expect(answer.headers.get('content-type')).toMatch('application/json')
  })

  test('nothing exactly at the limit', async () => {
    const artist = await createArtist(app)
    for (const file of [
      { name: 'a.jpg', type: 'image/jpeg', bytes: mediaLimits.imageBytes },
      { name: 'a.mov', type: 'video/quicktime', bytes: mediaLimits.videoBytes },
      { name: 'by-its-name.MP4', bytes: 10 },
    ]) {
      expect((await tus.create(artist, file)).status).toBe(201)
    }
  })

  test('an unknown length, a wrong offset, and anything malformed, never with a 5xx', async () => {
    const artist = await createArtist(app)
    const { headers } = await tus.create(artist, jpeg)
    const location = headers.get('location') ?? ''
    const answers = [
      await tus.create(artist, jpeg, { 'upload-defer-length': '1' }),
      await tus.create(artist, jpeg, { 'upload-concat': 'partial' }),
      await tus.create(artist, jpeg, { 'upload-metadata': 'filename %%%' }),
      await tus.create(artist, jpeg, { 'upload-length': '-1' }),
      await tus.create(artist, jpeg, { 'tus-resumable': '0.2.2' }),
      await tus.patch(artist, location, 5, new Uint8Array(5)),
      await tus.patch(artist, location, 0, new Uint8Array(2000)),
      await tus.patch(artist, '/api/uploads/..%2f..%2fetc', 0, new Uint8Array(1)),
      await tus.head(artist, '/api/uploads/unknown'),
    ]
    expect(answers.map((answer) => answer.status)).toEqual([400, 400, 400, 400, 412, 409, 413, 404, 404])
    for (const answer of answers.slice(0, -1)) expect(answer.body.message).toEqual(expect.any(String))
  })
})

describe('the protocol', () => {
  test('another version is 412 with the supported one, another content type of a piece is 415', async () => {
    const artist = await createArtist(app)
    const { headers } = await tus.create(artist, jpeg)
    const version = await tus.create(artist, jpeg, { 'tus-resumable': '0.2.2' })
    expect([version.status, version.headers.get('tus-version'), version.body.code]).toEqual([412, '1.0.0', 'invalid'])
    const piece = await artist.fetch(headers.get('location') ?? '', {
      method: 'PATCH',
      headers: { 'tus-resumable': '1.0.0', 'upload-offset': '0', 'content-type': 'application/json' },
      body: '{}',
    })
    expect([piece.status, await piece.json()]).toEqual([415, { message: expect.any(String), code: 'invalid' }])
  })

  test('works behind several proxies', async () => {
    expect((await tus.create(await createArtist(app), jpeg, { 'x-forwarded-proto': 'https, http' })).status).toBe(201)
  })

  test('a file sent with its creation is stored once, with its id in the answer', async () => {
    const artist = await createArtist(app)
    const send = async (bytes: Buffer, type: string) =>
      await artist.fetch('/api/uploads', {
        method: 'POST',
        headers: {
          'tus-resumable': '1.0.0',
          'upload-length': String(bytes.length),
          'upload-metadata': `filetype ${btoa(type)}`,
          'content-type': 'application/offset+octet-stream',
        },
        body: Uint8Array.from(bytes),
      })
    const refused = await send(gif, 'image/png')
    expect([refused.status, await refused.json()]).toEqual([
      400,
      expect.objectContaining({ message: mediaMessages.imageType }),
    ])
    const bytes = await picture(300, 300)
    const { status, headers } = await send(bytes, 'image/jpeg')
    expect([status, headers.get('upload-offset')]).toEqual([201, String(bytes.length)])
    expect(await library(artist)).toEqual([expect.objectContaining({ _id: headers.get('media-id') })])
    expect((await tus.head(artist, headers.get('location') ?? '')).headers.get('media-id')).toBe(
      headers.get('media-id'),
    )
  })

  test('an upload that begins with its creation resumes from there', async () => {
    const artist = await createArtist(app)
    const bytes = await picture(300, 300)
    const begun = await artist.fetch('/api/uploads', {
      method: 'POST',
      headers: {
        'tus-resumable': '1.0.0',
        'upload-length': String(bytes.length),
        'upload-metadata': `filetype ${btoa('image/jpeg')}`,
        'content-type': 'application/offset+octet-stream',
      },
      body: Uint8Array.from(bytes.subarray(0, 100)),
    })
    expect([begun.status, begun.headers.get('upload-offset'), begun.headers.get('media-id')]).toEqual([
      201,
      '100',
      null,
    ])
    const ended = await tus.patch(
      artist,
      begun.headers.get('location') ?? '',
      100,
      Uint8Array.from(bytes.subarray(100)),
    )
    expect(ended.headers.get('media-id')).toEqual(expect.any(String))
  })
})

describe('the last byte', () => {
  test.each([
    [
      'a text named .jpg',
      'image/jpeg',
      async () => Buffer.from('this is not a picture, whatever it says of itself'),
      mediaMessages.imageType,
    ],
    ['a GIF named .jpg', 'image/jpeg', async () => gif, mediaMessages.imageType],
    ['a moving PNG', 'image/png', animatedPng, mediaMessages.imageType],
    [
      'a JPEG cut in half',
      'image/jpeg',
      async () => (await picture(800, 800)).subarray(0, 900),
      mediaMessages.imageUnreadable,
    ],
    ['too many pixels', 'image/png', async () => await pixelBomb(12_000, 11_000), mediaMessages.imagePixels],
    [
      'a picture too large, sent as a video',
      'video/mp4',
      async () => padded(await picture(10, 10), mediaLimits.imageBytes + 1),
      mediaMessages.imageSize,
    ],
    [
      'a text named .mp4',
      'video/mp4',
      async () => Buffer.from('no film at all, but long enough to be looked at'),
      mediaMessages.videoType,
    ],
    [
      'an MP4 cut short',
      'video/mp4',
      async () => videoFixture('landscape-5s.mp4').subarray(0, 40_000),
      mediaMessages.videoUnreadable,
    ],
    [
      'an MP4 without its index',
      'video/mp4',
      async () => (await remuxedVideo('portrait-5s.mp4', { moovFirst: false })).subarray(0, 50_000),
      mediaMessages.videoUnreadable,
    ],
    [
      'a head and then nothing that makes sense',
      'video/mp4',
      async () => Buffer.concat([videoFixture('landscape-5s.mp4').subarray(0, 24), Buffer.alloc(5000, 7)]),
      mediaMessages.videoUnreadable,
    ],
    [
      '181 seconds',
      'video/mp4',
      async () => await remuxedVideo('portrait-5s.mp4', { seconds: 181, fps: 2 }),
      mediaMessages.videoDuration,
    ],
    [
      'a tenth of a second too long',
      'video/mp4',
      async () => await remuxedVideo('portrait-5s.mp4', { seconds: 180.1, fps: 10 }),
      mediaMessages.videoDuration,
    ],
  ])('%s is rejected with 400 and nothing is stored', async (_what, type, make, message) => {
    const artist = await createArtist(app)
    const answer = await upload(artist, { name: 'x', type, bytes: await make() })
    expect(answer).toMatchObject({ status: 400, body: { message } })
    expect(answer.headers.get('content-type')).toMatch('application/json')
    expect(await library(artist)).toEqual([])
    expect(fs.existsSync(incoming(answer.location))).toBe(false)
    expect(fs.existsSync(path.join(app.dataDir, 'storage/media', answer.location.split('/').at(-1) ?? ''))).toBe(false)
    // Repeated, the answer is the same.
    expect((await tus.head(artist, answer.location)).status).toBe(400)
  })

  test('exactly 180.0 seconds and exactly 20 MB are accepted', async () => {
    const artist = await createArtist(app)
    const long = await upload(artist, {
      name: 'long.mp4',
      type: 'video/mp4',
      bytes: await remuxedVideo('portrait-5s.mp4', { seconds: 180, fps: 2 }),
    })
    expect(long.status).toBe(204)
    const large = await upload(artist, {
      name: 'large.jpg',
      type: 'image/jpeg',
      bytes: padded(await picture(50, 50), mediaLimits.imageBytes),
    })
    expect(large.status).toBe(204)
    const items = await library(artist)
    expect(items.map((item) => [item.type, item.size, Math.round(item.duration ?? 0)])).toEqual([
      ['image', mediaLimits.imageBytes, 0],
      ['video', expect.any(Number), 180],
    ])
  })

  test('the bytes decide the type: an MP4 named .mov, a PNG sent as JPEG', async () => {
    const artist = await createArtist(app)
    await upload(artist, { name: 'a.mov', type: 'video/quicktime', bytes: videoFixture('landscape-5s.mp4') })
    await upload(artist, { name: 'b.jpg', type: 'image/jpeg', bytes: await picture(30, 20, 1, 'png') })
    await upload(artist, { name: 'c.mp4', type: 'video/mp4', bytes: videoFixture('landscape-5s.mov') })
    expect((await library(artist)).map((item) => item.mimeType)).toEqual(['video/quicktime', 'image/png', 'video/mp4'])
  })

  test('a video is measured on the server', async () => {
    const artist = await createArtist(app)
    const answer = await upload(artist, {
      name: '../../stencil\u0000\u202e 1.mp4',
      type: 'video/mp4',
      bytes: videoFixture('portrait-5s.mp4'),
    })
    const [item] = await library(artist)
    expect(item).toMatchObject({
      _id: answer.headers.get('media-id'),
      type: 'video',
      fileName: 'stencil 1.mp4',
      dimensions: { width: 540, height: 960 },
      duration: 5,
      mimeType: 'video/mp4',
    })
    const [row] = await app.client.db.select().from(mediaItems).where(eq(mediaItems.id, item!._id))
    expect(row?.videoFacts).toEqual({
      codec: 'avc',
      audioCodec: 'aac',
      fps: 30,
      rotation: 0,
      moovFirst: true,
      editList: false,
    })
    expect(await originalSha(artist, item!._id)).toBe(sha(videoFixture('portrait-5s.mp4')))
  })

  test('CMYK is converted for browsers', async () => {
    const artist = await createArtist(app)
    const cmyk = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#c33' } })
      .toColourspace('cmyk')
      .jpeg()
      .toBuffer()
    expect((await sharp(cmyk).metadata()).space).toBe('cmyk')
    await upload(artist, { name: 'print.jpg', type: 'image/jpeg', bytes: cmyk })
    const [item] = await library(artist)
    const shown = await artist.fetch(item!.url)
    expect((await sharp(Buffer.from(await shown.arrayBuffer())).metadata()).space).toBe('srgb')
  })
})

describe('the limit of 100', () => {
  test('rejects at creation when full, unfinished uploads included, and again at the end when it became full meanwhile', async () => {
    const artist = await createArtist(app)
    await fill(artist, 99)
    const bytes = await picture(20, 20)
    const late = await tus.create(artist, { ...jpeg, bytes: bytes.length })
    const location = late.headers.get('location') ?? ''
    const refused = { status: 409, body: { message: mediaMessages.libraryFull, code: 'full' } }
    expect(await tus.create(artist, jpeg)).toMatchObject(refused)
    expect(await sendForm(artist, [{ name: 'a.jpg', type: 'image/jpeg', bytes }])).toMatchObject(refused)
    await fill(artist, 1)
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
    await fill(artist, 95)
    const files = await Promise.all(Array.from({ length: 20 }, async (_, n) => await picture(40, 40, n)))
    const answers = await Promise.all(
      files.map(async (bytes, n) => await upload(artist, { name: `${n}.jpg`, type: 'image/jpeg', bytes })),
    )
    expect(answers.filter((answer) => answer.status === 204)).toHaveLength(5)
    expect(answers.filter((answer) => answer.body.message === mediaMessages.libraryFull)).toHaveLength(15)
    expect(await library(artist)).toHaveLength(100)
  })
})

describe('unfinished uploads', () => {
  const many = { status: 429, body: { message: mediaMessages.tooManyUnfinished, code: 'tooMany' } }
  const begin = async (artist: Artist, count: number) =>
    await Promise.all(Array.from({ length: count }, async () => await tus.create(artist, jpeg)))

  test('are limited to twenty per artist, by tus and form, until one is finished or cancelled', async () => {
    const artist = await createArtist(app)
    const begun = await begin(artist, 25)
    expect(begun.filter(({ status }) => status === 201)).toHaveLength(20)
    const refused = begun.filter(({ status }) => status !== 201)
    for (const answer of refused) expect(answer).toMatchObject(many)
    expect(refused[0]?.headers.get('retry-after')).toBe('30')
    const file = { name: 'a.jpg', type: 'image/jpeg', bytes: await picture(20, 20) }
    expect(await sendForm(artist, [file])).toMatchObject(many)
    expect((await tus.create(await createArtist(app), jpeg)).status).toBe(201)
    await tus.terminate(artist, begun.find(({ status }) => status === 201)?.headers.get('location') ?? '')
    expect(await sendForm(artist, [file])).toMatchObject({ status: 201 })
    expect((await tus.create(artist, jpeg)).status).toBe(201)
    expect(await tus.create(artist, jpeg)).toMatchObject(many)
  })

  test('are limited to twenty for one form too, of which nothing stays', async () => {
    const artist = await createArtist(app)
    const bytes = await picture(20, 20)
    expect(
      await sendForm(
        artist,
        Array.from({ length: 21 }, (_, n) => ({ name: `${n}.jpg`, type: 'image/jpeg', bytes })),
      ),
    ).toMatchObject(many)
    expect(await app.client.db.select().from(uploads).where(eq(uploads.userId, artist.id))).toEqual([])
  })

  test('give way to a new one after an hour without a byte, the longest idle first; an active one stays', async () => {
    const artist = await createArtist(app)
    const begun = (await begin(artist, 20)).map(({ headers }) => headers.get('location') ?? '')
    app.clock.advance(61 * 60_000)
    await tus.patch(artist, begun[0]!, 0, new Uint8Array(10))
    await eventually('its bytes are noted', async () =>
      (await app.client.db.select().from(uploads).where(eq(uploads.userId, artist.id))).some(
        ({ arrivedAt }) => arrivedAt !== null,
      ),
    )
    expect((await tus.create(artist, jpeg)).status).toBe(201)
    const left = await Promise.all(begun.map(async (location) => (await tus.head(artist, location)).status))
    expect(left.filter((status) => status === 404)).toHaveLength(1)
    expect(left[0]).toBe(200)
    await eventually(
      'its bytes are gone',
      async () => await Promise.resolve(begun.filter((location) => fs.existsSync(incoming(location))).length === 19),
    )
  })
})

describe('an interrupted upload', () => {
  test('resumes where the connection broke', async () => {
    const artist = await createArtist(app)
    const bytes = padded(await picture(500, 500), 6_000_000)
    const created = await tus.create(artist, { name: 'a.jpg', type: 'image/jpeg', bytes: bytes.length })
    const location = created.headers.get('location') ?? ''
    await new Promise<void>((resolve) => {
      const sending = request(new URL(location, app.url), {
        method: 'PATCH',
        headers: {
          cookie: [...artist.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
          'tus-resumable': '1.0.0',
          'upload-offset': '0',
          'content-type': 'application/offset+octet-stream',
          'content-length': bytes.length,
        },
      })
      sending.on('error', () => resolve())
      sending.write(bytes.subarray(0, 3_000_000), () => setTimeout(() => sending.destroy(), 50))
      sending.on('close', () => resolve())
    })
    const offset = await eventually('what arrived', async () =>
      Number((await tus.head(artist, location)).headers.get('upload-offset')),
    )
    expect(offset).toBeLessThanOrEqual(3_000_000)
    const last = await tus.patch(artist, location, offset, Uint8Array.from(bytes.subarray(offset)))
    expect(last.status).toBe(204)
    expect(await originalSha(artist, last.headers.get('media-id'))).toBe(sha(bytes))
  })

  test('is closed with 408 after a timeout, keeps its bytes, and resumes from there', async () => {
    const artist = await createArtist(app)
    const bytes = padded(await picture(500, 500), 1_000_000)
    const created = await tus.create(artist, { name: 'a.jpg', type: 'image/jpeg', bytes: bytes.length })
    const location = created.headers.get('location') ?? ''
    // The clock of this request's timeout is moved by the test.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      const sending = request(new URL(location, app.url), {
        method: 'PATCH',
        headers: {
          cookie: [...artist.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
          'tus-resumable': '1.0.0',
          'upload-offset': '0',
          'content-type': 'application/offset+octet-stream',
          'content-length': bytes.length,
        },
      })
      const answered = new Promise<number | undefined>((resolve) => {
        sending.once('response', ({ statusCode }) => resolve(statusCode))
        sending.once('error', () => resolve(undefined))
      })
      let status: number | undefined
      void answered.then((code) => {
        status = code
      })
      sending.write(bytes.subarray(0, 100_000))
      await eventually('an answer', async () => {
        vi.advanceTimersByTime(bodyPace.periodMs)
        return await Promise.resolve(status)
      })
      expect(status).toBe(408)
    } finally {
      vi.useRealTimers()
    }
    const offset = await eventually('the offset', async () => {
      const head = await tus.head(artist, location)
      return head.status === 200 && Number(head.headers.get('upload-offset'))
    })
    expect((await tus.patch(artist, location, offset, Uint8Array.from(bytes.subarray(offset)))).status).toBe(204)
  })

  test('gives way when the same file is sent by a second request', async () => {
    const artist = await createArtist(app)
    const bytes = padded(await picture(500, 500), 1_000_000)
    const created = await tus.create(artist, { name: 'a.jpg', type: 'image/jpeg', bytes: bytes.length })
    const location = created.headers.get('location') ?? ''
    // A connection that goes silent, like a phone's that leaves the Wi-Fi.
    const hanging = request(new URL(location, app.url), {
      method: 'PATCH',
      headers: {
        cookie: [...artist.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'tus-resumable': '1.0.0',
        'upload-offset': '0',
        'content-type': 'application/offset+octet-stream',
        'content-length': bytes.length,
      },
    })
    hanging.on('error', () => {})
    hanging.write(bytes.subarray(0, 100_000))
    await eventually('the first bytes', async () => fs.statSync(incoming(location)).size >= 0)
    const offset = await eventually('the offset', async () => {
      const head = await tus.head(artist, location)
      return head.status === 200 && Number(head.headers.get('upload-offset'))
    })
    expect((await tus.patch(artist, location, offset, Uint8Array.from(bytes.subarray(offset)))).status).toBe(204)
    hanging.destroy()
  })

  test('is ingested after its last byte by the next request, once, and by the sweep', async () => {
    const artist = await createArtist(app)
    const bytes = await picture(300, 200)
    const crash = async () => {
      const created = await tus.create(artist, { name: 'a.jpg', type: 'image/jpeg', bytes: bytes.length })
      const location = created.headers.get('location') ?? ''
      // All bytes arrived, but the process died before it answered.
      fs.writeFileSync(incoming(location), bytes)
      return location
    }
    const asked = await crash()
    const heads = await Promise.all([1, 2, 3].map(async () => await tus.head(artist, asked)))
    expect(new Set(heads.map((head) => head.headers.get('media-id'))).size).toBe(1)
    expect(await library(artist)).toHaveLength(1)

    const other = await startSystem(app.running.config, {
      databaseUrl: app.running.databaseUrl,
      log: createLogger('silent'),
      works: false,
      now: app.clock.now,
    })
    const twice = (await crash()).split('/').at(-1) ?? ''
    await Promise.all([ingestUpload(other.system, twice), ingestUpload(other.system, twice)])
    const swept = await crash()
    app.clock.advance(2 * 60_000)
    await Promise.all([sweepUploads(other.system), sweepUploads(other.system)])
    expect(await library(artist)).toHaveLength(3)
    expect((await tus.head(artist, swept)).headers.get('media-id')).toEqual(expect.any(String))
    await other.stop(0)
  })

  test('that is never finished is deleted after a day', async () => {
    const artist = await createArtist(app)
    const created = await tus.create(artist, jpeg)
    const location = created.headers.get('location') ?? ''
    await tus.patch(artist, location, 0, new Uint8Array(10))
    const { system, stop } = await startSystem(app.running.config, {
      databaseUrl: app.running.databaseUrl,
      log: createLogger('silent'),
      works: false,
      now: app.clock.now,
    })
    app.clock.advance(23 * 3_600_000)
    await sweepUploads(system)
    expect(fs.existsSync(incoming(location))).toBe(true)
    app.clock.advance(2 * 3_600_000)
    await sweepUploads(system)
    expect(fs.existsSync(incoming(location))).toBe(false)
    expect((await tus.head(artist, location)).status).toBe(404)
    await stop(0)
  })

  test('answers the same item for a repeated last piece, and accepts no more bytes once finished', async () => {
    const artist = await createArtist(app)
    const bytes = await picture(100, 100)
    const done = await upload(artist, { name: 'a.jpg', type: 'image/jpeg', bytes })
    const again = await tus.patch(artist, done.location, bytes.length, new Uint8Array(0))
    expect(again).toMatchObject({ status: 204 })
    expect(again.headers.get('media-id')).toBe(done.headers.get('media-id'))
    expect((await tus.patch(artist, done.location, 0, new Uint8Array(5))).status).toBeGreaterThanOrEqual(400)
    expect(await library(artist)).toHaveLength(1)
    expect((await tus.terminate(artist, done.location)).status).toBe(404)
    await artist.delete('/api/media', { ids: [done.headers.get('media-id')] })
    expect((await tus.head(artist, done.location)).status).toBe(404)
  })

  test('can be cancelled', async () => {
    const artist = await createArtist(app)
    const created = await tus.create(artist, jpeg)
    const location = created.headers.get('location') ?? ''
    expect((await tus.terminate(artist, location)).status).toBe(204)
    expect((await tus.head(artist, location)).status).toBe(404)
    expect(fs.existsSync(incoming(location))).toBe(false)
    expect(await app.client.db.select().from(uploads).where(eq(uploads.userId, artist.id))).toEqual([])
  })
})
