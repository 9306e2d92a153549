import { sitePalettes } from '@flashsheet/contracts/site-design'
import { users } from '@flashsheet/db/schema/auth'
import { subscriptions } from '@flashsheet/db/schema/subscription'
import { sites } from '@flashsheet/db/schema/website'
import { picture } from '@flashsheet/sandbox/fixtures/videos'
import { eq } from 'drizzle-orm'
import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createResponseCache } from '../core/response-cache.ts'
import { visitSite } from '../features/website/service/public-site.ts'
import { shareBytes } from '../features/website/service/share-picture.ts'
import { createArtist, type Artist } from '../testing/actors.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { uploadFile, uploadPictures } from '../testing/posting.ts'
import { openSystem } from '../testing/system.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(async () => await app.stop())

type Opened = { artist: Artist; name: string; ids: string[] }
let count = 0
/** Opens a site with these works, and waits until the page shows them all. */
async function openSite(make: (artist: Artist) => Promise<string[]>): Promise<Opened> {
  const artist = await createArtist(app)
  const name = `share-${(count += 1)}`
  const { status } = await artist.post('/api/websitebuilder', {
    personalInfo: { name: 'Ada "Ink" Well', shopName: 'Needle & Co', domainName: name },
    design: { palette: 'sailor' },
  })
  expect(status).toBe(200)
  const ids = await make(artist)
  await artist.post('/api/websitebuilder/gallery', { ids })
  await expect
    .poll(async () => (await page(name)).match(/<li><a href="\/files\/gallery/g)?.length ?? 0, { timeout: 20_000 })
    .toBe(ids.length)
  return { artist, name, ids }
}
const works =
  (number: number, size: [number, number] = [400, 500]) =>
  async (artist: Artist) =>
    await uploadPictures(artist, number, size)
const page = async (name: string) => await (await app.visitor().fetch(`/s/${name}`)).text()
/** The path of the share picture in the page's metadata; '' if they have another picture, or none. */
const shareOf = async (name: string) =>
  /<meta property="og:image" content="[^"]*(\/s\/[\w-]+\/share-[\w-]{22}\.jpg)">/.exec(await page(name))?.[1] ?? ''
const statusOf = async (path: string) => (await app.visitor().fetch(path)).status
async function pixels(bytes: Buffer) {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
  return (x: number, y: number) => [...data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3)]
}
/** The largest difference in a channel; JPEG changes a flat colour slightly. */
function distance(found: number[], hex: string): number {
  const wanted = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
  return Math.max(...wanted.map((value, at) => Math.abs((found[at] ?? Infinity) - value)))
}
const jpegSteps = 6

/** Pictures of one colour each. */
const flatWorks = (colors: readonly string[], width: number, height: number) => async (artist: Artist) => {
  const ids = []
  for (const background of colors) {
    const bytes = await sharp({ create: { width, height, channels: 3, background } })
      .jpeg()
      .toBuffer()
    ids.push(await uploadFile(artist, { name: `${background}.jpg`, type: 'image/jpeg', bytes }))
  }
  return ids
}
const colors = ['#c03020', '#208040', '#3050b0', '#f0f0f0']

test('the share picture of a site with upright works is a JPEG of 1200×630 with three of them on the colours of its palette', async () => {
  const { name } = await openSite(flatWorks(colors, 450, 600))
  const path = await shareOf(name)
  const body = await page(name)
  expect(body).toContain(`<meta property="og:image" content="${app.url}${path}">`)
  expect(body).toContain('<meta property="og:image:width" content="1200">')
  expect(body).toContain('<meta property="og:image:height" content="630">')
  expect(body).toContain(
    '<meta property="og:image:alt" content="Tattoos by Ada &quot;Ink&quot; Well, Needle &amp; Co">',
  )
  expect(body).toContain('<meta name="twitter:card" content="summary_large_image">')
  const answer = await app.visitor().fetch(path)
  expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
    200,
    'image/jpeg',
    'public, max-age=86400, must-revalidate',
  ])
  const bytes = Buffer.from(await answer.arrayBuffer())
  const facts = await sharp(bytes).metadata()
  expect([facts.format, facts.width, facts.height, facts.exif]).toEqual(['jpeg', 1200, 630, undefined])
  const at = await pixels(bytes)
  const { backgroundColor, buttonColor } = sitePalettes.sailor.colors
  expect(distance(at(10, 10), backgroundColor)).toBeLessThan(jpegSteps)
  expect(distance(at(600, 625), buttonColor)).toBeLessThan(jpegSteps)
  for (const [n, color] of colors.slice(0, 3).entries())
    expect(distance(at(220 + n * 380, 300), color)).toBeLessThan(jpegSteps)
  const etag = answer.headers.get('etag') ?? ''
  expect((await app.visitor().fetch(path, { headers: { 'if-none-match': etag } })).status).toBe(304)
  const head = await app.visitor().fetch(path, { method: 'HEAD' })
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)])
})

test('the share picture of square works contains two of them, since three would be cropped too narrow', async () => {
  const { name } = await openSite(flatWorks(colors, 600, 600))
  const at = await pixels(Buffer.from(await (await app.visitor().fetch(await shareOf(name))).arrayBuffer()))
  // Not near edges, where JPEG has artefacts.
  expect(distance(at(100, 300), colors[0]!)).toBeLessThan(jpegSteps)
  expect(distance(at(560, 300), colors[0]!)).toBeLessThan(jpegSteps)
  expect(distance(at(650, 300), colors[1]!)).toBeLessThan(jpegSteps)
  expect(distance(at(1100, 300), colors[1]!)).toBeLessThan(jpegSteps)
})

test('the share picture of a single upright work shows all of it on the background', async () => {
  const { name } = await openSite(works(1, [600, 1200]))
  const at = await pixels(Buffer.from(await (await app.visitor().fetch(await shareOf(name))).arrayBuffer()))
  const { backgroundColor } = sitePalettes.sailor.colors
  expect(distance(at(400, 300), backgroundColor)).toBeLessThan(jpegSteps)
  expect(distance(at(800, 300), backgroundColor)).toBeLessThan(jpegSteps)
})

test('the share picture of works that hardly compress stays below 300 kB', async () => {
  const { name } = await openSite(async (artist) => {
    const ids = []
    for (let n = 0; n < 3; n++) {
      const noise = sharp(randomBytes(700 * 700 * 3), { raw: { width: 700, height: 700, channels: 3 } })
      ids.push(
        await uploadFile(artist, {
          name: `${n}.jpg`,
          type: 'image/jpeg',
          bytes: await noise.jpeg({ quality: 95 }).toBuffer(),
        }),
      )
    }
    return ids
  })
  const { byteLength } = await (await app.visitor().fetch(await shareOf(name))).arrayBuffer()
  expect(byteLength).toBeGreaterThan(10_000)
  expect(byteLength).toBeLessThanOrEqual(300_000)
})

test('the share picture has another address after pictures, their order or the palette change, and the former address is 404', async () => {
  const { artist, name, ids } = await openSite(works(3))
  const before = await shareOf(name)
  expect(await statusOf(before)).toBe(200)
  const changes = [
    async () => await artist.trpc.website.reorderGallery.mutate({ ids: ids.toReversed() }),
    async () => await artist.post('/api/websitebuilder', { design: { palette: 'rose' } }),
    async () => await artist.delete(`/api/websitebuilder/gallery/${ids[0]}`),
  ]
  const seen = [before]
  for (const change of changes) {
    await change()
    await expect.poll(async () => seen.includes(await shareOf(name))).toBe(false)
    const path = await shareOf(name)
    expect([await statusOf(path), await statusOf(seen.at(-1) ?? '')]).toEqual([200, 404])
    seen.push(path)
  }
})

test('the share picture is 404 below the name of another site, and for an unknown file name', async () => {
  const [mine, other] = [await openSite(works(1)), await openSite(works(1))]
  const fileName = (await shareOf(mine.name)).split('/').at(-1)
  expect(await statusOf(`/s/${mine.name}/${fileName}`)).toBe(200)
  for (const path of [
    `/s/${other.name}/${fileName}`,
    `/s/nobody-has-this/${fileName}`,
    `/s/${mine.name}/share-${'a'.repeat(22)}.jpg`,
  ])
    expect(await statusOf(path)).toBe(404)
})

test('the share picture is 404 once its site is hidden, has no plan or is deactivated, although it is cached', async () => {
  const { artist, name } = await openSite(works(1))
  const path = await shareOf(name)
  const where = eq(sites.userId, artist.id)
  const plan = eq(subscriptions.userId, artist.id)
  expect(await statusOf(path)).toBe(200)
  await app.client.db.update(sites).set({ published: false }).where(where)
  expect(await statusOf(path)).toBe(404)
  await app.client.db.update(sites).set({ published: true }).where(where)
  await app.client.db.update(subscriptions).set({ status: 'canceled' }).where(plan)
  expect(await statusOf(path)).toBe(404)
  await app.client.db.update(subscriptions).set({ status: 'past_due' }).where(plan)
  expect(await statusOf(path)).toBe(200)
  await app.client.db.update(users).set({ isActive: false }).where(eq(users.id, artist.id))
  expect(await statusOf(path)).toBe(404)
})

test('the share picture contains only works that the page shows; otherwise the banner is used, and a site without pictures has none', async () => {
  const { artist, name } = await openSite(works(1))
  const before = await shareOf(name)
  const form = new FormData()
  form.append('file', new File([new Uint8Array(await picture(900, 600))], 'a.jpg', { type: 'image/jpeg' }))
  const image = await (await artist.fetch('/api/websitebuilder/image', { method: 'POST', body: form })).json()
  await artist.post('/api/websitebuilder', {
    images: { backgroundImage: image },
    sections: { shown: ['about', 'contact'] },
  })
  await expect
    .poll(async () => await page(name))
    .toContain(`<meta property="og:image" content="${app.url}/files/site-images/`)
  expect(await statusOf(before)).toBe(404)
  const bare = await createArtist(app)
  await bare.post('/api/websitebuilder', { personalInfo: { name: 'Bo', domainName: 'share-bare' } })
  const body = await page('share-bare')
  expect(body).toContain('<meta name="twitter:card" content="summary">')
  expect(body).not.toContain('og:image')
})

test('the share picture is drawn once for concurrent requests, and a failure is not cached', async () => {
  const { name } = await openSite(works(2))
  const { system, close } = await openSystem(app)
  try {
    const found = await visitSite(system, name)
    const share = found.state === 'open' ? found.content.share : undefined
    if (!share) throw new Error('the site has no share picture')
    let drawn = 0
    const counting = {
      ...system,
      // Without live hints, which would clear the cache.
      sharePictures: createResponseCache({ onHint: () => {} }, () => 0, []),
      filePool: {
        ...system.filePool,
        run: async (...task: Parameters<typeof system.filePool.run>) => {
          drawn += 1
          if (drawn === 1) throw new Error('away')
          return await system.filePool.run(...task)
        },
      },
    }
    const ask = async () => await shareBytes(counting, 'ada', share)
    await expect(ask()).rejects.toThrow('away')
    const answers = await Promise.all([ask(), ask(), ask()])
    answers.push(await ask())
    expect(drawn).toBe(2)
    for (const bytes of answers) expect(bytes.equals(answers[0]!)).toBe(true)
  } finally {
    await close()
  }
})
