import { mediaMessages } from '@flashsheet/contracts/media/messages'
import type { MediaItem } from '@flashsheet/contracts/media/schema'
import { uploads } from '@flashsheet/db/schema/media'
import { picture } from '@flashsheet/sandbox/fixtures/videos'
import { eq, inArray } from 'drizzle-orm'
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import * as path from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { bodyTimeouts } from '../../core/body-timeouts.ts'
import { newId } from '../../core/ids.ts'
import { createArtist, type Artist } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { padded } from '../../testing/bad-files.ts'
import { eventually } from '../../testing/sandbox.ts'
import { originalSha, sendForm, tus, upload, beginPiece } from '../../testing/uploads.ts'
import { ingestUpload } from './service/ingest.ts'
import { sweepUploads } from './service/sweep.ts'
import { openSystem } from '../../testing/system.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(async () => await app.stop())

const jpeg = { name: 'a.jpg', type: 'image/jpeg', bytes: 1000 }
const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const library = async (artist: Artist) => (await artist.get<MediaItem[]>('/api/media')).body
const incoming = (location: string) => path.join(app.dataDir, 'storage/uploads', location.split('/').at(-1) ?? '')
/** Waits until bytes of an upload have arrived, whether or not they are in its file yet. */
const arrived = async (location: string) =>
  await eventually('the first bytes', async () => {
    const id = location.split('/').at(-1) ?? ''
    const [row] = await app.client.db.select({ at: uploads.arrivedAt }).from(uploads).where(eq(uploads.id, id))
    return row?.at
  })

const begin = async (artist: Artist, count: number) =>
  await Promise.all(Array.from({ length: count }, async () => await tus.create(artist, jpeg)))

describe('unfinished uploads', () => {
  const many = { status: 429, body: { message: mediaMessages.tooManyUnfinished, code: 'tooMany' } }

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

  test('are limited to twenty for one form too: a larger form is invalid, and nothing of it is stored', async () => {
    const artist = await createArtist(app)
    const bytes = await picture(20, 20)
    expect(
      await sendForm(
        artist,
        Array.from({ length: 21 }, (_, n) => ({ name: `${n}.jpg`, type: 'image/jpeg', bytes })),
      ),
    ).toMatchObject({ status: 400, body: { message: mediaMessages.tooManyInForm, code: 'invalid' } })
    expect(await app.client.db.select().from(uploads).where(eq(uploads.userId, artist.id))).toEqual([])
  })

  test('are dropped for a new one after an hour without a byte, the longest idle first; an active one is not', async () => {
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
      const sending = beginPiece(artist, new URL(location, app.url), bytes.length)
      sending.on('error', () => resolve())
      sending.on('close', () => resolve())
      sending.write(bytes.subarray(0, 3_000_000))
      const cut = () => void sending.destroy()
      arrived(location).then(cut, cut)
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
      const sending = beginPiece(artist, new URL(location, app.url), bytes.length)
      const answered = new Promise<number | undefined>((resolve) => {
        sending.once('response', ({ statusCode }) => resolve(statusCode))
        sending.once('error', () => resolve(undefined))
      })
      let status: number | undefined
      void answered.then((code) => {
        status = code
      })
      sending.write(bytes.subarray(0, 100_000))
      await arrived(location)
      await eventually('an answer', async () => {
        vi.advanceTimersByTime(bodyTimeouts.periodMs)
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

  test('is aborted when a second request continues it', async () => {
    const artist = await createArtist(app)
    const bytes = padded(await picture(500, 500), 1_000_000)
    const created = await tus.create(artist, { name: 'a.jpg', type: 'image/jpeg', bytes: bytes.length })
    const location = created.headers.get('location') ?? ''
    // A connection that goes silent, like a phone's that leaves the Wi-Fi.
    const hanging = beginPiece(artist, new URL(location, app.url), bytes.length)
    hanging.on('error', () => {})
    hanging.write(bytes.subarray(0, 100_000))
    await arrived(location)
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

    const { system, close } = await openSystem(app)
    const twice = (await crash()).split('/').at(-1) ?? ''
    await Promise.all([ingestUpload(system, twice), ingestUpload(system, twice)])
    const swept = await crash()
    app.clock.advance(2 * 60_000)
    await Promise.all([sweepUploads(system), sweepUploads(system)])
    expect(await library(artist)).toHaveLength(3)
    expect((await tus.head(artist, swept)).headers.get('media-id')).toEqual(expect.any(String))
    await close()
  })

  test('is ingested by the sweep however many older uploads are unfinished', async () => {
    const artist = await createArtist(app)
    const { system, close } = await openSystem(app)
    const stalled = Array.from({ length: 1000 }, (_, n) => ({
      id: newId(),
      userId: artist.id,
      fileName: `${n}.jpg`,
      mimeType: 'image/jpeg',
      bytes: 1000,
      createdAt: system.now(),
    }))
    const other = await createArtist(app)
    await app.client.db.insert(uploads).values(stalled)
    app.clock.advance(1000)
    const bytes = await picture(300, 200)
    const created = await tus.create(other, { name: 'a.jpg', type: 'image/jpeg', bytes: bytes.length })
    fs.writeFileSync(incoming(created.headers.get('location') ?? ''), bytes)
    app.clock.advance(2 * 60_000)
    await sweepUploads(system)
    expect(await library(other)).toHaveLength(1)
    await app.client.db.delete(uploads).where(eq(uploads.userId, artist.id))
    await close()
  })

  test('is looked up by the sweep together with others, at most sixteen at once', async () => {
    const artists = [await createArtist(app), await createArtist(app)]
    for (const artist of artists) await begin(artist, 20)
    const { system, close } = await openSystem(app)
    const { storage } = system.gateways
    let [running, most] = [0, 0]
    const second = Promise.withResolvers<void>()
    const bytes = async (id: string) => {
      running += 1
      most = Math.max(most, running)
      if (running === 2) second.resolve()
      await second.promise
      const found = await storage.partialUploads.bytes(id)
      running -= 1
      return found
    }
    const partialUploads = { ...storage.partialUploads, bytes }
    app.clock.advance(2 * 60_000)
    await sweepUploads({ ...system, gateways: { ...system.gateways, storage: { ...storage, partialUploads } } })
    expect(most).toBe(16)
    await app.client.db.delete(uploads).where(
      inArray(
        uploads.userId,
        artists.map(({ id }) => id),
      ),
    )
    await close()
  })

  test('that is never finished is deleted after a day', async () => {
    const artist = await createArtist(app)
    const created = await tus.create(artist, jpeg)
    const location = created.headers.get('location') ?? ''
    await tus.patch(artist, location, 0, new Uint8Array(10))
    const { system, close } = await openSystem(app)
    app.clock.advance(23 * 3_600_000)
    await sweepUploads(system)
    expect(fs.existsSync(incoming(location))).toBe(true)
    app.clock.advance(2 * 3_600_000)
    await sweepUploads(system)
    expect(fs.existsSync(incoming(location))).toBe(false)
    expect((await tus.head(artist, location)).status).toBe(404)
    await close()
  })

  test('that is complete is retried for a week when it cannot be added to the library', async () => {
    const [artist, other] = [await createArtist(app), await createArtist(app)]
    const bytes = await picture(300, 200)
    const complete = async (owner: Artist) => {
      const created = await tus.create(owner, { name: 'a.jpg', type: 'image/jpeg', bytes: bytes.length })
      fs.writeFileSync(incoming(created.headers.get('location') ?? ''), bytes)
    }
    await complete(artist)
    const { system, close } = await openSystem(app)
    const { storage } = system.gateways
    const put = async () => await Promise.reject(new Error('the disk is read-only'))
    const failing = { ...system, gateways: { ...system.gateways, storage: { ...storage, put } } }
    app.clock.advance(6 * 24 * 3_600_000)
    await sweepUploads(failing)
    expect(await library(artist)).toEqual([])
    await sweepUploads(system)
    expect(await library(artist)).toHaveLength(1)

    await complete(other)
    app.clock.advance(8 * 24 * 3_600_000)
    await sweepUploads(failing)
    expect(await app.client.db.select().from(uploads).where(eq(uploads.userId, other.id))).toEqual([])
    await close()
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
