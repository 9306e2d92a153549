import { createHash, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import * as path from 'node:path'
import type { Locator } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../api/testing/app.ts'
import { sweepNow } from '../api/testing/posting.ts'
import { control, eventually, mailTo, type SandboxPost } from '../api/testing/sandbox.ts'
import type { Post } from '../packages/contracts/posts/schema.ts'
import { flash, flashSvg } from '../db/seed/flash.ts'
import { platformNames, platforms, type Platform } from '../packages/contracts/networks.ts'
import { openWindow, phone, untilHydrated, type Page, type Window } from './browser.ts'

const videoFile = path.join(import.meta.dirname, '../packages/sandbox/fixtures/portrait-5s.mp4')
const pagesConnected = { facebook: 2, instagram: 1, tiktok: 1, youtube: 1, linkedin: 2 }
const allPages = Object.values(pagesConnected).reduce((sum, count) => sum + count, 0)
const imagePages = allPages - pagesConnected.tiktok - pagesConnected.youtube

let app: TestApp
let window: Window
let page: Page

beforeAll(async () => {
  app = await startTestApp()
  window = await openWindow({ reuse: true, baseUrl: app.url, size: phone })
  page = window.page
})
afterAll(async () => {
  await window?.close()
  await app?.stop()
})

const email = 'journey@studio.example'
const password = 'a good long password'

/** A drawing as a JPEG that is rotated by its EXIF orientation, like a phone's photo. */
async function photo(): Promise<Buffer> {
  const [drawing] = flash
  if (!drawing) throw new Error('there are no drawings')
  return await sharp(Buffer.from(flashSvg(drawing, 1600)))
    .resize(1600, 1200, { fit: 'cover' })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
}

async function toast(words: string | RegExp): Promise<void> {
  await page.getByText(words).first().waitFor()
}

async function sentTo(text: string): Promise<SandboxPost[]> {
  const posts = await control<SandboxPost[]>(app, 'GET', '/posts')
  return posts.filter((post) => post.text.includes(text))
}

/** The artist's posts, by the session of the window. */
const posts = async () => (await (await window.context.request.get('/api/posts')).json()) as Post[]

async function next(): Promise<void> {
  await page.getByRole('button', { name: 'Next' }).click()
}

/** Opens the first step of the wizard, which shows the last sent post until "New post" is pressed. */
async function beginPost(): Promise<void> {
  await page.goto('/new-post')
  const again = page.getByRole('button', { name: 'New post' })
  await page.getByRole('heading', { name: 'Select Media' }).or(again).first().waitFor()
  if (await again.isVisible()) await again.click()
}

/** Presses the card of a media type and selects files in its file chooser. */
async function pickFiles(card: string, files: Parameters<Page['setInputFiles']>[1]): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: new RegExp(`^${card}`) }).click()
  await (await chooser).setFiles(files)
}

/** Steps 2 and 3, with every page that accepts the media. */
async function choosePagesAndCaption(count: number, caption: string, options: { tiktok: boolean }): Promise<void> {
  await page.getByRole('heading', { name: 'Select Social Accounts' }).waitFor()
  const boxes = page.getByRole('checkbox')
  await boxes.first().waitFor()
  let chosen = 0
  for (const box of await boxes.all()) {
    if (await box.isDisabled()) continue
    await box.focus()
    await page.keyboard.press('Space')
    await expect.poll(async () => await box.isChecked()).toBe(true)
    chosen += 1
  }
  expect(chosen).toBe(count)
  await next()
  await page.getByRole('heading', { name: 'Post Caption' }).waitFor()
  await page.getByRole('textbox', { name: 'Title' }).fill('Healed work')
  await page.getByRole('textbox', { name: 'Caption' }).fill(caption)
  if (options.tiktok) {
    expect(await page.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true)
    await page.getByRole('button', { name: /who can see it/i }).click()
    await page.getByRole('option', { name: /everyone/i }).click()
  }
  await next()
  await page.getByRole('heading', { name: 'Ready to Post' }).waitFor()
}

/** Taps on the network's own pages do not count. */
const maxTaps = 30

test("a newcomer registers, verifies by mail, subscribes and posts from a phone with at most 30 taps, not counting the network's own pages", async () => {
  let taps = 0
  const tap = async (target: Locator) => {
    taps += 1
    await target.click()
  }
  /** Typing into a field costs one tap. */
  const write = async (field: Locator, text: string) => {
    await tap(field)
    await page.keyboard.type(text)
  }
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })

  await page.goto('/')
  await tap(page.getByRole('link', { name: 'Get Started Today!' }))
  await tap(page.getByRole('link', { name: 'Get Started', exact: true }).last())
  await tap(page.getByRole('link', { name: 'Create an account' }))
  await page.waitForURL(/\/register/)
  await untilHydrated(page)
  await write(page.getByLabel('Name'), 'Ines Farrow')
  await write(page.getByLabel('Email'), email)
  await write(page.getByLabel('Password', { exact: true }), password)
  await write(page.getByLabel('Confirm password'), password)
  await tap(page.locator('label').filter({ hasText: /18/ }))
  await tap(button(/register|create account|sign up/i))
  await toast(/Account created successfully!/)
  await page.waitForURL(/\/verify-email/)

  const link = (await mailTo(app, email)).links.find((one) => one.includes('/verify-email'))
  taps += 1
  await page.goto(link ?? '/no-link-in-the-mail')
  // Opening the link changes nothing.
  await tap(button(`Confirm ${email} for Ines Farrow`))
  await toast('Email verified successfully!')
  await page.waitForURL((url) => url.pathname === '/subscription', { timeout: 10_000 })

  // The plan that was chosen on the landing page.
  await page.getByText('You chose Complete Shading.').waitFor()
  await tap(button('Continue to checkout'))
  await page.waitForURL(/checkout/)
  await tap(button(/pay|subscribe/i).first())
  await page.waitForURL(/\/subscription\/success/)
  await toast(/Welcome to your new subscription!/)
  await tap(page.getByRole('link', { name: /first post/i }))

  const picture = sharp({ create: { width: 900, height: 900, channels: 3, background: '#b3241c' } })
  const chooser = page.waitForEvent('filechooser')
  await tap(button(/^Single Image/))
  taps += 1
  await (await chooser).setFiles({ name: 'first.jpg', mimeType: 'image/jpeg', buffer: await picture.jpeg().toBuffer() })
  await tap(button('Next'))
  await tap(page.getByRole('link', { name: 'Connect accounts' }))

  // The upload ends before the network's page opens.
  await page.waitForFunction(() =>
    Object.entries(localStorage).some(([key, draft]) => key.startsWith('draft:') && !draft.includes('"mediaId":null')),
  )
  await connectTo('facebook')

  await tap(page.getByRole('link', { name: 'Back to your post' }))
  await tap(button('Select all'))
  await tap(button('Next'))
  await write(page.getByRole('textbox', { name: 'Caption' }), 'Peony, one hour')
  await tap(button('Next'))
  await tap(button('Post Now'))
  await toast(/^Posted successfully to/)

  console.log(`from the landing page to the first post: ${taps} taps`)
  expect(taps).toBeLessThanOrEqual(maxTaps)
})

async function connectTo(platform: Platform): Promise<void> {
  await page.getByRole('button', { name: `Connect ${platformNames[platform]}` }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Requirements').waitFor()
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.waitForURL((url) => url.origin === app.sandboxUrl)
  await page
    .getByRole('button', { name: /approve|allow/i })
    .first()
    .click()
  await page.waitForURL((url) => url.pathname === '/social-accounts')
  await toast(`${platformNames[platform]} account connected successfully!`)
  await expect.poll(() => new URL(page.url()).search).toBe('')
}

test('they connect the other four networks', async () => {
  await page.goto('/social-accounts')
  for (const platform of platforms.filter((one) => one !== 'facebook')) await connectTo(platform)
  await page.getByText('Connected Accounts (5/5)').waitFor()
})

test('they post a photo to every page that takes one', async () => {
  const caption = `Dagger, one hour ${randomUUID()}`
  await beginPost()
  await pickFiles('Single Image', { name: 'dagger.jpg', mimeType: 'image/jpeg', buffer: await photo() })
  await next()
  await choosePagesAndCaption(imagePages, caption, { tiktok: false })
  await page.getByRole('button', { name: 'Post Now' }).click()
  await toast(`Posted successfully to ${imagePages} social(s).`)

  const posts = await sentTo(caption)
  expect(posts.map((post) => post.platform).sort()).toEqual([
    'facebook',
    'facebook',
    'instagram',
    'linkedin',
    'linkedin',
  ])
  for (const post of posts) {
    const [picture] = post.media
    // Rotated by its EXIF orientation: 1600 × 1200 becomes 1200 × 1600.
    const ratio = (picture?.width ?? 0) / (picture?.height ?? 1)
    expect([post.platform, Math.round(ratio * 100)]).toEqual([post.platform, post.platform === 'instagram' ? 80 : 75])
  }
})

test('they post a video to all five networks, byte for byte', async () => {
  const caption = `Healed sleeve ${randomUUID()}`
  await beginPost()
  await pickFiles('Video', videoFile)
  await next()
  await choosePagesAndCaption(allPages, caption, { tiktok: true })
  await page.getByRole('button', { name: 'Post Now' }).click()
  await toast(`Posted successfully to ${allPages} social(s).`)

  const sha256 = createHash('sha256').update(readFileSync(videoFile)).digest('hex')
  const posts = await sentTo(caption)
  expect(posts).toHaveLength(allPages)
  for (const post of posts) expect([post.platform, post.media[0]?.sha256]).toEqual([post.platform, sha256])
})

test('they schedule a post from the library, and it is published once, at its time', async () => {
  const caption = `Flash friday ${randomUUID()}`
  await beginPost()
  await page.getByRole('tab', { name: 'Media Library' }).click()
  await page.getByText('dagger.jpg').first().click()
  await next()
  await choosePagesAndCaption(imagePages, caption, { tiktok: false })
  await page.getByRole('button', { name: 'Schedule', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Schedule Your Post' })
  const tomorrow = new Date(Date.now() + 26 * 3_600_000)
  const [month, day, year] = new Intl.DateTimeFormat('en-US', {
    month: '2-digit',
    day: '2-digit',
    year: '2-digit',
    timeZone: 'America/New_York',
  })
    .format(tomorrow)
    .split('/')
  await dialog.getByRole('spinbutton', { name: /month/i }).click()
  await page.keyboard.type(`${month}${day}${year}0930A`, { delay: 20 })
  await dialog.getByRole('button', { name: 'Add Schedule' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Schedule Post' }).click()
  await toast('Scheduled post successfully!')
  expect(await sentTo(caption)).toHaveLength(0)

  const due = (await posts()).find((post) => post.variants.some(({ message }) => message === caption))
  if (!due) throw new Error('the post is not listed')
  // A minute late; a day late would count as missed.
  app.clock.set(new Date(Date.parse(due.scheduledAt) + 60_000).toISOString())
  await sweepNow(app)
  await eventually(
    'the scheduled post to be at every page',
    async () => (await sentTo(caption)).length >= imagePages,
    60_000,
  )
  // All targets are final, and another sweep publishes nothing.
  await eventually('every post to be at its end', async () =>
    (await posts()).every(({ status }) => status !== 'scheduled'),
  )
  await sweepNow(app)
  expect(await sentTo(caption)).toHaveLength(imagePages)
})

test('no page has logged an error', () => {
  expect(window.pageErrors).toEqual([])
})
