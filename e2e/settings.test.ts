import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loginMessages } from '../packages/contracts/login/messages.ts'
import { authMessages } from '../packages/contracts/auth/messages.ts'
import { noticeMessages } from '../packages/contracts/notices/messages.ts'
import type { System } from '../api/core/context.ts'
import { createArtist, testPassword, type Artist } from '../api/testing/actors.ts'
import { startTestApp, type TestApp } from '../api/testing/app.ts'
import { deletionAskedAt } from '../api/testing/records.ts'
import { mailTo } from '../api/testing/sandbox.ts'
import { sendNotice, openSystem } from '../api/testing/system.ts'
import { holdRequests, withPage, type Page } from './browser.ts'

let app: TestApp
let system: System
let close: () => Promise<void>
beforeAll(async () => {
  app = await startTestApp({ env: { SUPPORT_EMAIL: 'help@flashsheet.example' } })
  ;({ system, close } = await openSystem(app))
})
afterAll(async () => {
  await close?.()
  await app?.stop()
})

const addNotice = async (artist: Artist, title: string, link: string) =>
  await sendNotice(system, artist, {
    kind: 'post_failed',
    dedupeKey: 'event 1',
    title,
    text: 'TikTok needs you.',
    link,
    action: 'See the post',
  })
const bell = (page: Page, unread: number) =>
  page.getByRole('button', { name: unread === 0 ? 'Notices' : `Notices, ${unread} unread`, exact: true })

describe('the bell', () => {
  test('counts a new notice live, announces it to screen readers, marks it as read, and links to its post, which may no longer exist', async () => {
    const artist = await createArtist(app)
    await withPage(
      app,
      artist,
      async (page) => {
        // Only notices after the first load are announced.
        const loaded = page.waitForResponse((response) => response.url().includes('notices.list'))
        await page.goto('/settings')
        await (await loaded).finished()
        await bell(page, 0).waitFor()
        await addNotice(artist, 'A post failed', '/scheduled-posts?post=019a0000-0000-7000-8000-000000000001')
        await bell(page, 1).waitFor()
        await page.locator('output').filter({ hasText: 'New notice: A post failed' }).waitFor({ state: 'attached' })
        await bell(page, 1).click()
        const sheet = page.getByRole('dialog', { name: 'Notices' })
        await sheet.getByRole('link', { name: /A post failed/ }).click()
        await page.waitForURL((url) => url.pathname === '/scheduled-posts')
        await sheet.waitFor({ state: 'hidden' })
        const dialog = page.getByRole('dialog')
        await dialog.getByText('This post no longer exists.').waitFor()
        await dialog.getByRole('button', { name: 'Close' }).last().click()
        await page.waitForURL((url) => url.search === '')
        await bell(page, 0).waitFor()
      },
      // The missing post is refused with 404, which the browser does not log when other calls share its request.
      { refusals: true },
    )
  })
})

describe('settings', () => {
  test('the theme is applied before the first paint, on every visit', async () => {
    await withPage(
      app,
      await createArtist(app),
      async (page) => {
        await page.goto('/settings')
        await page.getByText('Dark', { exact: true }).click()
        const background = async () =>
          await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
        await page.waitForFunction(() => document.documentElement.dataset['theme'] === 'dark')
        const dark = await background()
        // Holds back the app's scripts, so that only the page itself is painted. If they failed, the page would reload.
        const releaseScripts = await holdRequests(page, /\/assets\/(?!theme-)[^/]+\.js$/)
        await page.goto('/settings', { waitUntil: 'commit' })
        await page.waitForFunction(() => document.styleSheets.length > 0)
        expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark')
        await expect.poll(background).toBe(dark)
        releaseScripts()
        await page.getByRole('radio', { name: 'Dark' }).waitFor()
      },
      { refusals: true },
    )
  })

  test('the open window of a device that is logged out elsewhere leads to the log-in with the reason', async () => {
    const artist = await createArtist(app)
    const other = app.visitor()
    await other.post('/api/users/auth', { email: artist.email, password: testPassword })
    await withPage(
      app,
      { ...artist, cookies: other.cookies },
      async (page) => {
        await page.goto('/help')
        await bell(page, 0).waitFor()
        const session = (await artist.trpc.auth.sessions.query()).find(({ current }) => !current)
        await artist.trpc.auth.endSession.mutate({ id: session?._id ?? '' })
        await page.waitForURL((url) => url.pathname === '/login')
        await page.getByText(loginMessages.signedOut).waitFor()
        // The login returns to the screen on which the session ended.
        expect(new URL(page.url()).searchParams.get('from')).toBe('/help')
      },
      { refusals: true },
    )
  })
})

test('an account is deleted by typing the name, and can be kept within the grace period', async () => {
  const artist = await createArtist(app, { name: 'Ines Farrow' })
  await withPage(
    app,
    artist,
    async (page) => {
      await page.goto('/settings')
      await page.getByRole('button', { name: 'Delete my account' }).click()
      const dialog = page.getByRole('dialog')
      const name = dialog.getByLabel('To go on, type your name: Ines Farrow')
      await name.fill('Ines Farrow')
      await dialog.getByRole('button', { name: 'Delete my account' }).dblclick()
      await page.getByRole('heading', { name: /^Your account will be deleted on / }).waitFor()
      await page.getByRole('link', { name: 'Log in' }).click()
      await page.getByLabel('Email', { exact: true }).fill(artist.email)
      await page.getByLabel('Password', { exact: true }).fill(testPassword)
      await page.getByRole('button', { name: 'Log in', exact: true }).click()
      // Every screen redirects here.
      await page.waitForURL((url) => url.pathname === '/leaving')
      await page.goto('/new-post')
      await page.waitForURL((url) => url.pathname === '/leaving')
      await page.getByRole('button', { name: 'Keep my account' }).click()
      await page.getByText(authMessages.deletionUndone).waitFor()
      await page.waitForURL((url) => url.pathname === '/subscription')
      expect(await deletionAskedAt(app, artist)).toBeNull()
    },
    { refusals: true },
  )
})

describe('help', () => {
  test('a message of a visitor without a session reaches support', async () => {
    await withPage(app, null, async (page) => {
      await page.goto('/contact')
      await page.getByLabel('Name').fill('Ida Blom')
      await page.getByLabel('Email').fill('some@body.example')
      await page.getByLabel('Message').fill('Where is my horseshoe?')
      await page.getByRole('button', { name: 'Send message' }).click()
      await page.getByText(noticeMessages.contactSent).waitFor()
      expect((await mailTo(app, 'help@flashsheet.example', /Ida Blom/)).text).toContain('Where is my horseshoe?')
    })
  })
})
