import { siteLayouts, sitePaletteIds, sitePalettes } from '@flashsheet/contracts/site-design'
import { siteImages } from '@flashsheet/db/schema/website'
import { picture } from '@flashsheet/sandbox/fixtures/videos'
import { inArray } from 'drizzle-orm'
import * as fs from 'node:fs'
import * as path from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLogger } from '../core/log.ts'
import { measureLogos } from '../features/website/service/site-images.ts'
import { createArtist, type Artist } from '../testing/actors.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { startSystem } from '../wiring.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(async () => await app.stop())

let count = 0
async function openSite(body: Record<string, unknown> = {}): Promise<{ artist: Artist; path: string }> {
  const artist = await createArtist(app)
  const name = `look-${(count += 1)}`
  const personalInfo = { name: 'Ada Inkwell', domainName: name }
  expect((await artist.post('/api/websitebuilder', { personalInfo, ...body })).status).toBe(200)
  return { artist, path: `/s/${name}` }
}
/** Thin lines of one colour on a transparent background, like an artist's lettering. */
const drawnIn = async (color: string, ground = '') =>
  await sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="160">${ground}<path d="M20 140L120 20l80 120 80-120 80 120" fill="none" stroke="${color}" stroke-width="9"/></svg>`,
    ),
  )
    .png()
    .toBuffer()
async function upload(artist: Artist, bytes: Uint8Array): Promise<{ url: string }> {
  const form = new FormData()
  form.append('file', new File([new Uint8Array(bytes)], 'logo.png', { type: 'image/png' }))
  const response = await artist.fetch('/api/websitebuilder/image', { method: 'POST', body: form })
  expect(response.status).toBe(200)
  return (await response.json()) as { url: string }
}
const read = async (path: string) => {
  const response = await app.visitor().fetch(path)
  return { headers: response.headers, body: await response.text() }
}

test.each(sitePaletteIds)(
  'a site in the palette %s has its colours, and two families from its own host of 50 kB at most',
  async (palette) => {
    const { path } = await openSite({ design: { palette } })
    const { body, headers } = await read(path)
    expect(body).toContain(`--background:${sitePalettes[palette].colors.backgroundColor};`)
    expect(headers.get('content-security-policy')).toContain("font-src 'self'")
    const preloaded = [...body.matchAll(/<link rel="preload" href="([^"]+)" as="font"/g)].map(([, url]) => url!)
    expect(preloaded).toHaveLength(2)
    // Until they are loaded, installed fonts of the same size are shown.
    for (const name of ['heading', 'words']) {
      expect(body).toContain(`--${name}:${name},${name}-desktop,${name}-android,`)
      for (const fallback of [`${name}-desktop`, `${name}-android`])
        expect(body).toMatch(
          new RegExp(`font-family:${fallback};src:local\\([^}]*size-adjust:[\\d.]+%;ascent-override:`),
        )
    }
    const fonts = await Promise.all(
      preloaded.map(async (url) => {
        expect(body).toContain(`src:url(${url})`)
        const font = await app.visitor().fetch(url)
        expect([font.status, font.headers.get('content-type')]).toEqual([200, 'font/woff2'])
        expect(font.headers.get('cache-control')).toContain('immutable')
        return (await font.arrayBuffer()).byteLength
      }),
    )
    expect(Buffer.byteLength(body)).toBeLessThan(50_000)
    expect(fonts.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(50_000)
  },
)

test('a site without a palette loads no font', async () => {
  const { path } = await openSite()
  const { body } = await read(path)
  expect(body).toContain('--background:#000000;')
  expect(body).not.toMatch(/@font-face|rel="preload"/)
})

test.each(siteLayouts)(
  'a site in the layout %s has the name before every picture, one of which is eager',
  async (layout) => {
    const { artist, path } = await openSite()
    const form = new FormData()
    form.append('file', new File([new Uint8Array(await picture(600, 800))], 'a.jpg', { type: 'image/jpeg' }))
    const image = await (await artist.fetch('/api/websitebuilder/image', { method: 'POST', body: form })).json()
    await artist.post('/api/websitebuilder', {
      design: { layout },
      images: { backgroundImage: image, profileImage: image },
    })
    await expect.poll(async () => (await read(path)).body).toContain('<picture')
    const { body } = await read(path)
    expect(body).toContain(`class="wide hero ${layout}"`)
    expect(body.indexOf('<h1')).toBeGreaterThan(0)
    expect(body.indexOf('<h1')).toBeLessThan(body.indexOf('<picture'))
    expect(body.match(/fetchpriority="high"/g)).toHaveLength(1)
  },
)

const plated = (body: string) => ({
  marked: body.includes('class="brand plated"'),
  plate: /--plate:(#[0-9a-f]{6})/.exec(body)?.[1],
})
const bare = { marked: false, plate: undefined }

test.each([
  ['white', 'chalk', { marked: true, plate: sitePalettes.chalk.colors.textColor }],
  ['white', 'rose', { marked: true, plate: sitePalettes.rose.colors.textColor }],
  ['white', 'night', bare],
  ['#1c1815', 'night', { marked: true, plate: sitePalettes.night.colors.textColor }],
  ['#1c1815', 'sailor', { marked: true, plate: sitePalettes.sailor.colors.textColor }],
  ['#1c1815', 'bone', bare],
  ['#cc0000', 'chalk', bare],
] as const)('a transparent logo in %s on %s has a plate where it would be lost', async (color, palette, expected) => {
  const { artist, path } = await openSite({ design: { palette } })
  const logoImage = await upload(artist, await drawnIn(color))
  const site = JSON.stringify({ images: { logoImage } })
  const draft = await artist.fetch('/api/websitebuilder/preview', {
    method: 'POST',
    body: new URLSearchParams({ site }),
  })
  expect(plated(await draft.text())).toEqual(expected)
  await artist.post('/api/websitebuilder', { images: { logoImage } })
  await expect.poll(async () => (await read(path)).body).toContain(logoImage.url)
  expect(plated((await read(path)).body)).toEqual(expected)
  expect(plated((await read(`${path}/book`)).body)).toEqual(expected)
})

test('an opaque logo has no plate', async () => {
  const { artist, path } = await openSite({ design: { palette: 'chalk' } })
  const logoImage = await upload(artist, await drawnIn('white', '<path fill="#eee" d="M0 0h400v160H0z"/>'))
  await artist.post('/api/websitebuilder', { images: { logoImage } })
  await expect.poll(async () => (await read(path)).body).toContain(logoImage.url)
  expect(plated((await read(path)).body)).toEqual(bare)
})

test('a job adds the plate to a logo that was stored before its lightness was measured, once', async () => {
  const logos = await Promise.all(
    ['chalk', 'rose'].map(async (palette) => {
      const { artist, path } = await openSite({ design: { palette } })
      const logoImage = await upload(artist, await drawnIn('white'))
      await artist.post('/api/websitebuilder', { images: { logoImage } })
      return { path, id: logoImage.url.split('/').at(-1) ?? '' }
    }),
  )
  const [first, withoutFiles] = logos
  const ids = logos.map(({ id }) => id)
  const measured = async () =>
    await app.client.db
      .select({ id: siteImages.id, lightness: siteImages.lightness })
      .from(siteImages)
      .where(inArray(siteImages.id, ids))
  await app.client.db.update(siteImages).set({ lightness: null }).where(inArray(siteImages.id, ids))
  // A logo without files must not prevent the others from being measured.
  fs.rmSync(path.join(app.dataDir, 'storage', 'site-images', withoutFiles!.id), { recursive: true })
  const before = (await read(first!.path)).headers.get('etag')
  const { system, stop } = await startSystem(app.running.config, {
    databaseUrl: app.running.databaseUrl,
    log: createLogger('silent'),
    isWorker: false,
    now: app.clock.now,
  })
  try {
    await Promise.all([measureLogos(system), measureLogos(system)])
    await measureLogos(system)
  } finally {
    await stop(0)
  }
  expect(new Map((await measured()).map(({ id, lightness }) => [id, lightness]))).toEqual(
    new Map(ids.map((id) => [id, id === withoutFiles!.id ? null : 255])),
  )
  await expect
    .poll(async () => plated((await read(first!.path)).body))
    .toEqual({ marked: true, plate: sitePalettes.chalk.colors.textColor })
  expect((await read(first!.path)).headers.get('etag')).not.toBe(before)
})
