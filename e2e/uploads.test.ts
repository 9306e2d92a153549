import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import type { CDPSession } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createArtist, type Artist } from '../api/testing/actors.ts'
import { startTestApp, type TestApp } from '../api/testing/app.ts'
import { paddedVideo } from '../api/testing/bad-files.ts'
import { eventually } from '../api/testing/sandbox.ts'
import { mediaMessages } from '../packages/contracts/media/messages.ts'
import type { MediaItem } from '../packages/contracts/media/schema.ts'
import { videoFixture, remuxedVideo } from '../packages/sandbox/fixtures/videos.ts'
import { openWindow, setSession, type Page, type Window } from './browser.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'flashsheet-uploads-'))
let app: TestApp
let artist: Artist
let window: Window
let page: Page
let session: CDPSession
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(async () => {
  await app?.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function openWizard(): Promise<void> {
  artist = await createArtist(app)
  window = await openWindow({ baseUrl: app.url })
  await setSession(window, app.url, artist.cookies)
  page = window.page
  session = await window.context.newCDPSession(page)
  await page.goto('/new-post')
}

/** Limits uploads to this many bytes a second; -1: no limit. */
async function throttle(uploadThroughput: number): Promise<void> {
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput,
  })
}

async function pick(card: string, file: string): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: new RegExp(`^${card}`) }).click()
  await (await chooser).setFiles(file)
}

const library = async () => (await artist.get<MediaItem[]>('/api/media')).body

function fileOf(name: string, bytes: Buffer): string {
  const file = path.join(folder, name)
  writeFileSync(file, bytes)
  return file
}

/** Presses Connect for Facebook during an upload, which asks first. */
async function connectFacebook(): Promise<void> {
  await page.getByRole('button', { name: 'Connect Facebook' }).click()
  await page
    .getByRole('dialog', { name: 'Connect Facebook' })
    .getByRole('button', { name: 'Connect', exact: true })
    .click()
  await page.getByRole('dialog', { name: 'Your upload is still running' }).waitFor()
}

test('after a release took the upload script away, the page offers to load again once the server answers, and the file then uploads', async () => {
  await openWizard()
  const engine = '**/assets/upload-engine-*.js'
  await page.route(engine, async (route) => await route.fulfill({ status: 404, body: '' }))
  const file = fileOf(
    'late.png',
    await sharp({ create: { width: 320, height: 400, channels: 3, background: 'teal' } })
      .png()
      .toBuffer(),
  )
  await pick('Single Image', file)
  await page.getByText(mediaMessages.uploadFailed).first().waitFor()
  const again = page.locator('#page-notice').getByRole('button', { name: 'Load again' })
  await again.waitFor()
  const ownPage = /\/new-post$/
  await page.route(ownPage, async (route) => await route.fulfill({ status: 502, body: '' }))
  await again.click()
  await page.getByText('There is still no connection.').waitFor()
  await page.unroute(ownPage)
  await page.unroute(engine)
  const loaded = page.waitForEvent('load')
  await again.click()
  await loaded
  await pick('Single Image', file)
  await eventually('the picture in the library', async () => (await library()).some(({ name }) => name === 'late.png'))
  expect(await page.locator('#page-notice').textContent()).toBe('')
  await window.close()
})

test('an invalid file is refused before a byte is sent; an upload that a reload interrupts is reported, and resumes when the file is picked again', async () => {
  await openWizard()
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/uploads')) sent.push(request.method())
  })
  await pick('Video', fileOf('long.mp4', await remuxedVideo('portrait-5s.mp4', { seconds: 181, fps: 2 })))
  await page.getByRole('alert').getByText(mediaMessages.videoDuration).waitFor()
  await pick('Video', fileOf('broken.mp4', videoFixture('portrait-5s.mp4').subarray(0, 20_000)))
  await page.getByRole('alert').getByText(mediaMessages.videoUnreadable).waitFor()
  expect(sent).toEqual([])

  const bytes = paddedVideo(videoFixture('portrait-5s.mp4'), 16_000_000)
  const file = fileOf('healed.mp4', bytes)
  // Slow enough not to end before a busy machine has seen a tenth of it.
  await throttle(700_000)
  await pick('Video', file)
  await page.getByText(/^[1-9]\d?% of /).waitFor()
  await eventually('some bytes at the server', async () => {
    const text = await page.getByText(/^\d+% of /).textContent()
    return Number(/\d+/.exec(text ?? '')?.[0] ?? 0) > 10
  })
  // Slow enough not to end before the reload.
  await throttle(10_000)
  await page.reload()
  await page.getByText('the upload was interrupted: pick the same file and it goes on where it stopped.').waitFor()
  expect(await library()).toEqual([])

  const offsets: number[] = []
  page.on('request', (request) => {
    if (request.method() === 'PATCH') offsets.push(Number(request.headers()['upload-offset']))
  })
  await throttle(-1)
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Pick it again' }).click()
  await (await chooser).setFiles(file)
  const [item] = await eventually('the video in the library', async () => {
    const items = await library()
    return items.length > 0 && items
  })
  // The browser may report the request after the server has answered.
  await expect.poll(() => offsets[0] ?? 0).toBeGreaterThan(1_000_000)
  const stored = Buffer.from(await (await artist.fetch(item!.url)).arrayBuffer())
  expect(createHash('sha256').update(stored).digest('hex')).toBe(createHash('sha256').update(bytes).digest('hex'))

  // The poster is a frame of the video, rendered by this browser, and not the placeholder.
  const colours = await eventually('the poster', async () => {
    const [now] = await library()
    const { data, info } = await sharp(Buffer.from(await (await artist.fetch(now!.thumbnailUrl)).arrayBuffer()))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    const seen = new Set<number>()
    for (let at = 0; at < data.length; at += info.channels)
      seen.add((data[at]! >> 4) * 256 + (data[at + 1]! >> 4) * 16 + (data[at + 2]! >> 4))
    return seen.size > 20 && seen
  })
  expect(colours.size).toBeGreaterThan(20)
  await window.close()
})

test('a network is connected after the upload, if the artist chooses so; staying interrupts nothing', async () => {
  await openWizard()
  await throttle(50_000)
  await pick('Video', fileOf('waits.mp4', paddedVideo(videoFixture('portrait-5s.mp4'), 8_000_000)))
  await page.getByText(/^\d+% of /).waitFor()
  await page.getByRole('link', { name: 'Social Accounts' }).click()
  await connectFacebook()
  await page.getByRole('button', { name: 'Stay here' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(new URL(page.url()).pathname).toBe('/social-accounts')
  await connectFacebook()
  await page.getByRole('button', { name: 'Connect when it is done' }).click()
  await page.getByText('Facebook opens as soon as it is done.').waitFor()
  expect(await library()).toEqual([])
  await throttle(-1)
  await page.waitForURL((url) => url.origin === app.sandboxUrl)
  expect((await library()).map((item) => item.fileName)).toEqual(['waits.mp4'])
  await window.close()
})
