import { mediaItems, uploads } from '@flashsheet/db/schema/media'
import { videoFixture, picture } from '@flashsheet/sandbox/fixtures/videos'
import { eq } from 'drizzle-orm'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { start, type Running } from '../../main.ts'
import { createArtist, createVisitor, type Artist, type Visitor } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { gif, padded } from '../../testing/bad-files.ts'
import { startBucket, type Bucket } from '../../testing/bucket.ts'
import { connect } from '../../testing/connect.ts'
import { freePorts } from '../../testing/ports.ts'
import {
  postNow,
  readPost,
  untilSettled,
  shownAt,
  sweepNow,
  uploadFile,
  uploadPictures,
  variantsOf,
} from '../../testing/posting.ts'
import { eventually } from '../../testing/sandbox.ts'
import { openSystem } from '../../testing/system.ts'
import { originalSha, sendForm, tus, upload } from '../../testing/uploads.ts'
import { sweepUploads } from './service/sweep.ts'

let bucket: Bucket
let app: TestApp
let other: Running
let otherUrl: string
let otherDir: string

beforeAll(async () => {
  bucket = await startBucket()
  app = await startTestApp({ env: bucket.env })
  const [port = 0] = await freePorts(1)
  otherDir = mkdtempSync(path.join(tmpdir(), 'flashsheet-other-'))
  otherUrl = `http://localhost:${port}`
  // A second web process with the same database and bucket.
  other = await start({ ...app.env, PORT: String(port), DATA_DIR: otherDir, ROLE: 'web' }, { clock: app.clock.now })
})
afterAll(async () => {
  await other.stop()
  await app.stop()
  await bucket.stop()
  rmSync(otherDir, { recursive: true, force: true })
})
/** What uploads left in the bucket: their objects, which are at its root, and unfinished multipart uploads. */
const left = () => ({ uploads: bucket.keys().filter((key) => !key.includes('/')), unfinished: bucket.unfinished() })
const nothing = { uploads: [], unfinished: 0 }

const mebibyte = 1_048_576
const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const jpeg = async (bytes: number) => padded(await picture(700, 500), bytes)
const piece = (bytes: Buffer, from: number, to?: number) => Uint8Array.from(bytes.subarray(from, to))
const create = async (artist: Visitor, bytes: Buffer) =>
  (await tus.create(artist, { name: 'a.jpg', type: 'image/jpeg', bytes: bytes.length })).headers.get('location') ?? ''
const offsetOf = async (artist: Visitor, location: string) =>
  Number((await tus.head(artist, location)).headers.get('upload-offset'))
const rowOf = async (id: string | null) =>
  (
    await app.client.db
      .select()
      .from(mediaItems)
      .where(eq(mediaItems.id, id ?? ''))
  )[0]

/** The same user at the other process. */
function elsewhere(artist: Artist): Visitor {
  const visitor = createVisitor(otherUrl)
  for (const [name, value] of artist.cookies) visitor.cookies.set(name, value)
  return visitor
}

describe('with a bucket, an upload', () => {
  test('resumes at whichever process gets the next piece', async () => {
    const artist = await createArtist(app)
    const there = elsewhere(artist)
    const bytes = await jpeg(11 * mebibyte)
    const location = await create(artist, bytes)
    // Pieces smaller than a part of the bucket, a whole part, and a remainder.
    expect((await tus.patch(artist, location, 0, piece(bytes, 0, mebibyte))).status).toBe(204)
    expect(await offsetOf(there, location)).toBe(mebibyte)
    expect((await tus.patch(there, location, mebibyte, piece(bytes, mebibyte, 3 * mebibyte))).status).toBe(204)
    expect((await tus.patch(artist, location, 3 * mebibyte, piece(bytes, 3 * mebibyte, 10 * mebibyte))).status).toBe(
      204,
    )
    expect((await tus.patch(artist, location, mebibyte, piece(bytes, 0, 5))).status).toBe(409)
    const last = await tus.patch(there, location, 10 * mebibyte, piece(bytes, 10 * mebibyte))
    expect(last.status).toBe(204)
    expect(await originalSha(artist, last.headers.get('media-id'))).toBe(sha(bytes))
    expect(await rowOf(last.headers.get('media-id'))).toMatchObject({
      bytes: bytes.length,
      width: 700,
      height: 500,
    })
    expect((await tus.head(artist, location)).headers.get('media-id')).toBe(last.headers.get('media-id'))
    expect(left()).toEqual(nothing)
  })

  test('is 503 at a process that cannot read what it is, and resumes there', async () => {
    const artist = await createArtist(app)
    const there = elsewhere(artist)
    const bytes = await jpeg(mebibyte)
    const location = await create(artist, bytes)
    bucket.answerAll(503)
    try {
      const answers = [await tus.patch(there, location, 0, piece(bytes, 0)), await tus.head(there, location)]
      expect(answers.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual([
        [503, '5'],
        [503, '5'],
      ])
    } finally {
      bucket.answerAll(undefined)
    }
    const last = await tus.patch(there, location, 0, piece(bytes, 0))
    expect(last.status).toBe(204)
    expect(await originalSha(artist, last.headers.get('media-id'))).toBe(sha(bytes))
  })

  test('whose parts were not joined is ingested by the next request, or by the sweep', async () => {
    const artist = await createArtist(app)
    const bytes = await jpeg(9 * mebibyte)
    const interrupted = async () => {
      const location = await create(artist, bytes)
      bucket.failNextCompletion()
      expect((await tus.patch(artist, location, 0, piece(bytes, 0))).status).toBe(500)
      return location
    }
    const asked = await interrupted()
    const heads = await Promise.all(
      [artist, elsewhere(artist), artist].map(async (visitor) => await tus.head(visitor, asked)),
    )
    expect(new Set(heads.map((head) => head.headers.get('media-id'))).size).toBe(1)
    expect(await originalSha(artist, heads[0]?.headers.get('media-id') ?? null)).toBe(sha(bytes))

    const swept = await interrupted()
    const { system, close } = await openSystem(app)
    app.clock.advance(2 * 60_000)
    await Promise.all([sweepUploads(system), sweepUploads(system)])
    await close()
    expect(await originalSha(artist, (await tus.head(artist, swept)).headers.get('media-id'))).toBe(sha(bytes))
    expect(left()).toEqual(nothing)
  })

  test('leaves nothing behind when it is cancelled, refused or abandoned', async () => {
    const artist = await createArtist(app)
    const bytes = await jpeg(9 * mebibyte)
    const cancelled = await create(artist, bytes)
    await tus.patch(artist, cancelled, 0, piece(bytes, 0, 8 * mebibyte))
    expect((await tus.terminate(elsewhere(artist), cancelled)).status).toBe(204)
    expect((await tus.head(artist, cancelled)).status).toBe(404)

    expect(await upload(artist, { name: 'a.jpg', type: 'image/jpeg', bytes: gif })).toMatchObject({ status: 400 })
    expect(
      await sendForm(artist, [
        { name: 'a.jpg', type: 'image/jpeg', bytes },
        { name: 'b.jpg', type: 'image/jpeg', bytes: gif },
      ]),
    ).toMatchObject({ status: 400 })

    const forgotten = await create(artist, bytes)
    await tus.patch(artist, forgotten, 0, piece(bytes, 0, 100))
    const { system, close } = await openSystem(app)
    app.clock.advance(25 * 3_600_000)
    await sweepUploads(system)
    await close()
    expect((await tus.head(artist, forgotten)).status).toBe(404)
    expect(await app.client.db.select().from(uploads).where(eq(uploads.userId, artist.id))).toEqual([
      expect.objectContaining({ refusal: expect.any(String) }),
    ])
    expect(
      bucket
        .keys()
        .filter(
          (key) => key.includes(cancelled.split('/').at(-1) ?? '-') || key.includes(forgotten.split('/').at(-1) ?? '-'),
        ),
    ).toEqual([])
    expect(left()).toEqual(nothing)
  })
})

test('an object in the bucket is served in ranges, published byte for byte, and removed when it is deleted', async () => {
  const artist = await createArtist(app)
  const account = await connect(app, artist, 'youtube')
  const bytes = videoFixture('portrait-5s.mp4')
  const id = await uploadFile(artist, { name: 'film.mp4', type: 'video/mp4', bytes })
  const part = await elsewhere(artist).fetch(`/files/media/${id}/original`, { headers: { range: 'bytes=100-199' } })
  expect(part.status).toBe(206)
  expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(100, 200))

  const postId = await postNow(artist, { mediaIds: [id], variants: variantsOf(account, { title: 'A film' }) })
  expect(await untilSettled(artist, postId)).toMatchObject({ status: 'posted' })
  const [shown] = await shownAt(app, 'youtube', account.pages[0]?.pageId ?? '')
  expect(shown?.media).toMatchObject([{ sha256: sha(bytes) }])

  expect(await artist.delete('/api/media', { ids: [id] })).toMatchObject({ status: 200 })
  await eventually('the files to go', async () => {
    await sweepNow(app)
    // The post still shows its thumbnail.
    return bucket
      .keys()
      .filter((key) => key.includes(id))
      .every((key) => key.includes('/thumbnail-'))
  })
})

test('a post is published although another write of its rendition was under way', async () => {
  const artist = await createArtist(app)
  const account = await connect(app, artist, 'instagram')
  // Too tall for Instagram, so that a rendition is needed.
  const mediaIds = await uploadPictures(artist, 1, [300, 700])
  bucket.conflictNextWrite()
  const postId = await postNow(artist, { mediaIds, variants: variantsOf(account) })
  const post = await eventually('the post to be final', async () => {
    app.clock.advance(10_000)
    await sweepNow(app)
    const read = await readPost(artist, postId)
    return read.status !== 'scheduled' && read
  })
  expect(post).toMatchObject({ status: 'posted' })
})
