import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { createArtist, type Artist } from '../api/testing/actors.ts'
import { startTestApp, type TestApp } from '../api/testing/app.ts'
import { uploadPictures, variantsOf } from '../api/testing/posting.ts'
import { concludePost, insertPages } from '../api/testing/records.ts'
import type { PostResult } from '../packages/contracts/posts/schema.ts'
import type { SocialAccount } from '../packages/contracts/social/schema.ts'
import { closeChecked, desktop, openWindow, setSession, type Page, type Window } from './browser.ts'

/** The time of server and browser: a Wednesday, 10 AM in New York. The server runs without a worker, so nothing is published. */
const now = '2026-11-11T15:00:00.000Z'
/** An instant of that November, in New York time. */
export const at = (day: number, hour: number, minute = 0) =>
  new Date(Date.UTC(2026, 10, day, hour + 5, minute)).toISOString()

export let app: TestApp
export let artist: Artist
export let facebook: SocialAccount
let mediaIds: string[]
export let page: Page
let window: Window

/** Starts the app at `now` for the file, and for each test an artist with two pages, a picture and a window. */
export function useCalendar(): void {
  beforeAll(async () => {
    app = await startTestApp({ role: 'web', startAt: now })
  })
  afterAll(async () => {
    await app?.stop()
  })
  beforeEach(async () => {
    artist = await createArtist(app)
    facebook = await insertPages(app, artist, ['Inkwell Tattoo', 'Inkwell Prints'])
    mediaIds = await uploadPictures(artist, 1)
    window = await openWindow({ reuse: true, now, baseUrl: app.url, size: desktop })
    await setSession(window, app.url, artist.cookies)
    page = window.page
    return async () => {
      await closeChecked(window)
    }
  })
}

/** The name of the focused element; empty while the body has the focus. */
export async function focused(): Promise<string> {
  return await page.evaluate(() => {
    const { activeElement: active, body } = document
    return active === body ? '' : (active?.getAttribute('aria-label') ?? active?.textContent ?? '')
  })
}

export async function schedule(
  title: string,
  scheduledAt: string,
  variants = variantsOf(facebook, { title, message: `About ${title}` }),
): Promise<string> {
  const { status, body } = await artist.post<PostResult>('/api/posts/schedule', {
    mediaIds,
    scheduledAt,
    variants,
  })
  expect(status).toBe(201)
  return body._id
}

/** Ends a post at a time. */
export const end = async (id: string, status: 'posted' | 'failed', endedAt: string, error?: string) =>
  await concludePost(app, id, status, new Date(endedAt), error)

export const day = (name: string | RegExp): Locator => page.getByRole('group', { name })
export const dialog = (name: string): Locator => page.getByRole('dialog', { name })
export const button = (name: string | RegExp): Locator => page.getByRole('button', { name, exact: true })
