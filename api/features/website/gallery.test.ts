import type { MediaItem } from '@flashsheet/contracts/media/schema'
import { galleryMessages } from '@flashsheet/contracts/website/messages'
import type { Gallery } from '@flashsheet/contracts/website/schema'
import { sessions, users } from '@flashsheet/db/schema/auth'
import { subscriptions } from '@flashsheet/db/schema/subscription'
import { galleryItems, sites } from '@flashsheet/db/schema/website'
import { videoFixture, picture } from '@flashsheet/sandbox/fixtures/videos'
import { eq } from 'drizzle-orm'
import * as fs from 'node:fs'
import * as path from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../core/ids.ts'
import { ownerScope } from '../../core/scope.ts'
import { createArtist, type Artist } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { mislabelledJpegWithLocation } from '../../testing/bad-files.ts'
import { sendForm } from '../../testing/uploads.ts'
import { openSystem } from '../../testing/system.ts'
import { publishGalleryItem, retryMissingRenditions } from './service/gallery-files.ts'
import { publicGalleryOf } from './service/gallery.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(async () => await app.stop())

async function addMedia(artist: Artist, ...files: { name: string; type: string; bytes: Buffer }[]): Promise<string[]> {
  const answer = await sendForm(artist, files)
  expect(answer.status).toBe(201)
  return (answer.body as MediaItem[]).map((item) => item._id)
}
const pictures = async (artist: Artist, count: number) =>
  await addMedia(
    artist,
    ...(await Promise.all(
      Array.from({ length: count }, async (_, n) => ({
        name: `${n}.jpg`,
        type: 'image/jpeg',
        bytes: await picture(40, 30, n),
      })),
    )),
  )
const add = async (artist: Artist, ids: string[]) => await artist.post<Gallery>('/api/websitebuilder/gallery', { ids })
const take = async (artist: Artist, id: string) => await artist.delete<Gallery>(`/api/websitebuilder/gallery/${id}`)
const publicOf = async (artist: Artist) => await publicGalleryOf(app.client.db, ownerScope(artist.id))
/** Opens the artist's site, and returns the public gallery once all renditions are made. */
async function published(artist: Artist, count: number) {
  const saved = await artist.post('/api/websitebuilder', {
    personalInfo: { name: artist.name, domainName: `gallery-${artist.id.slice(-12)}` },
  })
  expect(saved.status).toBe(200)
  await expect.poll(async () => (await publicOf(artist)).length, { timeout: 20_000 }).toBe(count)
  return await publicOf(artist)
}
const read = async (address: string) => Buffer.from(await (await app.visitor().fetch(address)).arrayBuffer())
const folderOf = (mediaId: string) => path.join(app.dataDir, 'storage/media', mediaId, 'gallery')

describe('the gallery', () => {
  test.each([
    ['no ids', { ids: [] }],
    ['no list', {}],
    ['no id', { ids: ['nonsense'] }],
  ])('adding refuses %s with 400', async (_what, body) => {
    expect(await (await createArtist(app)).post('/api/websitebuilder/gallery', body)).toMatchObject({ status: 400 })
  })

  test("another artist's item cannot be shown, described, moved or taken out", async () => {
    const [owner, other] = [await createArtist(app), await createArtist(app)]
    const [id = ''] = await pictures(owner, 1)
    expect(await add(other, [id])).toMatchObject({ status: 404 })
    await add(owner, [id])
    expect(await add(other, [id])).toMatchObject({ status: 404 })
    expect(await take(other, id)).toMatchObject({ status: 200, body: { gallery: [] } })
    await expect(other.trpc.website.describeGalleryItem.mutate({ id, altText: 'mine' })).rejects.toThrow(
      galleryMessages.notInGallery,
    )
    const [second = ''] = await pictures(owner, 1)
    await add(owner, [second])
    expect(await other.trpc.website.reorderGallery.mutate({ ids: [newId(), newId(), id] })).toEqual({ gallery: [] })
    expect(await owner.trpc.website.gallery.query()).toMatchObject([{ _id: id, altText: '' }, { _id: second }])
    // The database refuses a row of one artist with another's item.
    const row = {
      id: newId(),
      userId: other.id,
      mediaId: (await pictures(owner, 1))[0]!,
      position: 1,
      token: 'x',
      createdAt: app.clock.now(),
    }
    await expect(app.client.db.insert(galleryItems).values(row)).rejects.toThrow()
  })

  test('appends items in the order sent, skipping those in it and those not in the library', async () => {
    const artist = await createArtist(app)
    const [a = '', b = '', c = ''] = await pictures(artist, 3)
    expect(await add(artist, [b])).toMatchObject({ status: 200, body: { gallery: [b] } })
    expect(await add(artist, [c, b, newId(), a])).toMatchObject({ status: 200, body: { gallery: [b, c, a] } })
    expect(await add(artist, [newId()])).toMatchObject({ status: 404 })
    expect((await artist.trpc.website.gallery.query()).map((item) => item._id)).toEqual([b, c, a])
  })

  test('concurrent requests add an item once', async () => {
    const artist = await createArtist(app)
    const ids = await pictures(artist, 3)
    const answers = await Promise.all([add(artist, ids), add(artist, ids), add(artist, ids)])
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200])
    expect((await artist.trpc.website.gallery.query()).map((item) => item._id).sort()).toEqual([...ids].sort())
  })

  test('removes items one by one, skipping those not in it', async () => {
    const artist = await createArtist(app)
    const [a = '', b = ''] = await pictures(artist, 2)
    await add(artist, [a, b])
    expect(await take(artist, a)).toMatchObject({ status: 200, body: { gallery: [b] } })
    expect(await take(artist, a)).toMatchObject({ status: 200, body: { gallery: [b] } })
    expect(await take(artist, 'nonsense')).toMatchObject({ status: 404 })
    expect((await artist.get<MediaItem[]>('/api/media')).body).toHaveLength(2)
  })

  test('is reordered as requested; items that are not named follow', async () => {
    const artist = await createArtist(app)
    const [a = '', b = '', c = '', d = ''] = await pictures(artist, 4)
    await add(artist, [a, b, c, d])
    expect(await artist.trpc.website.reorderGallery.mutate({ ids: [d, newId(), b] })).toEqual({ gallery: [d, b, a, c] })
    const late = (await pictures(artist, 1))[0]!
    expect((await add(artist, [late])).body.gallery).toEqual([d, b, a, c, late])
  })

  test('an item gets an alternative text, of limited length', async () => {
    const artist = await createArtist(app)
    const [a = ''] = await pictures(artist, 1)
    await add(artist, [a])
    expect(
      await artist.trpc.website.describeGalleryItem.mutate({ id: a, altText: ' A swallow over the collarbone ' }),
    ).toMatchObject([{ _id: a, altText: 'A swallow over the collarbone' }])
    await expect(artist.trpc.website.describeGalleryItem.mutate({ id: a, altText: 'x'.repeat(251) })).rejects.toThrow(
      galleryMessages.altTextTooLong,
    )
    await published(artist, 1)
    expect(await publicOf(artist)).toMatchObject([{ alt: 'A swallow over the collarbone' }])
  })

  test('loses an item that is deleted from the library', async () => {
    const artist = await createArtist(app)
    const [a = '', b = ''] = await pictures(artist, 2)
    await add(artist, [a, b])
    const [shown] = await published(artist, 2)
    expect(await artist.delete('/api/media', { ids: [a] })).toMatchObject({ status: 200 })
    expect((await artist.trpc.website.gallery.query()).map((item) => item._id)).toEqual([b])
    expect((await app.visitor().fetch(shown!.webp[0]!.url)).status).toBe(404)
    await expect.poll(() => fs.existsSync(folderOf(a)), { timeout: 10_000 }).toBe(false)
  })
})

describe('uploading into the gallery', () => {
  const send = async (artist: Artist, files: { name: string; type: string; bytes: Buffer }[]) => {
    const form = new FormData()
    for (const file of files)
      form.append('files', new Blob([Uint8Array.from(file.bytes)], { type: file.type }), file.name)
    const response = await artist.fetch('/api/websitebuilder/upload', { method: 'POST', body: form })
    return { status: response.status, body: (await response.json()) as MediaItem[] }
  }

  test('takes all or nothing', async () => {
    const artist = await createArtist(app)
    const good = { name: 'a.jpg', type: 'image/jpeg', bytes: await picture(40, 30) }
    expect(
      await send(artist, [good, { name: 'b.jpg', type: 'image/jpeg', bytes: Buffer.from('no picture at all') }]),
    ).toMatchObject({ status: 400 })
    expect((await artist.get('/api/media')).body).toEqual([])
    expect(await artist.trpc.website.gallery.query()).toEqual([])
  })

  test('puts its pictures into library and gallery, and a video into the library', async () => {
    const artist = await createArtist(app)
    const answer = await send(artist, [
      { name: 'a.jpg', type: 'image/jpeg', bytes: await picture(40, 30, 1) },
      { name: 'b.mp4', type: 'video/mp4', bytes: videoFixture('portrait-5s.mp4') },
      { name: 'c.png', type: 'image/png', bytes: await picture(40, 30, 2, 'png') },
    ])
    expect(answer.status).toBe(201)
    expect(answer.body.map((item) => item.fileName)).toEqual(['a.jpg', 'b.mp4', 'c.png'])
    expect((await artist.trpc.website.gallery.query()).map((item) => item._id)).toEqual([
      answer.body[0]!._id,
      answer.body[2]!._id,
    ])
  })
})

describe('public renditions', () => {
  test('a rotated picture with a location is upright, in sizes up to its own, in two formats, without metadata', async () => {
    const artist = await createArtist(app)
    await add(
      artist,
      await addMedia(artist, {
        name: 'a.jpg',
        type: 'image/jpeg',
        bytes: await mislabelledJpegWithLocation(1500, 1000),
      }),
    )
    const [item] = await published(artist, 1)
    expect(item).toMatchObject({
      video: null,
      webp: [
        { width: 320, height: 480 },
        { width: 640, height: 960 },
        { width: 1000, height: 1500 },
      ],
    })
    expect(item!.plain.map(({ width }) => width)).toEqual([320, 640, 1000])
    for (const { url, width, height } of [...item!.webp, ...item!.plain]) {
      const bytes = await read(url)
      const { format, exif, xmp, icc, orientation, ...facts } = await sharp(bytes).metadata()
      expect({ format, exif, xmp, icc, orientation, width: facts.width, height: facts.height }).toEqual({
        format: url.endsWith('webp') ? 'webp' : 'jpeg',
        width,
        height,
      })
      expect(bytes.includes('GPS') || bytes.includes('Needle') || bytes.includes('Exif')).toBe(false)
    }
  })

  test('fine red lines remain sharp and red', async () => {
    const artist = await createArtist(app)
    const lines = Array.from(
      { length: 20 },
      (_, n) => `<line x1="${20 + n * 30}" y1="0" x2="${20 + n * 30}" y2="640" stroke="#c8102e" stroke-width="1.5"/>`,
    ).join('')
    const png = await sharp(
      Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="640" height="640">${lines}</svg>`),
    )
      .png()
      .toBuffer()
    await add(artist, await addMedia(artist, { name: 'lines.png', type: 'image/png', bytes: png }))
    const [item] = await published(artist, 1)
    const drawn = await sharp(png).flatten({ background: '#fff' }).raw().toBuffer()
    for (const { url } of [item!.webp.at(-1)!, item!.plain.at(-1)!]) {
      const shown = await sharp(await read(url))
        .raw()
        .toBuffer()
      expect(shown.length).toBe(drawn.length)
      let sum = 0
      for (let at = 0; at < drawn.length; at++) sum += (drawn[at]! - shown[at]!) ** 2
      // Peak signal-to-noise ratio in decibels; with chroma subsampling it is at most 30.
      expect(10 * Math.log10(255 ** 2 / (sum / drawn.length)), url).toBeGreaterThan(32)
    }
  })

  test('are served to everybody, cached for a day, with conditions and ranges; an unknown address is 404', async () => {
    const artist = await createArtist(app)
    await add(artist, await pictures(artist, 1))
    const [item] = await published(artist, 1)
    const { url } = item!.webp[0]!
    const whole = await app.visitor().fetch(url)
    expect({
      status: whole.status,
      type: whole.headers.get('content-type'),
      cache: whole.headers.get('cache-control'),
      ranges: whole.headers.get('accept-ranges'),
    }).toEqual({
      status: 200,
      type: 'image/webp',
      cache: 'public, max-age=86400, must-revalidate',
      ranges: 'bytes',
    })
    expect(whole.headers.get('set-cookie')).toBeNull()
    const bytes = Buffer.from(await whole.arrayBuffer())
    const etag = whole.headers.get('etag') ?? ''
    expect((await app.visitor().fetch(url, { headers: { 'if-none-match': etag } })).status).toBe(304)
    const part = await app.visitor().fetch(url, { headers: { range: 'bytes=4-9' } })
    expect({ status: part.status, bytes: Buffer.from(await part.arrayBuffer()) }).toEqual({
      status: 206,
      bytes: bytes.subarray(4, 10),
    })
    const token = url.split('/')[3] ?? ''
    expect(token).toMatch(/^[\w-]{22}$/)
    for (const wrong of [
      `/files/gallery/${token}/641.webp`,
      `/files/gallery/${token}/40.gif`,
      `/files/gallery/${token}/film.mp4`,
      `/files/gallery/${token}/..%2Foriginal`,
      `/files/gallery/${'A'.repeat(22)}/40.webp`,
      `/files/gallery/x/40.webp`,
    ]) {
      expect((await app.visitor().fetch(wrong)).status, wrong).toBe(404)
    }
  })

  test('with the cookie of an extended session are cached by nobody', async () => {
    const artist = await createArtist(app)
    await add(artist, await pictures(artist, 1))
    const [item] = await published(artist, 1)
    const { url } = item!.webp[0]!
    const expiresAt = new Date(Date.now() + 14 * 86_400_000)
    await app.client.db.update(sessions).set({ expiresAt }).where(eq(sessions.userId, artist.id))
    const { headers } = await artist.fetch(url)
    expect(headers.get('set-cookie')).toContain('flashsheet_session')
    expect(headers.get('cache-control')).toBe('no-store')
    expect((await artist.fetch(url)).headers.get('cache-control')).toContain('public')
  })

  test('a video has a copy without metadata, and pictures', async () => {
    const artist = await createArtist(app)
    await add(
      artist,
      await addMedia(artist, { name: 'a.mov', type: 'video/quicktime', bytes: videoFixture('landscape-5s.mov') }),
    )
    const [item] = await published(artist, 1)
    expect(item!.webp.map(({ width }) => width)).toEqual([320, 480])
    const answer = await app.visitor().fetch(item!.video?.url ?? '', { headers: { range: 'bytes=4-7' } })
    expect({ status: answer.status, type: answer.headers.get('content-type'), box: await answer.text() }).toEqual({
      status: 206,
      type: 'video/mp4',
      box: 'ftyp',
    })
    const bytes = await read(item!.video?.url ?? '')
    expect(bytes.includes('udta') || bytes.includes('©xyz') || bytes.includes('com.apple')).toBe(false)
  })

  test('are served only to the artist once the site is hidden, without a plan or deactivated, whatever a cache holds', async () => {
    const artist = await createArtist(app)
    await add(artist, await pictures(artist, 1))
    const [item] = await published(artist, 1)
    const { url } = item!.webp[0]!
    const etag = (await app.visitor().fetch(url)).headers.get('etag') ?? ''
    const seen = async () =>
      (
        await Promise.all([
          app.visitor().fetch(url),
          app.visitor().fetch(url, { headers: { 'if-none-match': etag } }),
          artist.fetch(url),
        ])
      ).map((answer) => answer.status)
    const where = eq(sites.userId, artist.id)
    expect(await seen()).toEqual([200, 304, 200])
    await app.client.db.update(sites).set({ published: false }).where(where)
    expect(await seen()).toEqual([404, 404, 200])
    expect((await artist.fetch(url)).headers.get('cache-control')).toBe('private, no-cache')
    await app.client.db.update(sites).set({ published: true }).where(where)
    await app.client.db.update(subscriptions).set({ status: 'canceled' }).where(eq(subscriptions.userId, artist.id))
    expect((await seen()).slice(0, 2)).toEqual([404, 404])
    await app.client.db.update(subscriptions).set({ status: 'past_due' }).where(eq(subscriptions.userId, artist.id))
    expect((await seen()).slice(0, 2)).toEqual([200, 304])
    await app.client.db.update(users).set({ isActive: false }).where(eq(users.id, artist.id))
    expect((await seen()).slice(0, 2)).toEqual([404, 404])
  })

  test('missing ones are made again by the hourly job', async () => {
    const artist = await createArtist(app)
    const [mediaId = ''] = await pictures(artist, 1)
    await add(artist, [mediaId])
    await published(artist, 1)
    const before = new Date(app.clock.now().getTime() - 2 * 3_600_000)
    await app.client.db
      .update(galleryItems)
      .set({ renditions: null, createdAt: before })
      .where(eq(galleryItems.mediaId, mediaId))
    expect(await publicOf(artist)).toEqual([])
    const { system, close } = await openSystem(app)
    await retryMissingRenditions(system)
    await close()
    expect(await published(artist, 1)).toHaveLength(1)
  })

  test('of an entry that is removed while they are made leave no file', async () => {
    const artist = await createArtist(app)
    const [id = ''] = await pictures(artist, 1)
    await add(artist, [id])
    await published(artist, 1)
    const isEntry = eq(galleryItems.mediaId, id)
    const [entry] = await app.client.db.update(galleryItems).set({ renditions: null }).where(isEntry).returning()
    const { system, close } = await openSystem(app)
    const { storage } = system.gateways
    const localFile = async (key: string) => {
      await app.client.db.delete(galleryItems).where(isEntry)
      return await storage.localFile(key)
    }
    await publishGalleryItem(
      { ...system, gateways: { ...system.gateways, storage: { ...storage, localFile } } },
      { galleryItemId: entry?.id ?? '' },
    )
    await close()
    expect(fs.existsSync(folderOf(id))).toBe(false)
  })

  test('of a removed entry are 404 at once and deleted; added again it has another address', async () => {
    const artist = await createArtist(app)
    const [id = ''] = await pictures(artist, 1)
    await add(artist, [id])
    const [before] = await published(artist, 1)
    await take(artist, id)
    expect((await app.visitor().fetch(before!.webp[0]!.url)).status).toBe(404)
    await expect.poll(() => fs.existsSync(folderOf(id)), { timeout: 10_000 }).toBe(false)
    await add(artist, [id])
    const [after] = await published(artist, 1)
    expect(after!.webp[0]!.url).not.toBe(before!.webp[0]!.url)
    expect((await app.visitor().fetch(before!.webp[0]!.url)).status).toBe(404)
    expect((await app.visitor().fetch(after!.webp[0]!.url)).status).toBe(200)
  })

  test('a deleted account has no gallery any more', async () => {
    const artist = await createArtist(app)
    await add(artist, await pictures(artist, 2))
    await app.client.db.delete(users).where(eq(users.id, artist.id))
    expect(await app.client.db.select().from(galleryItems).where(eq(galleryItems.userId, artist.id))).toEqual([])
  })
})
