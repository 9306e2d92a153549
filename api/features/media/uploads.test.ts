import { errorMessages } from '@flashsheet/contracts/errors/messages'
import { mediaLimits } from '@flashsheet/contracts/media/limits'
import { mediaMessages } from '@flashsheet/contracts/media/messages'
import type { MediaItem } from '@flashsheet/contracts/media/schema'
import { mediaItems } from '@flashsheet/db/schema/media'
import { videoFixture, picture, remuxedVideo } from '@flashsheet/sandbox/fixtures/videos'
import { eq } from 'drizzle-orm'
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import * as path from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createArtist, type Artist } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { animatedPng, gif, padded, pixelBomb } from '../../testing/bad-files.ts'
import { originalSha, tus, upload } from '../../testing/uploads.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ role: 'web' })
})
afterAll(async () => await app.stop())

const jpeg = { name: 'a.jpg', type: 'image/jpeg', bytes: 1000 }
const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const library = async (artist: Artist) => (await artist.get<MediaItem[]>('/api/media')).body
const incoming = (location: string) => path.join(app.dataDir, 'storage/uploads', location.split('/').at(-1) ?? '')

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
    ['no type at all', { bytes: 10 }, 400, mediaMessages.unsupported],
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

  describe('each refusal has the usual JSON body, or problem details on request', () => {
    const version = { 'tus-resumable': '1.0.0' }
    const piece = { ...version, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
    const length = { ...version, 'upload-length': '1000' }
    const gifType = `filetype ${btoa('image/gif')}`
    type Sent = { method: string; to?: string; headers: Record<string, string>; body?: string }
    const refused: [what: string, sent: Sent, status: number, code: string, names?: string][] = [
      ['no version', { method: 'POST', headers: {} }, 412, 'invalid'],
      ['another version', { method: 'POST', headers: { ...length, 'tus-resumable': '0.2.2' } }, 412, 'invalid'],
      ['no length', { method: 'POST', headers: version }, 400, 'invalid', 'upload-length'],
      [
        'a negative length',
        { method: 'POST', headers: { ...version, 'upload-length': '-1' } },
        400,
        'invalid',
        'upload-length',
      ],
      [
        'a length in words',
        { method: 'POST', headers: { ...version, 'upload-length': 'ten' } },
        400,
        'invalid',
        'upload-length',
      ],
      [
        'metadata in no base 64',
        { method: 'POST', headers: { ...length, 'upload-metadata': 'filename %%%' } },
        400,
        'invalid',
        'upload-metadata',
      ],
      [
        'the same metadata twice',
        { method: 'POST', headers: { ...length, 'upload-metadata': 'a YQ==,a YQ==' } },
        400,
        'invalid',
        'upload-metadata',
      ],
      [
        'a file of an unknown type',
        { method: 'POST', headers: { ...length, 'upload-metadata': gifType } },
        400,
        'invalid',
      ],
      [
        'a piece without an offset',
        { method: 'PATCH', headers: { ...version, 'content-type': piece['content-type'] } },
        400,
        'invalid',
        'upload-offset',
      ],
      [
        'a broken offset',
        { method: 'PATCH', headers: { ...piece, 'upload-offset': '1.5' }, body: 'bytes' },
        400,
        'invalid',
        'upload-offset',
      ],
      [
        'a piece with the length of the upload',
        { method: 'PATCH', headers: { ...piece, 'upload-length': '1000' }, body: 'bytes' },
        400,
        'invalid',
        'upload-length',
      ],
      [
        'a wrong offset',
        { method: 'PATCH', headers: { ...piece, 'upload-offset': '5' }, body: 'bytes' },
        409,
        'conflict',
        mediaMessages.tusOffset,
      ],
      [
        'a piece of another type',
        { method: 'PATCH', headers: { ...piece, 'content-type': 'text/plain' }, body: 'bytes' },
        415,
        'invalid',
      ],
      [
        'more bytes than announced',
        { method: 'PATCH', headers: piece, body: 'x'.repeat(2000) },
        413,
        'tooLarge',
        mediaMessages.tusLonger,
      ],
      [
        'an unknown upload',
        { method: 'PATCH', to: '/api/uploads/unknown', headers: piece, body: 'bytes' },
        404,
        'notFound',
      ],
      ['another method', { method: 'GET', headers: version }, 404, 'notFound'],
    ]
    let artist: Artist
    beforeAll(async () => {
      artist = await createArtist(app)
    })

    test.each(refused)('%s', async (_what, { method, to, headers, body }, status, code, names = '') => {
      const created = await tus.create(artist, { ...jpeg, bytes: 1000 })
      const location = created.headers.get('location') ?? ''
      const ask = async (accept: string) => {
        const response = await artist.fetch(to ?? (method === 'POST' ? '/api/uploads' : location), {
          method,
          headers: { ...headers, accept },
          ...(body === undefined ? {} : { body }),
        })
        return { response, said: (await response.json()) as { message: string } }
      }
      const plain = await ask('*/*')
      expect([plain.response.status, plain.response.headers.get('content-type')?.split(';')[0], plain.said]).toEqual([
        status,
        'application/json',
        { message: expect.stringContaining(names), code },
      ])
      const problem = await ask('application/problem+json')
      expect([problem.response.status, problem.response.headers.get('content-type'), problem.said]).toEqual([
        status,
        'application/problem+json',
        {
          ...plain.said,
          type: 'about:blank',
          title: expect.any(String),
          status,
          detail: plain.said.message,
          instance: `urn:uuid:${problem.response.headers.get('x-request-id')}`,
        },
      ])
      await tus.terminate(artist, location)
    })
  })

  test('the last piece sent twice at once, or again, is stored once; the others are told to continue from the offset', async () => {
    const artist = await createArtist(app)
    const bytes = Uint8Array.from(await picture(300, 300))
    const location = (await tus.create(artist, { ...jpeg, bytes: bytes.length })).headers.get('location') ?? ''
    await tus.patch(artist, location, 0, bytes.subarray(0, 100))
    const both = await Promise.all(['one', 'two'].map(() => tus.patch(artist, location, 100, bytes.subarray(100))))
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([204, 409]))
    expect(await tus.patch(artist, location, 100, bytes.subarray(100))).toMatchObject({
      status: 409,
      body: { message: mediaMessages.tusOffset, code: 'conflict' },
    })
    expect(await library(artist)).toEqual([
      expect.objectContaining({ _id: (await tus.head(artist, location)).headers.get('media-id') }),
    ])
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

  test('bytes after the end are refused, also of a finished upload, whose empty last piece is answered again', async () => {
    const artist = await createArtist(app)
    const bytes = await picture(300, 300)
    const { location, headers } = await upload(artist, { ...jpeg, bytes })
    const after = await tus.patch(artist, location, bytes.length, new Uint8Array(10))
    expect([after.status, after.body.message]).toEqual([413, mediaMessages.tusLonger])
    const empty = await tus.patch(artist, location, bytes.length, new Uint8Array(0))
    expect([empty.status, empty.headers.get('media-id')]).toEqual([204, headers.get('media-id')])
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
    ['an animated PNG', 'image/png', animatedPng, mediaMessages.imageType],
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
      async () => Buffer.from('no video at all, but long enough to be looked at'),
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
