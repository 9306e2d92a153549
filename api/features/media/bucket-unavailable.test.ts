import { errorMessages } from '@flashsheet/contracts/errors/messages'
import type { MediaItem } from '@flashsheet/contracts/media/schema'
import { uploads } from '@flashsheet/db/schema/media'
import { picture } from '@flashsheet/sandbox/fixtures/videos'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createArtist, type Artist } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { startBucket, type Bucket } from '../../testing/bucket.ts'
import { eventually } from '../../testing/sandbox.ts'
import { tus, upload } from '../../testing/uploads.ts'

let app: TestApp
let bucket: Bucket
beforeAll(async () => {
  bucket = await startBucket()
  app = await startTestApp({ role: 'web', env: bucket.env })
})
afterAll(async () => {
  await app.stop()
  await bucket.stop()
})

/** Sends every kind of upload, and reads, concurrently. */
async function requestEverything(artist: Artist, location: string, item: MediaItem | undefined, bytes: Buffer) {
  const form = new FormData()
  form.append('files', new Blob([Uint8Array.from(bytes)], { type: 'image/jpeg' }), 'b.jpg')
  const requests = {
    creation: artist.fetch('/api/uploads', {
      method: 'POST',
      headers: {
        'tus-resumable': '1.0.0',
        'upload-length': '100',
        'upload-metadata': `filetype ${btoa('image/jpeg')}`,
      },
    }),
    piece: artist.fetch(location, {
      method: 'PATCH',
      headers: { 'tus-resumable': '1.0.0', 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
      body: Uint8Array.from(bytes),
    }),
    form: artist.fetch('/api/media/upload', { method: 'POST', body: form }),
    original: artist.fetch(`/files/media/${item?._id}/original`),
    thumbnail: artist.fetch(item?.thumbnailUrl ?? ''),
  }
  return await Promise.all(Object.entries(requests).map(async ([what, answer]) => [what, await answer] as const))
}

test.each([
  ['it refuses connections', async () => await bucket.stopListening(), async () => await bucket.startListening()],
  [
    'it answers 503',
    async () => await Promise.resolve(bucket.answerAll(503)),
    async () => await Promise.resolve(bucket.answerAll(undefined)),
  ],
  [
    'it answers 500',
    async () => await Promise.resolve(bucket.answerAll(500)),
    async () => await Promise.resolve(bucket.answerAll(undefined)),
  ],
])(
  'while the bucket is unavailable (%s), uploads and reads are 503 with Retry-After, and everything continues afterwards',
  async (_how, makeUnavailable, makeAvailable) => {
    const artist = await createArtist(app)
    const bytes = await picture(300, 200)
    const jpeg = { name: 'a.jpg', type: 'image/jpeg', bytes: bytes.length }
    await upload(artist, { ...jpeg, bytes })
    const [item] = (await artist.get<MediaItem[]>('/api/media')).body
    const location = (await tus.create(artist, jpeg)).headers.get('location') ?? ''
    await makeUnavailable()
    try {
      const answers = await requestEverything(artist, location, item, bytes)
      for (const [what, answer] of answers) {
        expect([what, answer.status, answer.headers.get('retry-after'), await answer.json()]).toEqual([
          what,
          503,
          '5',
          { message: errorMessages.storageUnavailable, code: 'unavailable' },
        ])
      }
      expect((await artist.fetch('/readyz')).status).toBe(503)
      expect((await artist.get('/api/media')).status).toBe(200)
    } finally {
      await makeAvailable()
    }
    const head = await tus.head(artist, location)
    expect([head.status, head.headers.get('upload-offset')]).toEqual([200, '0'])
    expect((await tus.patch(artist, location, 0, Uint8Array.from(bytes))).status).toBe(204)
    expect((await artist.fetch(`/files/media/${item?._id}/original`)).status).toBe(200)
    // An upload that could not be created occupies no place.
    expect(
      (await app.client.db.select().from(uploads).where(eq(uploads.userId, artist.id))).filter(
        ({ finishedAt }) => finishedAt === null,
      ),
    ).toEqual([])
  },
)

test('while the bucket does not answer, /readyz says so long before the time-out of its requests', async () => {
  bucket.stopAnswering()
  try {
    const answer = await app.visitor().fetch('/readyz', { signal: AbortSignal.timeout(20_000) })
    expect([answer.status, await answer.json()]).toMatchObject([503, { database: true, storage: false, queue: true }])
  } finally {
    bucket.resumeAnswering()
  }
})

test('while the bucket does not answer, uploads and reads are 503 after one timeout each, and everything continues afterwards', async () => {
  const impatient = await startTestApp({ role: 'web', env: { ...bucket.env, S3_SILENCE_MS: '700' } })
  try {
    const artist = await createArtist(impatient)
    const bytes = await picture(300, 200)
    const jpeg = { name: 'a.jpg', type: 'image/jpeg', bytes: bytes.length }
    // On a busy machine a slow request may fail and is repeated.
    await eventually('a picture to be there', async () => (await upload(artist, { ...jpeg, bytes })).status === 204)
    const [item] = (await artist.get<MediaItem[]>('/api/media')).body
    const location = await eventually('an upload to begin', async () =>
      (await tus.create(artist, jpeg)).headers.get('location'),
    )
    bucket.stopAnswering()
    const answers = await requestEverything(artist, location, item, bytes)
    for (const [what, answer] of answers) {
      expect([what, answer.status, answer.headers.get('retry-after'), await answer.json()]).toEqual([
        what,
        503,
        '5',
        { message: errorMessages.storageUnavailable, code: 'unavailable' },
      ])
    }
    expect(bucket.unanswered()).toHaveLength(answers.length)
    expect((await artist.get('/api/media')).status).toBe(200)
    bucket.resumeAnswering()
    await eventually(
      'the piece to arrive',
      async () => (await tus.patch(artist, location, 0, Uint8Array.from(bytes))).status === 204,
    )
  } finally {
    bucket.resumeAnswering()
    await impatient.stop()
  }
})
