import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createArtist, type Artist } from '../api/testing/actors.ts'
import { startTestApp, type TestApp } from '../api/testing/app.ts'
import { paddedVideo } from '../api/testing/bad-files.ts'
import { connect } from '../api/testing/connect.ts'
import { uploadFile, uploadPictures, variantsOf } from '../api/testing/posting.ts'
import { insertPictures } from '../api/testing/records.ts'
import { mediaMessages } from '../packages/contracts/media/messages.ts'
import type { MediaItem } from '../packages/contracts/media/schema.ts'
import { postMessages } from '../packages/contracts/posts/messages.ts'
import { galleryMessages } from '../packages/contracts/website/messages.ts'
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

test('an empty library and an empty gallery say what to do; dropped files can be removed before they are uploaded', async () => {
  await page.goto('/media')
  await says('Your Media Library (0/100)')
  await says(mediaMessages.emptyTitle)
  await says(mediaMessages.emptyText)
  await tab('Gallery')
  await says('Gallery (0)')
  await says(galleryMessages.emptyTitle)
  await button('Show all media').click()
  await says(mediaMessages.emptyTitle)
  expect(await accessibilityFaults(page)).toEqual([])

  const session = await window.context.newCDPSession(page)
  const dropZone = page.getByText('Drop pictures and videos here, or')
  await dropZone.scrollIntoViewIfNeeded()
  const box = (await dropZone.boundingBox()) ?? expect.fail('there is nowhere to drop')
  const data = { items: [], files: [fileOf('dropped.jpg', await picture(20, 20, 5))], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, x: box.x + 5, y: box.y + 5, data })
  await says('dropped.jpg')
  await button('Remove dropped.jpg').click()
  await uploadList().waitFor({ state: 'detached' })
  expect(await library()).toEqual([])
})

test('picked files wait for Upload All, show their progress, pause, resume, and leave the list when all are uploaded', async () => {
  await page.goto('/media')
  await says('Your Media Library (0/100)')
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/uploads')) sent.push(request.method())
  })
  const noise = await picture(20, 20, 3)
  await choose(fileOf('a.jpg', noise), fileOf('b.gif', noise), fileOf('c.jpg', await picture(20, 20, 4)))
  await page.getByRole('alert').getByText(mediaMessages.imageType).waitFor()
  await expect.poll(async () => await uploadList().getByRole('listitem').count()).toBe(1)
  // The refused file is named, and the files after it can be added with one press.
  await page.getByRole('alert').getByText('b.gif was not added, nor was c.jpg after it.').waitFor()
  await button('Add the other one').click()
  await uploadList().getByRole('listitem').nth(1).waitFor()
  await uploadList().getByRole('button', { name: 'Remove c.jpg' }).click()
  // Large enough to be still uploading when it is paused.
  await choose(fileOf('film.mp4', paddedVideo(videoFixture('portrait-5s.mp4'), 2_000_000)))
  await page
    .getByText(/^Ready to upload, /)
    .nth(1)
    .waitFor()
  await page.getByRole('alert').waitFor({ state: 'detached' })
  await expect.poll(async () => await uploadList().getByRole('progressbar').count()).toBe(2)
  expect(sent).toEqual([])

  const session = await window.context.newCDPSession(page)
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

test('media are added to the gallery and removed from it, by keyboard too', async () => {
  await uploadPictures(artist, 4)
  await page.goto('/media')
  await says('Your Media Library (4/100)')
  await tiles().first().focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Space')
  await button(/2 selected/).waitFor()
  await button('Add to Gallery').click()
  await says('2 item(s) added to gallery!')
  await button('Remove from Gallery').waitFor()
  await button(/Clear selection/).click()
  await tick(2).click()
  await button('Add to Gallery').click()
  await says('Added to gallery!')
  await tab('Gallery')
  await says('Gallery (3)')
  await tick(0).click()
  // While something is selected, a press on a picture selects it too.
  await tiles().nth(2).click()
  await button('Remove from Gallery').click()
  await says('2 item(s) removed from gallery!')
  await says('Gallery (1)')
  await page.reload()
  await says('Gallery (1)')
  expect(await library()).toHaveLength(4)
})

test('media of a scheduled post are not deleted, the post is named, and the others can be deleted', async () => {
  const [used = ''] = await uploadPictures(artist, 3)
  const account = await connect(app, artist, 'facebook')
  await artist.post('/api/posts/schedule', {
    mediaIds: [used],
    variants: variantsOf(account, { title: 'Snake and dagger' }),
    scheduledAt: '2099-01-01T09:30:00.000Z',
  })
  await page.goto('/media')
  await button('Select all').click()
  await button('Delete').click()
  const ask = page.getByRole('alertdialog', { name: 'Delete 3 items?' })
  await ask.getByRole('button', { name: 'Cancel' }).click()
  await ask.waitFor({ state: 'detached' })
  await button('Delete').click()
  await ask.getByRole('button', { name: 'Delete' }).click()
  const inUse = page.getByRole('dialog', { name: 'Still needed' })
  await inUse.getByText('Snake and dagger').waitFor()
  await inUse.getByText(mediaMessages.inUse).waitFor()
  await inUse.getByText('1/1/2099, 4:30 AM').waitFor()
  expect(await library()).toHaveLength(3)
  await inUse.getByRole('button', { name: 'Delete the other 2' }).click()
  await page.getByRole('alertdialog', { name: 'Delete 2 items?' }).getByRole('button', { name: 'Delete' }).click()
  await says('2 item(s) successfully deleted.')
  await says('Your Media Library (1/100)')
  expect((await library()).map((item) => item._id)).toEqual([used])
})

test('changes made elsewhere appear, and a deleted item is no longer selected', async () => {
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
})

test('an impossible selection for a post is explained; an almost full library takes only as many files as fit, and a full one takes none', async () => {
  await insertPictures(app, artist, 99)
  await page.goto('/media')
  await says('Your Media Library (99/100)')
  await button('Select all').click()
  await button('Post these').click()
  await says(postMessages.tooManyImages)
  expect(new URL(page.url()).pathname).toBe('/media')
  await button(/Clear selection/).click()
  await choose(fileOf('last.jpg', await picture(20, 20, 8)), fileOf('toomuch.jpg', await picture(20, 20, 9)))
  await page.getByRole('alert').getByText(mediaMessages.roomFor(1)).waitFor()
  await button('Upload All').click()
  await says('Your Media Library (100/100)')
  await says(mediaMessages.libraryFull)
  await expect.poll(async () => await button('Choose files').isDisabled()).toBe(true)
})

test('a tap opens a picture with its uses; a long press and the checkbox select it', async () => {
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
})

test('a selection becomes a post in the order of picking; replacing a draft asks for confirmation', async () => {
  await connect(app, artist, 'facebook')
  const [first = '', , third = ''] = await uploadPictures(artist, 3)
  await page.goto('/media')
  await tick(0).click()
  await tick(2).click()
  await button('Post these').click()
  await page.getByRole('heading', { name: 'Select Social Accounts' }).waitFor()
  const picked = async () =>
    await page.evaluate(() => {
      const key = Object.keys(localStorage).find((one) => one.startsWith('draft:')) ?? ''
      return (JSON.parse(localStorage.getItem(key) ?? '{}') as { media: { mediaId: string }[] }).media.map(
        (item) => item.mediaId,
      )
    })
  await expect.poll(picked).toEqual([third, first])

  await page.goto('/media')
  await tiles().nth(1).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Post this' }).click()
  const ask = page.getByRole('alertdialog', { name: 'Replace your draft?' })
  await ask.getByRole('button', { name: 'Cancel' }).click()
  await ask.waitFor({ state: 'detached' })
  expect(await picked()).toEqual([third, first])
  await page.getByRole('dialog').getByRole('button', { name: 'Post this' }).click()
  await ask.getByRole('button', { name: 'Replace' }).click()
  await page.getByRole('heading', { name: 'Select Social Accounts' }).waitFor()
  await expect.poll(picked).toHaveLength(1)
})

test('the library is searched by name, and filtered by type and by not yet posted', async () => {
  const [used = ''] = await uploadPictures(artist, 2)
  await uploadFile(artist, { name: 'Snake reel.mp4', type: 'video/mp4', bytes: videoFixture('portrait-5s.mp4') })
  const account = await connect(app, artist, 'facebook')
  await artist.post('/api/posts/schedule', {
    mediaIds: [used],
    variants: variantsOf(account),
    scheduledAt: '2099-01-01T09:30:00.000Z',
  })
  await page.goto('/media')
  await expect.poll(async () => await tiles().count()).toBe(3)
  const search = page.getByRole('searchbox', { name: 'Search your media' })
  await search.fill('SNAKE')
  await expect.poll(async () => await tiles().count()).toBe(1)
  await tiles().getByText('0:05').waitFor()
  // Filtered-out items are not selected.
  await button('Select all').click()
  await button(/1 selected/).waitFor()
  await search.fill('nothing like that')
  await says(mediaMessages.noMatchTitle)
  await button(/selected/).waitFor({ state: 'detached' })
  await button('Show all media').click()
  await expect.poll(async () => await tiles().count()).toBe(3)

  const show = async (before: RegExp, name: string) => {
    await button(before).click()
    await page.getByRole('option', { name, exact: true }).click()
  }
  await show(/^Everything/, 'Photos')
  await expect.poll(async () => await tiles().count()).toBe(2)
  await show(/^Photos/, 'Not posted yet')
  await tiles().getByText('0:05').waitFor()
  await expect.poll(async () => await tiles().count()).toBe(2)
  // The filter is in the URL, so a reload keeps it.
  await page.reload()
  await tiles().getByText('0:05').waitFor()
  await expect.poll(async () => await tiles().count()).toBe(2)
})
