import { mediaMessages } from '@flashsheet/contracts/media/messages'
import type { MediaItem } from '@flashsheet/contracts/media/schema'
import type { SiteImage } from '@flashsheet/contracts/website/schema'
import { formRequests, uploads } from '@flashsheet/db/schema/media'
import { siteImages } from '@flashsheet/db/schema/website'
import { picture } from '@flashsheet/sandbox/fixtures/videos'
import { eq } from 'drizzle-orm'
import * as fs from 'node:fs'
import * as path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createArtist, type Artist } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { gif } from '../../testing/bad-files.ts'
import { insertPictures } from '../../testing/records.ts'
import { eventually } from '../../testing/sandbox.ts'
import { sendForm, type SentFile, beginForm } from '../../testing/uploads.ts'
import { sweepUploads } from './service/sweep.ts'
import { openSystem } from '../../testing/system.ts'

let app: TestApp
let one: SentFile
let two: SentFile
beforeAll(async () => {
  app = await startTestApp()
  one = { name: 'one.jpg', type: 'image/jpeg', bytes: await picture(60, 40, 1) }
  two = { name: 'two.jpg', type: 'image/jpeg', bytes: await picture(60, 40, 2) }
})
afterAll(async () => await app.stop())

const uploadPaths = { library: '/api/media/upload', gallery: '/api/websitebuilder/upload' }
const image = '/api/websitebuilder/image'
const reused = { status: 409, body: { message: mediaMessages.requestReused, code: 'conflict' } }

const send = async (artist: Artist, files: SentFile[], key: string, to = uploadPaths.library) =>
  (await sendForm(artist, files, to === image ? 'file' : 'files', {
    path: to,
    headers: { 'idempotency-key': key },
  })) as { status: number; body: MediaItem[] }
const library = async (artist: Artist) => (await artist.get<MediaItem[]>('/api/media')).body
const gallery = async (artist: Artist) => (await artist.trpc.website.gallery.query()).map(({ _id }) => _id)
const foldersOf = (folder: string) => {
  const at = path.join(app.dataDir, 'storage', folder)
  return fs.existsSync(at) ? fs.readdirSync(at) : []
}
const unfinished = async (artist: Artist) =>
  (await app.client.db.select().from(uploads).where(eq(uploads.userId, artist.id))).filter((row) => !row.finishedAt)

describe.each(Object.entries(uploadPaths))('a form for the %s with an Idempotency-Key', (_what, uploadPath) => {
  test.each([
    ['empty', ''],
    ['longer than 200 characters', 'k'.repeat(201)],
  ])('is refused when the key is %s', async (_how, key) => {
    const artist = await createArtist(app)
    expect(await send(artist, [one], key, uploadPath)).toMatchObject({ status: 400, body: { code: 'invalid' } })
    expect(await library(artist)).toEqual([])
  })

  const others: [string, () => SentFile[]][] = [
    ['another name', () => [{ ...one, name: 'uno.jpg' }, two]],
    ['other bytes', () => [{ ...one, bytes: two.bytes }, two]],
    ['another order', () => [two, one]],
    ['one file fewer', () => [one]],
    ['one file more', () => [one, two, two]],
  ]
  test.each(others)('is refused when the key was used for a form with %s', async (_what, other) => {
    const artist = await createArtist(app)
    const first = await send(artist, [one, two], 'mine', uploadPath)
    expect(first.status).toBe(201)
    expect(await send(artist, other(), 'mine', uploadPath)).toMatchObject(reused)
    expect(await library(artist)).toEqual(first.body.toReversed())
  })

  test('leaves the key free when it was refused', async () => {
    const artist = await createArtist(app)
    const bad = { name: 'bad.jpg', type: 'image/jpeg', bytes: gif }
    expect(await send(artist, [one, bad], 'mine', uploadPath)).toMatchObject({ status: 400 })
    expect(await send(artist, [one, two], 'mine', uploadPath)).toMatchObject({ status: 201, body: [{}, {}] })
  })

  test('stores nothing twice, and answers the first result again', async () => {
    const artist = await createArtist(app)
    const first = await send(artist, [one, two], 'mine', uploadPath)
    const [folders, shown] = [foldersOf('media'), await gallery(artist)]
    expect(await send(artist, [one, two], 'mine', uploadPath)).toEqual(first)
    expect([await library(artist), await gallery(artist)]).toEqual([first.body.toReversed(), shown])
    expect(shown).toHaveLength(uploadPath === uploadPaths.gallery ? 2 : 0)
    expect([foldersOf('media'), await unfinished(artist)]).toEqual([folders, []])
  })

  test('stores nothing twice when it is sent several times at once', async () => {
    const artist = await createArtist(app)
    const before = foldersOf('media').length
    const answers = await Promise.all([1, 2, 3].map(async () => await send(artist, [one, two], 'mine', uploadPath)))
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(answers[1]).toEqual(answers[0])
    expect(answers[2]).toEqual(answers[0])
    expect(await library(artist)).toEqual(answers[0]?.body.toReversed())
    expect(await gallery(artist)).toHaveLength(uploadPath === uploadPaths.gallery ? 2 : 0)
    expect([foldersOf('media').length - before, await unfinished(artist)]).toEqual([2, []])
  })
})

test('of two different forms with one key at once, one is stored and the other refused', async () => {
  const artist = await createArtist(app)
  const answers = await Promise.all([send(artist, [one], 'mine'), send(artist, [two], 'mine')])
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409])
  expect(await library(artist)).toEqual(answers.find(({ status }) => status === 201)?.body)
})

test('a key of one path is refused at the other one', async () => {
  const artist = await createArtist(app)
  expect((await send(artist, [one], 'mine')).status).toBe(201)
  expect(await send(artist, [one], 'mine', uploadPaths.gallery)).toMatchObject(reused)
  expect([await gallery(artist), (await library(artist)).length]).toEqual([[], 1])
})

test('two artists may use the same key', async () => {
  const [ada, ben] = [await createArtist(app), await createArtist(app)]
  const [first, second] = [await send(ada, [one], 'same'), await send(ben, [two], 'same')]
  expect([first.status, second.status]).toEqual([201, 201])
  expect([await library(ada), await library(ben)]).toEqual([first.body, second.body])
})

test('a form whose sender disconnected midway leaves its key free', async () => {
  const artist = await createArtist(app)
  const sending = beginForm(artist, app.url, { 'content-length': 1_000_000, 'idempotency-key': 'mine' })
  sending.on('error', () => {})
  sending.write(Buffer.alloc(200_000, 1))
  await eventually('the file to begin', async () => (await unfinished(artist)).length === 1)
  sending.destroy()
  await eventually('its record to go', async () => (await unfinished(artist)).length === 0)
  expect(await send(artist, [one], 'mine')).toMatchObject({ status: 201, body: [{ fileName: 'one.jpg' }] })
  expect(await library(artist)).toHaveLength(1)
})

test('a repeat is answered although the form took the last place of the library', async () => {
  const artist = await createArtist(app)
  await insertPictures(app, artist, 99)
  const first = await send(artist, [one], 'mine')
  expect(first.status).toBe(201)
  expect(await send(artist, [one], 'mine')).toEqual(first)
  expect(await send(artist, [one], 'another')).toMatchObject({ status: 409, body: { code: 'full' } })
})

test("a repeat answers those of the form's items that are still in the library", async () => {
  const artist = await createArtist(app)
  const { body } = await send(artist, [one, two], 'mine')
  await artist.delete('/api/media', { ids: [body[0]?._id] })
  expect(await send(artist, [one, two], 'mine')).toEqual({ status: 201, body: [body[1]] })
  expect(await library(artist)).toEqual([body[1]])
})

test('a key is free again after a week', async () => {
  const artist = await createArtist(app)
  await send(artist, [one], 'mine')
  const { system, close } = await openSystem(app)
  const storedRequests = async () =>
    await app.client.db.select().from(formRequests).where(eq(formRequests.userId, artist.id))
  try {
    const later = (days: number) => ({ ...system, now: () => new Date(app.clock.now().getTime() + days * 86_400_000) })
    await sweepUploads(later(6.9))
    expect(await storedRequests()).toHaveLength(1)
    await sweepUploads(later(7.1))
    expect(await storedRequests()).toEqual([])
  } finally {
    await close()
  }
})

describe('a picture of the site with an Idempotency-Key', () => {
  const sendImage = async (artist: Artist, file: SentFile, key: string) =>
    (await send(artist, [file], key, image)) as unknown as { status: number; body: SiteImage }
  const stored = async (artist: Artist) =>
    await app.client.db.select({ id: siteImages.id }).from(siteImages).where(eq(siteImages.userId, artist.id))

  test('is refused for a bad key, and for a key that was used for another one or for another path', async () => {
    const artist = await createArtist(app)
    expect(await sendImage(artist, one, 'k'.repeat(201))).toMatchObject({ status: 400 })
    expect(await sendImage(artist, one, 'mine')).toMatchObject({ status: 200 })
    expect(await sendImage(artist, { ...one, name: 'uno.jpg' }, 'mine')).toMatchObject(reused)
    expect(await sendImage(artist, { ...one, bytes: two.bytes }, 'mine')).toMatchObject(reused)
    expect(await send(artist, [one], 'mine')).toMatchObject(reused)
    expect([(await stored(artist)).length, await library(artist)]).toEqual([1, []])
  })

  test('that was refused leaves the key free', async () => {
    const artist = await createArtist(app)
    expect(await sendImage(artist, { ...one, bytes: gif }, 'mine')).toMatchObject({ status: 400 })
    expect(await sendImage(artist, one, 'mine')).toMatchObject({ status: 200 })
    expect(await stored(artist)).toHaveLength(1)
  })

  test('is made once, also by several calls at once', async () => {
    const artist = await createArtist(app)
    const before = foldersOf('site-images').length
    const answers = await Promise.all([1, 2, 3].map(async () => await sendImage(artist, one, 'mine')))
    answers.push(await sendImage(artist, one, 'mine'))
    expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1)
    expect(answers[0]?.status).toBe(200)
    expect(await stored(artist)).toEqual([{ id: answers[0]?.body.url.split('/').at(-1) }])
    expect(foldersOf('site-images').length - before).toBe(1)
  })
})
