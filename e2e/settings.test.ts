import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { authMessages } from '../packages/contracts/auth/messages.ts'
import { noticeMessages } from '../packages/contracts/notices/messages.ts'
import type { System } from '../api/core/context.ts'
import { createArtist, testPassword, type Artist } from '../api/testing/actors.ts'
import { startTestApp, type TestApp } from '../api/testing/app.ts'
import { deletionAskedAt } from '../api/testing/records.ts'
import { mailTo } from '../api/testing/sandbox.ts'
import { sendNotice, openSystem } from '../api/testing/system.ts'
import { desktop, holdRequests, untilFocused, withPage, type Page } from './browser.ts'

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

let events = 0
const addNotice = async (artist: Artist, title: string, link = '/social-accounts') =>
  await sendNotice(system, artist, {
    kind: 'account_reconnect',
    dedupeKey: `event ${++events}`,
    title,
    text: 'TikTok needs you.',
    link,
    action: 'Connect again',
  })
const bell = (page: Page, unread: number) =>
  page.getByRole('button', { name: unread === 0 ? 'Notices' : `Notices, ${unread} unread`, exact: true })

describe('the bell', () => {
  test('counts a new notice live, announces it to screen readers, links to its screen, and marks it as read', async () => {
    const artist = await createArtist(app)
    await withPage(app, artist, async (page) => {
      // Only notices after the first load are announced.
      const loaded = page.waitForResponse((response) => response.url().includes('notices.list'))
      await page.goto('/settings')
      await (await loaded).finished()
      await bell(page, 0).waitFor()
      await addNotice(artist, 'Connect Mara again')
      await bell(page, 1).waitFor()
      await page.locator('output').filter({ hasText: 'New notice: Connect Mara again' }).waitFor({ state: 'attached' })
      await bell(page, 1).click()
      const sheet = page.getByRole('dialog', { name: 'Notices' })
      await sheet.getByRole('link', { name: /Connect Mara again/ }).click()
      await page.waitForURL((url) => url.pathname === '/social-accounts')
      await sheet.waitFor({ state: 'hidden' })
      await bell(page, 0).waitFor()
    })
  })

  test('works by keyboard: opens, marks one and all as read, closes, and returns the focus', async () => {
    const artist = await createArtist(app)
    for (const title of ['One', 'Two', 'Three']) await addNotice(artist, title)
    await withPage(
      app,
      artist,
      async (page) => {
        await page.goto('/settings')
        await bell(page, 3).focus()
        await page.keyboard.press('Enter')
        const list = page.getByRole('dialog', { name: 'Notices' })
        await list.getByRole('button', { name: 'Mark as read: Two' }).press('Enter')
        await list.getByRole('link', { name: /^Two/ }).waitFor()
        await list.getByRole('button', { name: 'Mark all as read' }).press('Enter')
        await list.getByRole('link', { name: /^Three/ }).waitFor()
        await expect.poll(async () => await list.getByText('Unread:').count()).toBe(0)
        await page.keyboard.press('Escape')
        await list.waitFor({ state: 'hidden' })
        await untilFocused(bell(page, 0))
      },
      { size: desktop },
    )
  })

  test("a notice's link to a deleted post says that the post no longer exists", async () => {
    const artist = await createArtist(app)
    await withPage(
      app,
      artist,
      async (page) => {
        await page.goto('/scheduled-posts?post=019a0000-0000-7000-8000-000000000001')
        const dialog = page.getByRole('dialog')
        await dialog.getByText('This post no longer exists.').waitFor()
        await dialog.getByRole('button', { name: 'Close' }).last().click()
        await page.waitForURL((url) => url.search === '')
      },
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

  test('another device is logged out here, and its open window leads to the log-in with the reason', async () => {
    const artist = await createArtist(app)
    const other = app.visitor()
    await other.post('/api/users/auth', { email: artist.email, password: testPassword })
    const otherDevice = { ...artist, cookies: other.cookies }
    await withPage(
      app,
      otherDevice,
      async (otherPage) => {
        await otherPage.goto('/help')
        await bell(otherPage, 0).waitFor()
        await withPage(app, artist, async (page) => {
          await page.goto('/settings')
          await page
            .getByRole('button', { name: /^Log out Chrome on Linux/ })
            .or(page.getByRole('button', { name: /^Log out/ }))
            .first()
            .click()
          await page.getByText(authMessages.sessionEnded).waitFor()
        })
        await otherPage.waitForURL((url) => url.pathname === '/login')
        await otherPage.getByText(authMessages.signedOut).waitFor()
        // The login returns to the screen on which the session ended.
        await otherPage.getByLabel('Email').fill(artist.email)
        await otherPage.getByLabel('Password', { exact: true }).fill(testPassword)
        await otherPage.getByRole('button', { name: 'Log in', exact: true }).click()
        await otherPage.waitForURL((url) => url.pathname === '/help')
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
      await name.fill('Ines')
      await dialog.getByRole('button', { name: 'Delete my account' }).click()
      await dialog.getByText(authMessages.nameDiffers).waitFor()
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
  test('an answer opens by the fragment of the URL, and a message reaches support', async () => {
    const artist = await createArtist(app, { name: 'Ida Blom' })
    await withPage(app, artist, async (page) => {
      await page.goto('/help#double-booking')
      await page.getByText('The database itself refuses').waitFor()
      await page.getByLabel('Message').fill('Where is my horseshoe?')
      await page.getByRole('button', { name: 'Send message' }).click()
      await page.getByText(noticeMessages.contactSent).waitFor()
      expect((await mailTo(app, 'help@flashsheet.example', /Ida Blom/)).text).toContain('Where is my horseshoe?')
    })
  })

  test('support and contact work without a session', async () => {
    await withPage(app, null, async (page) => {
      await page.goto('/support')
      await page.getByRole('heading', { name: 'Support' }).waitFor()
      await page.getByText('How do I cancel?').click()
      await page.getByText('with two presses').waitFor()
      await page.goto('/contact')
      await page.getByLabel('Name').fill('Somebody')
      await page.getByLabel('Email').fill('some@body.example')
      await page.getByLabel('Message').fill('Hello')
      await page.getByRole('button', { name: 'Send message' }).click()
      await page.getByText(noticeMessages.contactSent).waitFor()
    })
  })

  test('every link of help, settings, support and contact works', async () => {
    const artist = await createArtist(app)
    await withPage(app, artist, async (page) => {
      const found = new Set<string>()
      for (const path of ['/help', '/settings', '/support', '/contact']) {
        await page.goto(path)
        await page.getByRole('heading', { level: 1 }).waitFor()
        for (const href of await page
          .locator('a[href^="/"]')
          .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? '')))
          found.add(href.split('#')[0] ?? '')
      }
      expect(found.size).toBeGreaterThan(10)
      for (const href of found) expect((await artist.fetch(href || '/')).status, href).toBe(200)
    })
  })
})
