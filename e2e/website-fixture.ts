import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { createArtist, type Artist } from '../api/testing/actors.ts'
import { startTestApp, type TestApp } from '../api/testing/app.ts'
import { uploadPictures } from '../api/testing/posting.ts'
import { eventually } from '../api/testing/sandbox.ts'
import type { Site } from '../packages/contracts/website/schema.ts'
import { accessibilityFaults } from './accessibility.ts'
import { closeChecked, openWindow, setSession, type Page, type Window } from './browser.ts'

export let app: TestApp
export let artist: Artist
export let window: Window
export let page: Page

/** Starts the app for the file, and for each test an artist. Their page must log no errors except for failed requests. */
export function useWebsite(): void {
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(async () => {
    await app?.stop()
  })
  beforeEach(async () => {
    artist = await createArtist(app, { name: 'Ada Inkwell' })
    return async () => {
      await closeChecked(window)
    }
  })
}

/** Opens a page of the artist. Without `previews` the builder's previews, which take most of the time, are empty. */
export async function open(
  path: string,
  {
    size,
    previews = true,
    touch = false,
  }: { size?: { width: number; height: number }; previews?: boolean; touch?: boolean } = {},
): Promise<void> {
  window = await openWindow({ reuse: true, baseUrl: app.url, touch, ...(size ? { size } : {}) })
  page = window.page
  await setSession(window, app.url, artist.cookies)
  if (!previews)
    await page.route(
      '**/api/websitebuilder/preview',
      async (route) => await route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Site</title>' }),
    )
  await page.goto(path)
}

/** Replaces the artist's window in this test. */
export function useWindow(own: Window): void {
  window = own
  page = own.page
}

let published = 0
/** Publishes an artist's site with these settings. Returns its path. */
export async function publish(look: object = {}, who = artist): Promise<string> {
  const domainName = `studio-${++published}`
  const { status } = await who.post('/api/websitebuilder', {
    personalInfo: { name: 'Ada Inkwell', email: 'ada@ink.example', domainName },
    ...look,
  })
  expect(status).toBe(200)
  return `/s/${domainName}`
}

/** Adds pictures to the gallery of a site, and waits until their renditions are shown. */
export async function fillGallery(address: string, count: number, who: Artist): Promise<void> {
  await who.post('/api/websitebuilder/gallery', { ids: await uploadPictures(who, count, [700, 700]) })
  const shown = async () => {
    const html = await (await app.visitor().fetch(address)).text()
    return new Set(html.match(/\/files\/gallery\/[\w-]+/g)).size
  }
  await eventually('the pictures on the site', async () => (await shown()) === count)
}

export const stored = async () => (await artist.get<Site>('/api/websitebuilder')).body

export const png = async () =>
  await sharp({ create: { width: 900, height: 500, channels: 3, background: '#a33' } })
    .png()
    .toBuffer()

export async function faults(within?: string): Promise<string[]> {
  // A tooltip disappears some time after its button has lost the focus.
  await page.mouse.move(0, 0)
  await page.getByRole('tooltip').waitFor({ state: 'hidden' })
  return await accessibilityFaults(page, within)
}
