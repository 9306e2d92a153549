import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { createArtist, type Artist } from '../api/testing/actors.ts'
import { startTestApp, type TestApp } from '../api/testing/app.ts'
import { connect } from '../api/testing/connect.ts'
import { uploadPictures } from '../api/testing/posting.ts'
import { control } from '../api/testing/sandbox.ts'
import type { Post } from '../packages/contracts/posts/schema.ts'
import type { Platform } from '../packages/contracts/networks.ts'
import type { SocialAccount } from '../packages/contracts/social/schema.ts'
import { draftFromMedia, togglePage } from '../web/features/posts/draft/draft.ts'
import { closeChecked, openWindow, phone, setSession, type Page, type Window } from './browser.ts'

export let app: TestApp
export let artist: Artist
export let window: Window
export let page: Page

/** Starts the app for the file, and for each test an artist with a phone in Berlin. Their page must log no errors except for failed requests. */
export function useWizard(): void {
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(async () => {
    await app?.stop()
  })
  beforeEach(async () => {
    artist = await createArtist(app)
    window = await openWindow({ reuse: true, baseUrl: app.url, size: phone, timeZone: 'Europe/Berlin' })
    page = window.page
    await setSession(window, app.url, artist.cookies)
    return async () => {
      await control(app, 'DELETE', '/faults')
      await closeChecked(window)
    }
  })
}

export const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })

export const heading = (name: string) => page.getByRole('heading', { name, exact: true })

export const next = async () => await button('Next').click()

export const posts = async () => (await artist.get<Post[]>('/api/posts')).body

export async function pick(card: string, files: Parameters<Page['setInputFiles']>[1]): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await button(new RegExp(`^${card}`)).click()
  await (await chooser).setFiles(files)
}

export async function connectAll(...platforms: Platform[]): Promise<void> {
  for (const platform of platforms) await connect(app, artist, platform)
}

export const picture = async (name: string) => ({
  name,
  mimeType: 'image/jpeg',
  buffer: await sharp({ create: { width: 900, height: 900, channels: 3, background: '#b3241c' } })
    .jpeg()
    .toBuffer(),
})

/** Goes to step 3 with a picture of the library and every page that accepts it, step by step. */
async function clickThroughToCaption(): Promise<void> {
  await uploadPictures(artist)
  await page.goto('/new-post')
  await page.getByRole('tab', { name: 'Media Library' }).click()
  await page.getByRole('grid', { name: 'Media library' }).getByRole('row').first().click()
  await next()
  await heading('Select Social Accounts').waitFor()
  await button('Select all').click()
  await next()
  await heading('Post Caption').waitFor()
}

/** Goes to the last step in the same way, so that the steps before it are in the history. */
export async function clickThroughToReady(caption: string): Promise<void> {
  await clickThroughToCaption()
  await page.getByRole('textbox', { name: 'Caption' }).fill(caption)
  await next()
  await heading('Ready to Post').waitFor()
}

/** Opens the last step of the wizard with a stored draft: the newest picture of the library and every page that accepts it. */
export async function reachReady(caption: string, { isUploaded = false } = {}): Promise<void> {
  if (!isUploaded) await uploadPictures(artist)
  const [newest] = await artist.trpc.media.list.query()
  const accounts = (await artist.get<SocialAccount[]>('/api/social-accounts')).body
  const { draft } = draftFromMedia(newest ? [newest] : [], randomUUID())
  const storedDraft = accounts
    .flatMap(({ _id: socialAccountId, platform, pages }) =>
      pages.map(({ pageId, name }) => ({ platform, socialAccountId, pageId, name })),
    )
    .reduce(togglePage, { ...draft, step: 4, global: { title: '', caption } })
  // A page of the same origin without scripts.
  await page.goto('/robots.txt')
  await page.evaluate(([key, value]) => localStorage.setItem(key, value), [
    `draft:${artist.id}`,
    JSON.stringify(storedDraft),
  ] as const)
  await page.goto('/new-post')
  await heading('Ready to Post').waitFor()
}
