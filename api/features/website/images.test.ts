import { mediaMessages } from '@flashsheet/contracts/media/messages'
import { siteMessages } from '@flashsheet/contracts/website/messages'
import type { Site, SiteImage } from '@flashsheet/contracts/website/schema'
import { siteImages, sites } from '@flashsheet/db/schema/website'
import { videoFixture, picture } from '@flashsheet/sandbox/fixtures/videos'
import { eq } from 'drizzle-orm'
import * as fs from 'node:fs'
import * as path from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createArtist, type Answer, type Artist } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { gif, mislabelledJpegWithLocation, padded } from '../../testing/bad-files.ts'
import { everyoneScope } from '../../core/scope.ts'
import { existingImages } from './queries/sites.ts'
import { receiveSiteImage, sweepSiteImages } from './service/site-images.ts'
import { connectFailing, lostConnection } from '../../testing/failing-database.ts'
import { lockWaits } from '../../testing/lock-waits.ts'
import { eventually } from '../../testing/sandbox.ts'
import { serve } from '../../testing/serve.ts'
import { beginForm } from '../../testing/uploads.ts'
import { openSystem, subscriberCtx } from '../../testing/system.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ role: 'web' })
})
afterAll(async () => await app.stop())

const file = (bytes: Uint8Array, type = 'image/jpeg', name = 'logo.jpg') =>
  new File([new Uint8Array(bytes)], name, { type })

const route = '/api/websitebuilder/image'

async function send(
  artist: Artist,
  sent: File | null,
  field = 'file',
): Promise<{ status: number; body: SiteImage & { message: string } }> {
  const form = new FormData()
  if (sent) form.append(field, sent)
  const response = await artist.fetch(route, { method: 'POST', body: form })
  return { status: response.status, body: (await response.json()) as SiteImage & { message: string } }
}
const bytesAt = async (artist: Artist, url: string) => Buffer.from(await (await artist.fetch(url)).arrayBuffer())
const filesOf = (url: string) => path.join(app.dataDir, 'storage', 'site-images', url.split('/').at(-1) ?? '')

describe('a picture of the site', () => {
  const refused: [string, () => Promise<File | null>, number, string][] = [
    ['nothing', async () => await Promise.resolve(null), 400, mediaMessages.emptyPick],
    ['a GIF', async () => await Promise.resolve(file(gif, 'image/gif', 'a.gif')), 400, mediaMessages.imageType],
    [
      'a video',
      async () => await Promise.resolve(file(videoFixture('portrait-5s.mp4'), 'video/mp4', 'a.mp4')),
      400,
      mediaMessages.imageType,
    ],
    ['a GIF sent as a JPEG', async () => await Promise.resolve(file(gif)), 400, mediaMessages.imageType],
    [
      'an SVG sent as a PNG',
      async () =>
        await Promise.resolve(
          file(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'), 'image/png'),
        ),
      400,
      mediaMessages.imageType,
    ],
    ['a broken one', async () => file((await picture(300, 300)).subarray(0, 200)), 400, mediaMessages.imageUnreadable],
    ['more than 20 MB', async () => file(padded(await picture(300, 300), 20_971_521)), 413, mediaMessages.imageSize],
  ]
  test.each(refused)('refuses %s', async (_what, make, status, message) => {
    const artist = await createArtist(app)
    expect(await send(artist, await make())).toMatchObject({ status, body: { message } })
    expect(await app.client.db.select().from(siteImages).where(eq(siteImages.userId, artist.id))).toEqual([])
  })

  test('sent in another field than `file` is refused', async () => {
    expect(await send(await createArtist(app), file(await picture(30, 30)), 'files')).toMatchObject({
      status: 400,
      body: { message: mediaMessages.emptyPick },
    })
  })

  test('of many of one artist at once, some are refused; one of another artist is stored meanwhile', async () => {
    const artist = await createArtist(app)
    const logo = file(await picture(60, 60))
    const begun = Array.from({ length: 20 }, () => {
      const sending = beginForm(artist, app.url, { 'transfer-encoding': 'chunked' }, { path: route, field: 'file' })
      const status = new Promise<number | undefined>((resolve, reject) => {
        sending.once('response', (response) => resolve(response.resume().statusCode)).once('error', reject)
      })
      sending.write('half of it')
      return { end: () => sending.end(), status }
    })
    expect(await send(await createArtist(app), logo)).toMatchObject({ status: 200 })
    for (const one of begun) one.end()
    expect(new Set(await Promise.all(begun.map(async (one) => await one.status)))).toEqual(new Set([400, 429]))
    expect(await send(artist, logo)).toMatchObject({ status: 200 })
  })

  test('is encoded again: upright, without location, in the sizes that a page uses', async () => {
    const artist = await createArtist(app)
    const sent = await mislabelledJpegWithLocation(1200, 800)
    const { status, body } = await send(artist, file(sent))
    expect(status).toBe(200)
    expect(body).toEqual({
      url: expect.stringMatching(/^\/files\/site-images\/[\w-]{22}$/),
      fileName: 'logo.jpg',
      size: sent.length,
      uploadedAt: expect.stringMatching(/Z$/),
    })
    const names = fs.readdirSync(filesOf(body.url)).toSorted()
    expect(names).toEqual(['320.jpg', '320.webp', '640.jpg', '640.webp', '800.jpg', '800.webp'])
    for (const name of names) {
      const metadata = await sharp(fs.readFileSync(path.join(filesOf(body.url), name))).metadata()
      expect([name, metadata.exif, metadata.orientation, metadata.height! > metadata.width!]).toEqual([
        name,
        undefined,
        undefined,
        true,
      ])
    }
    // While no site is open, only the artist sees it.
    const served = await artist.fetch(body.url)
    expect([served.status, served.headers.get('content-type'), served.headers.get('cache-control')]).toEqual([
      200,
      'image/jpeg',
      'private, no-cache',
    ])
    expect((await app.visitor().fetch(body.url)).status).toBe(404)
    expect((await (await createArtist(app)).fetch(body.url)).status).toBe(404)
  })

  test('remains transparent, as a PNG', async () => {
    const artist = await createArtist(app)
    const logo = await sharp({
      create: { width: 400, height: 200, channels: 4, background: { r: 200, g: 0, b: 0, alpha: 0 } },
    })
      .png()
      .toBuffer()
    const { body } = await send(artist, file(logo, 'image/png', 'logo.png'))
    for (const form of ['400.png', '400.webp'])
      expect((await sharp(await bytesAt(artist, `${body.url}/${form}`)).stats()).isOpaque).toBe(false)
  })

  test.each([
    '/files/site-images/nonsense',
    `/files/site-images/${'a'.repeat(22)}`,
    `/files/site-images/${'a'.repeat(22)}/..%2f..%2fx.jpg`,
  ])('%s is 404', async (url) => {
    expect((await app.visitor().fetch(url)).status).toBe(404)
  })

  test('is shown by its own artist’s site only, until it is removed', async () => {
    const [owner, thief] = [await createArtist(app), await createArtist(app)]
    const { body } = await send(owner, file(await picture(900, 900)))
    const save = async (artist: Artist, images: unknown): Promise<Answer<Site>> =>
      await artist.post<Site>('/api/websitebuilder', {
        personalInfo: { name: 'Ada', domainName: `shown-${artist.id.slice(-12)}` },
        images,
      })
    expect(await save(thief, { logoImage: body })).toMatchObject({
      status: 400,
      body: { message: siteMessages.imageUnknown },
    })
    expect((await save(owner, { logoImage: body, profileImage: { url: body.url } })).body.images).toEqual({
      logoImage: body,
      backgroundImage: null,
      profileImage: body,
    })
    const page = await (await app.visitor().fetch(`/s/shown-${owner.id.slice(-12)}`)).text()
    expect(page).toContain(`${body.url}/640.webp 640w`)
    expect(page).toContain(`<link rel="icon" href="${body.url}/320.jpg">`)
    const [first, again] = [await app.visitor().fetch(body.url), await app.visitor().fetch(`${body.url}/640.webp`)]
    expect([first.status, first.headers.get('cache-control'), again.status]).toEqual([
      200,
      'public, max-age=86400, must-revalidate',
      200,
    ])
    await app.client.db.update(sites).set({ published: false }).where(eq(sites.userId, owner.id))
    expect([
      (await app.visitor().fetch(body.url)).status,
      (await app.visitor().fetch(`${body.url}/640.webp`)).status,
      (await owner.fetch(body.url)).status,
    ]).toEqual([404, 404, 200])
    expect((await save(owner, {})).body.images).toEqual({ logoImage: null, backgroundImage: null, profileImage: null })
  })

  test('is deleted with its files after a week unless a site uses it', async () => {
    const artist = await createArtist(app)
    const sent: SiteImage[] = []
    for (const n of [1, 2, 3, 4]) sent.push((await send(artist, file(await picture(60, 60, n)))).body)
    const [logoImage, backgroundImage, profileImage] = sent
    await artist.post('/api/websitebuilder', {
      personalInfo: { name: 'Ada', domainName: `kept-${artist.id.slice(-12)}` },
      images: { logoImage, backgroundImage, profileImage },
    })
    const stored = () => sent.map(({ url }) => fs.existsSync(filesOf(url)))
    const { system, close } = await openSystem(app)
    try {
      await sweepSiteImages(system)
      expect(stored()).toEqual([true, true, true, true])
      const inEightDays = new Date(app.clock.now().getTime() + 8 * 86_400_000)
      await sweepSiteImages({ ...system, now: () => inEightDays })
      expect(stored()).toEqual([true, true, true, false])
    } finally {
      await close()
    }
  })
})

test('a picture is not deleted by a sweep that runs while it is saved into a site', async () => {
  const artist = await createArtist(app)
  const { body: logoImage } = await send(artist, file(await picture(60, 60)))
  const { system, close } = await openSystem(app)
  const inEightDays = new Date(app.clock.now().getTime() + 8 * 86_400_000)
  try {
    // Holds the save between the check of its pictures and its write.
    const { saving, sweep } = await system.client.sql.begin(async (blocker) => {
      await blocker`lock table sites in share mode`
      const saving = artist.post<Site>('/api/websitebuilder', {
        personalInfo: { name: 'Ada', domainName: `swept-${artist.id.slice(-12)}` },
        images: { logoImage, backgroundImage: null, profileImage: null },
      })
      await eventually('the save to wait', async () => (await lockWaits(system.client)) === 1)
      let isDone = false
      const sweep = sweepSiteImages({ ...system, now: () => inEightDays }).finally(() => (isDone = true))
      await eventually('the sweep to end or to wait', async () => isDone || (await lockWaits(system.client)) === 2)
      return { saving, sweep }
    })
    expect(await saving).toMatchObject({ status: 200, body: { images: { logoImage } } })
    await sweep
    expect(fs.existsSync(filesOf(logoImage.url))).toBe(true)
  } finally {
    await close()
  }
})

describe('when the answer to its commit is lost, a picture', () => {
  /** Sends a picture to the service over a database that loses the answer to every transaction. */
  async function sendLosing(artist: Artist, requestId?: string): Promise<unknown> {
    const { system, close } = await openSystem(app)
    const client = connectFailing(app.running.databaseUrl, (statement) => (statement === 'begin' ? 'after' : undefined))
    const ctx = { ...subscriberCtx(artist, { ...system, client, db: client.db }), studio: true as const }
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const url = await serve((request, response) => {
      receiveSiteImage(ctx, request, { path: '/api/websitebuilder/image', requestId })
        .then(resolve, resolve)
        .finally(() => response.end())
    })
    const form = new FormData()
    form.append('file', file(await picture(300, 300)))
    await fetch(url, { method: 'POST', body: form })
    const result = await promise
    await client.close()
    await close()
    return result
  }

  test('keeps its files until the sweep of unused ones', async () => {
    const artist = await createArtist(app)
    expect(await sendLosing(artist)).toMatchObject(lostConnection())
    const [row] = await app.client.db.select().from(siteImages).where(eq(siteImages.userId, artist.id))
    expect(row?.sizes).toHaveLength(1)
    expect(fs.readdirSync(filesOf(row?.id ?? ''))).toHaveLength(2)
  })

  test('with a request id is returned', async () => {
    const artist = await createArtist(app)
    const sent = (await sendLosing(artist, 'lost-answer')) as SiteImage
    expect(sent.url).toMatch(/^\/files\/site-images\//)
    expect((await artist.fetch(sent.url)).status).toBe(200)
  })
})

test('looks up more ids than a statement can have values', async () => {
  const { system, close } = await openSystem(app)
  try {
    const ids = Array.from({ length: 70_000 }, (_, n) => String(n).padStart(22, 'x'))
    const artist = await createArtist(app)
    await app.client.db.insert(siteImages).values({
      id: ids[69_999] ?? '',
      userId: artist.id,
      fileName: 'a.jpg',
      bytes: 1,
      sizes: [],
      clear: false,
      uploadedAt: app.clock.now(),
    })
    expect(await existingImages(system.db, everyoneScope(), ids)).toEqual([ids[69_999]])
  } finally {
    await close()
  }
})
