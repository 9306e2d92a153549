import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createArtist, type Artist } from '../api/testing/actors.ts'
import { startTestApp, type TestApp } from '../api/testing/app.ts'
import { paddedVideo } from '../api/testing/bad-files.ts'
import { connect } from '../api/testing/connect.ts'
import { uploadPictures, variantsOf } from '../api/testing/posting.ts'
import type { MediaItem } from '../packages/contracts/media/schema.ts'
import { videoFixture, picture } from '../packages/sandbox/fixtures/videos.ts'
import { accessibilityFaults } from './accessibility.ts'
import { closeChecked, openWindow, phone, setSession, type Page, type Window } from './browser.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'flashsheet-media-'))
let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(async () => {
  await app?.stop()
  rmSync(folder, { recursive: true, force: true })
})

let artist: Artist
let window: Window
let page: Page
beforeEach(async () => {
  artist = await createArtist(app)
  await open()
  return async () => {
    await closeChecked(window)
  }
})

async function open(touch = false): Promise<void> {
  window = await openWindow({ reuse: true, baseUrl: app.url, size: phone, touch })
  await setSession(window, app.url, artist.cookies)
  page = window.page
}

const says = async (text: string) => await page.getByText(text, { exact: true }).first().waitFor()
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })
const tab = async (name: string) => await page.getByRole('tab', { name, exact: true }).click()
const tiles = (): Locator => page.getByRole('grid').getByRole('row')
/** The checkbox of a tile. */
const tick = (at: number) => tiles().nth(at).locator('label')
const uploadList = () => page.getByRole('list', { name: 'Files to Upload' })
const library = async () => (await artist.get<MediaItem[]>('/api/media')).body
const choose = async (...files: string[]) => await page.locator('input[type=file]').setInputFiles(files)

function fileOf(name: string, bytes: Buffer): string {
  const file = path.join(folder, name)
  writeFileSync(file, bytes)
  return file
}

test('dropped and picked files wait for Upload All, can be removed, show their progress, pause, resume, and leave the list when all are uploaded', async () => {
  await page.goto('/media')
  await says('Your Media Library (0/100)')
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/uploads')) sent.push(request.method())
  })
  const session = await window.context.newCDPSession(page)
  const dropZone = page.getByText('Drop pictures and videos here, or')
  await dropZone.scrollIntoViewIfNeeded()
  const box = (await dropZone.boundingBox()) ?? expect.fail('there is nowhere to drop')
  const dropped = [fileOf('dropped.jpg', await picture(20, 20, 5)), fileOf('a.jpg', await picture(20, 20, 3))]
  const data = { items: [], files: dropped, dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, x: box.x + 5, y: box.y + 5, data })
  await uploadList().getByRole('listitem').nth(1).waitFor()
  await button('Remove dropped.jpg').click()
  // Large enough to be still uploading when it is paused.
  await choose(fileOf('film.mp4', paddedVideo(videoFixture('portrait-5s.mp4'), 2_000_000)))
  await page
    .getByText(/^Ready to upload, /)
    .nth(1)
    .waitFor()
  await expect.poll(async () => await uploadList().getByRole('progressbar').count()).toBe(2)
  // The mouse was left where the button of the next file is now, whose tooltip is outside the landmarks.
  await page.mouse.move(0, 0)
  await page.getByRole('tooltip').waitFor({ state: 'hidden' })
  expect(await accessibilityFaults(page)).toEqual([])
  expect(sent).toEqual([])

  const throttle = async (uploadThroughput: number) =>
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    })
  await throttle(40_000)
  await button('Upload All').click()
  await page
    .getByText(/^[1-9]\d?% of /)
    .first()
    .waitFor()
  await button('Pause film.mp4').click()
  await page.getByText(/^Paused at \d+% of /).waitFor()
  // Picked files survive a change of screen.
  await page.getByRole('button', { name: /menu/i }).first().click()
  await page.getByRole('link', { name: 'Social Accounts' }).click()
  await page.getByRole('heading', { name: /^Connected Accounts/ }).waitFor()
  await page.goBack()
  await page.getByText(/^Paused at \d+% of /).waitFor()
  expect((await library()).map((item) => item.fileName)).not.toContain('film.mp4')
  await throttle(-1)
  // Without a connection it says so, and resumes by itself.
  let reconnect = () => {}
  const connected = new Promise<void>((resolve) => (reconnect = resolve))
  let tries = 0
  await page.route('**/api/uploads/**', async (route) => {
    // Each failed try is followed by a longer pause, so the second one is held until the message was checked.
    if ((tries += 1) === 1) return await route.abort('internetdisconnected')
    await connected
    await route.continue()
  })
  await button('Resume film.mp4').click()
  await page.getByText(/^\d+% of .* No connection: it goes on by itself\.$/).waitFor()
  reconnect()
  await says('Your Media Library (2/100)')
  await uploadList().waitFor({ state: 'detached' })
  expect((await library()).map((item) => item.fileName).sort()).toEqual(['a.jpg', 'film.mp4'])
})

test('changes made elsewhere appear, a deleted item is no longer selected, and a reload keeps the filter and the tab', async () => {
  const [id = ''] = await uploadPictures(artist, 1)
  await page.goto('/media')
  await says('Your Media Library (1/100)')
  await tick(0).click()
  await button(/1 selected/).waitFor()
  await uploadPictures(artist, 2)
  await says('Your Media Library (3/100)')
  await artist.delete('/api/media', { ids: [id] })
  await says('Your Media Library (2/100)')
  await button(/selected/).waitFor({ state: 'detached' })

  await button(/^Everything/).click()
  await page.getByRole('option', { name: 'Videos', exact: true }).click()
  await expect.poll(async () => await tiles().count()).toBe(0)
  await page.reload()
  await button(/^Videos/).waitFor()
  await tab('Gallery')
  await says('Gallery (0)')
  await page.reload()
  await says('Gallery (0)')
})

test('a tap opens a picture with its uses; a long press and the checkbox select it; a selection becomes a post, and replacing a draft asks for confirmation', async () => {
  await window.close()
  await open(true)
  const [used = '', , shown = ''] = await uploadPictures(artist, 3)
  const account = await connect(app, artist, 'facebook')
  const at = '2099-01-01T09:30:00.000Z'
  for (const title of ['Snake and dagger', 'Once more'])
    await artist.post('/api/posts/schedule', {
      mediaIds: [used],
      variants: variantsOf(account, { title }),
      scheduledAt: at,
    })
  await artist.post('/api/websitebuilder/gallery', { ids: [shown] })
  await page.goto('/media')
  // Newest first.
  await tiles().nth(2).getByText('2 posts').waitFor()
  await tiles().nth(0).getByText('Gallery').waitFor()
  await tiles().nth(2).tap()
  const large = page.getByRole('dialog', { name: /\.jpg$/ })
  await large.getByText('Goes out 1/1/2099, 4:30 AM').first().waitFor()
  await large.getByRole('button', { name: 'Close' }).click()
  await large.waitFor({ state: 'detached' })
  await tiles().nth(1).tap()
  await large.getByText('Nowhere yet.').waitFor()
  await large.getByRole('button', { name: 'Close' }).click()
  await large.waitFor({ state: 'detached' })

  const box = (await tiles().nth(0).boundingBox()) ?? expect.fail('there is no picture')
  const finger = await window.context.newCDPSession(page)
  // Unlike `tap`, a finger does not wait until the page takes pointers again after the dialog.
  await page.locator('html:not([data-settling])').waitFor()
  await finger.send('Input.dispatchTouchEvent', {
    type: 'touchStart',
    touchPoints: [{ x: box.x + 40, y: box.y + 60 }],
  })
  await button(/1 selected/).waitFor()
  await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await tiles().nth(1).tap()
  await button(/2 selected/).waitFor()
  await tick(1).tap()
  await button(/1 selected/).waitFor()
  expect(await large.count()).toBe(0)

  await button(/Clear selection/).click()
  await tiles().nth(2).tap()
  await large.getByRole('link', { name: 'Snake and dagger' }).click()
  await page.getByRole('dialog', { name: 'Reschedule Post' }).waitFor()

  // The selection becomes a post in the order of picking.
  await page.goto('/media')
  await tick(0).tap()
  await tick(2).tap()
  await button('Post these').tap()
  await page.getByRole('heading', { name: 'Select Social Accounts' }).waitFor()
  const picked = async () =>
    await page.evaluate(() => {
      const key = Object.keys(localStorage).find((one) => one.startsWith('draft:')) ?? ''
      return (JSON.parse(localStorage.getItem(key) ?? '{}') as { media: { mediaId: string }[] }).media.map(
        (item) => item.mediaId,
      )
    })
  await expect.poll(picked).toEqual([shown, used])

  await page.goto('/media')
  await tiles().nth(1).tap()
  await page.getByRole('dialog').getByRole('button', { name: 'Post this' }).tap()
  const ask = page.getByRole('alertdialog', { name: 'Replace your draft?' })
  await ask.getByRole('button', { name: 'Cancel' }).tap()
  await ask.waitFor({ state: 'detached' })
  expect(await picked()).toEqual([shown, used])
  await page.getByRole('dialog').getByRole('button', { name: 'Post this' }).tap()
  await ask.getByRole('button', { name: 'Replace' }).tap()
  await page.getByRole('heading', { name: 'Select Social Accounts' }).waitFor()
  await expect.poll(picked).toHaveLength(1)
})
