import { picture } from '@flashsheet/sandbox/fixtures/videos'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createArtist, type Artist } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { startBucket, type Bucket } from '../../testing/bucket.ts'
import { lockWaits } from '../../testing/lock-waits.ts'
import { eventually } from '../../testing/sandbox.ts'
import { beginPiece, originalSha, tus } from '../../testing/uploads.ts'
import { createHash, randomBytes } from 'node:crypto'

let bucket: Bucket
let app: TestApp
let jpeg: Buffer
beforeAll(async () => {
  bucket = await startBucket()
  app = await startTestApp({ role: 'web', env: { ...bucket.env, LOG_LEVEL: 'silent' } })
  jpeg = await picture(64, 80)
})
afterEach(() => bucket.disturb(() => undefined))
afterAll(async () => {
  await app.stop()
  await bucket.stop()
})

const mebibyte = 1_048_576
const begin = async (artist: Artist, bytes: Buffer) =>
  (await tus.create(artist, { name: 'a.jpg', type: 'image/jpeg', bytes: bytes.length })).headers.get('location') ?? ''
const send = async (artist: Artist, location: string, bytes: Buffer, from: number, to?: number) =>
  await tus.patch(artist, location, from, Uint8Array.from(bytes.subarray(from, to)))
const offsetOf = async (artist: Artist, location: string) =>
  Number((await tus.head(artist, location)).headers.get('upload-offset'))

/** A picture of this size whose bytes differ everywhere. */
const file = (size: number) => Buffer.concat([jpeg, randomBytes(size - jpeg.length)])
const sha = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

describe('with a bucket, a piece of an upload', () => {
  test.each([
    ['the second part', 'partNumber=2', 2 * mebibyte],
    ['the first part', 'partNumber=1', 3 * mebibyte],
  ])('of which only %s is refused resumes at it', async (_what, refused, rest) => {
    const artist = await createArtist(app)
    const bytes = file(16 * mebibyte + rest)
    const location = await begin(artist, bytes)
    bucket.disturb((request) => (request.includes(refused) ? 'refused' : undefined))
    expect((await send(artist, location, bytes, 0, 16 * mebibyte + rest - 1)).status).toBe(503)
    bucket.disturb(() => undefined)
    const from = await offsetOf(artist, location)
    expect(from).toBe(refused === 'partNumber=1' ? 0 : 8 * mebibyte)
    const last = await send(artist, location, bytes, from)
    expect(last.status).toBe(204)
    expect(await originalSha(artist, last.headers.get('media-id'))).toBe(sha(bytes))
  })

  test('that breaks off before it is read leaves the upload usable, and keeps what had arrived before', async () => {
    const artist = await createArtist(app)
    const bytes = file(mebibyte)
    // Created with its first bytes, so that the next piece begins with a query, which the lock stops.
    const created = await artist.fetch('/api/uploads', {
      method: 'POST',
      headers: {
        'tus-resumable': '1.0.0',
        'content-type': 'application/offset+octet-stream',
        'upload-length': String(bytes.length),
        'upload-metadata': `filetype ${Buffer.from('image/jpeg').toString('base64')}`,
      },
      body: Uint8Array.from(bytes.subarray(0, 1000)),
    })
    const location = created.headers.get('location') ?? ''
    const piece = beginPiece(artist, new URL(location, app.url), bytes.length - 1000)
    piece.setHeader('upload-offset', '1000')
    piece.on('error', () => {})
    const closed = new Promise((resolve) => piece.once('close', resolve))
    await app.client.sql.begin(async (tx) => {
      await tx`lock table uploads`
      piece.write(bytes.subarray(1000, 5000))
      await eventually('the request to wait', async () => (await lockWaits(app.client, 'uploads')) > 0)
      piece.destroy()
      await closed
      // By its answer the process knows that the connection is closed.
      await app.visitor().get('/healthz')
    })
    const from = await offsetOf(artist, location)
    expect(from).toBeGreaterThanOrEqual(1000)
    const last = await send(artist, location, bytes, from)
    expect(await originalSha(artist, last.headers.get('media-id'))).toBe(sha(bytes))
  }, 20_000)
})
