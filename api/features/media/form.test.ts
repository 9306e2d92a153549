import { errorMessages } from '@flashsheet/contracts/errors/messages'
import { mediaLimits } from '@flashsheet/contracts/media/limits'
import { mediaMessages } from '@flashsheet/contracts/media/messages'
import type { MediaItem } from '@flashsheet/contracts/media/schema'
import { uploads } from '@flashsheet/db/schema/media'
import { videoFixture, picture, remuxedVideo } from '@flashsheet/sandbox/fixtures/videos'
import { eq } from 'drizzle-orm'
import * as fs from 'node:fs'
import * as path from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createArtist, type Artist } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { gif, padded } from '../../testing/bad-files.ts'
import { insertPictures } from '../../testing/records.ts'
import { eventually } from '../../testing/sandbox.ts'
import { sendForm, beginForm } from '../../testing/uploads.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(async () => await app.stop())

const library = async (artist: Artist) => (await artist.get<MediaItem[]>('/api/media')).body
/** Files of any request on the disk. */
const left = () =>
  ['uploads', 'media'].flatMap((folder) =>
    fs.existsSync(path.join(app.dataDir, 'storage', folder))
      ? fs.readdirSync(path.join(app.dataDir, 'storage', folder))
      : [],
  )

async function send(
  artist: Artist,
  body: string | Buffer,
  type: string,
): Promise<{ status: number; body: { message: string } }> {
  const response = await artist.fetch('/api/media/upload', {
    method: 'POST',
    body: typeof body === 'string' ? body : Uint8Array.from(body),
    headers: { 'content-type': type },
  })
  return { status: response.status, body: (await response.json()) as { message: string } }
}

describe('POST /api/media/upload rejects', () => {
  test('users who may not upload', async () => {
    const file = { name: 'a.jpg', type: 'image/jpeg', bytes: await picture(10, 10) }
    expect(await sendForm(app.visitor(), [file])).toMatchObject({ status: 401 })
    expect(await sendForm(await createArtist(app, { verified: false }), [file])).toMatchObject({
      status: 403,
      body: { code: 'unverified' },
    })
    expect(await sendForm(await createArtist(app, { status: 'canceled' }), [file])).toMatchObject({
      status: 403,
      body: { code: 'no_subscription' },
    })
  })

  test('an empty selection, in every form', async () => {
    const artist = await createArtist(app)
    const nothing = { status: 400, body: { message: mediaMessages.emptyPick } }
    expect(await sendForm(artist, [])).toMatchObject(nothing)
    expect(await send(artist, '{}', 'application/json')).toMatchObject(nothing)
    expect(
      await send(
        artist,
        '--b\r\ncontent-disposition: form-data; name="files"; filename=""\r\ncontent-type: application/octet-stream\r\n\r\n\r\n--b--\r\n',
        'multipart/form-data; boundary=b',
      ),
    ).toMatchObject(nothing)
    expect(
      await sendForm(artist, [{ name: 'a.jpg', type: 'image/jpeg', bytes: await picture(10, 10) }], 'somethingelse'),
    ).toMatchObject(nothing)
  })

  test.each([
    ['no boundary', 'multipart/form-data', 'whatever'],
    [
      'no end',
      'multipart/form-data; boundary=b',
      '--b\r\ncontent-disposition: form-data; name="files"; filename="a.jpg"\r\ncontent-type: image/jpeg\r\n\r\nhalf of it',
    ],
    ['no body', 'multipart/form-data; boundary=b', ''],
    ['nonsense', 'multipart/form-data; boundary=b', '\u0000\u0001--b\r\n\r\n--c--'],
  ])('a form with %s, with 400', async (_what, type, body) => {
    const artist = await createArtist(app)
    const answer = await send(artist, body, type)
    expect(answer.status).toBe(400)
    expect([errorMessages.malformed, mediaMessages.emptyPick]).toContain(answer.body.message)
  })

  test.each([
    ['a GIF', 'image/gif', async () => gif, 400, mediaMessages.imageType],
    ['a GIF named .jpg', 'image/jpeg', async () => gif, 400, mediaMessages.imageType],
    ['a text', 'text/plain', async () => Buffer.from('hello'), 400, mediaMessages.unsupported],
    [
      'a picture one byte too large',
      'image/jpeg',
      async () => padded(await picture(10, 10), mediaLimits.imageBytes + 1),
      413,
      mediaMessages.imageSize,
    ],
    [
      '181 seconds',
      'video/mp4',
      async () => await remuxedVideo('portrait-5s.mp4', { seconds: 181, fps: 2 }),
      400,
      mediaMessages.videoDuration,
    ],
    ['an empty file', 'video/mp4', async () => Buffer.alloc(0), 400, mediaMessages.videoUnreadable],
  ])('%s, and the good files sent with it', async (_what, type, make, status, message) => {
    const artist = await createArtist(app)
    const before = left()
    const good = { name: 'good.jpg', type: 'image/jpeg', bytes: await picture(60, 60) }
    const answer = await sendForm(artist, [good, { name: 'bad', type, bytes: await make() }, good])
    expect(answer).toMatchObject({ status, body: { message } })
    expect(await library(artist)).toEqual([])
    expect(left()).toEqual(before)
  })

  test('a video one byte too large, by counting bytes', async () => {
    const artist = await createArtist(app)
    const before = left()
    const head =
      '--b\r\ncontent-disposition: form-data; name="files"; filename="a.mp4"\r\ncontent-type: video/mp4\r\n\r\n'
    const total = mediaLimits.videoBytes + 1
    const body = async function* () {
      yield Buffer.from(head)
      yield videoFixture('landscape-5s.mp4')
      const block = Buffer.alloc(1_048_576)
      for (let left = total - videoFixture('landscape-5s.mp4').length; left > 0; left -= block.length)
        yield block.subarray(0, Math.min(left, block.length))
      yield Buffer.from('\r\n--b--\r\n')
    }
    const response = await artist.fetch('/api/media/upload', {
      method: 'POST',
      body: Readable.from(body()),
      duplex: 'half',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
    } as RequestInit)
    expect({ status: response.status, body: await response.json() }).toMatchObject({
      status: 413,
      body: { message: mediaMessages.videoSize },
    })
    expect(left()).toEqual(before)
    // Time to send 300 MB.
  }, 120_000)

  test('more files than the library has room for, storing none', async () => {
    const artist = await createArtist(app)
    await insertPictures(app, artist, 98)
    const files = await Promise.all(
      [1, 2, 3].map(async (n) => ({ name: `${n}.jpg`, type: 'image/jpeg', bytes: await picture(30, 30, n) })),
    )
    expect(await sendForm(artist, files)).toMatchObject({ status: 409, body: { message: mediaMessages.libraryFull } })
    expect(await library(artist)).toHaveLength(98)
    expect(await sendForm(artist, files.slice(1))).toMatchObject({ status: 201 })
    expect(await library(artist)).toHaveLength(100)
  })
})

describe('POST /api/media/upload accepts', () => {
  test('several files, answered in the order sent', async () => {
    const artist = await createArtist(app)
    const files = [
      { name: 'one.jpg', type: 'image/jpeg', bytes: await picture(1300, 700) },
      { name: 'two.mov', type: 'application/octet-stream', bytes: videoFixture('landscape-5s.mov') },
      { name: 'drei ä.png', type: 'image/png', bytes: await picture(20, 30, 2, 'png') },
    ]
    const answer = await sendForm(artist, files)
    expect(answer).toMatchObject({
      status: 201,
      body: [
        { fileName: 'one.jpg', type: 'image' },
        { fileName: 'two.mov', type: 'video', mimeType: 'video/quicktime' },
        { fileName: 'drei ä.png' },
      ],
    })
    expect(await library(artist)).toEqual([...(answer.body as MediaItem[])].reverse())
  })

  test('a picture of exactly 20 MB', async () => {
    const artist = await createArtist(app)
    const bytes = padded(await picture(10, 10), mediaLimits.imageBytes)
    expect(await sendForm(artist, [{ name: 'a.jpg', type: 'image/jpeg', bytes }])).toMatchObject({
      status: 201,
      body: [{ size: mediaLimits.imageBytes }],
    })
  })
})

test('a form whose sender disconnects leaves nothing behind', async () => {
  const artist = await createArtist(app)
  const before = left()
  const sending = beginForm(artist, app.url, { 'content-length': 1_000_000 })
  sending.on('error', () => {})
  sending.write(Buffer.alloc(200_000, 1))
  await eventually('the file to begin', async () => left().length > before.length)
  sending.destroy()
  await eventually('the file to go', async () => left().length === before.length)
  await eventually('its record to go', async () =>
    (await app.client.db.select({ id: uploads.id, user: uploads.userId }).from(uploads)).every(
      (row) => row.user !== artist.id,
    ),
  )
  expect(await library(artist)).toEqual([])
})

test('of many concurrent broken forms six are read and the others refused at once, and other artists are served meanwhile', async () => {
  const artist = await createArtist(app)
  const bystander = await createArtist(app)
  const begin = () => {
    const sending = beginForm(artist, app.url, { 'transfer-encoding': 'chunked' })
    const status = new Promise<number | undefined>((resolve, reject) => {
      sending.once('response', (response) => resolve(response.resume().statusCode)).once('error', reject)
    })
    sending.write('half of it')
    return { end: () => sending.end(), status }
  }
  const read = Array.from({ length: 6 }, begin)
  await eventually('their files to begin', async () => {
    const begun = await app.client.db.select({ id: uploads.id }).from(uploads).where(eq(uploads.userId, artist.id))
    return begun.length === 6
  })
  const refused = Array.from({ length: 44 }, begin)
  for (const one of refused) one.end()
  expect(new Set(await Promise.all(refused.map(async (one) => await one.status)))).toEqual(new Set([429]))
  expect(await library(bystander)).toEqual([])
  for (const one of read) one.end()
  expect(new Set(await Promise.all(read.map(async (one) => await one.status)))).toEqual(new Set([400]))
  const picked = { name: 'a.jpg', type: 'image/jpeg', bytes: await picture(60, 60) }
  expect(await sendForm(artist, [picked])).toMatchObject({ status: 201 })
})
