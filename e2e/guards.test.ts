import { loginMessages } from '../packages/contracts/login/messages.ts'
import { subscriptionMessages } from '../packages/contracts/subscription/messages.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createArtist, type Artist } from '../api/testing/actors.ts'
import { startTestApp, type TestApp } from '../api/testing/app.ts'
import { openWindow, setSession, type Window } from './browser.ts'

let app: TestApp
let window: Window
beforeAll(async () => {
  app = await startTestApp({ role: 'web' })
})
afterAll(async () => {
  await app?.stop()
})
beforeEach(async () => {
  window = await openWindow({ reuse: true, baseUrl: app.url })
})
afterEach(async () => await window.close())

async function openAs(artist: Artist, path: string): Promise<void> {
  await setSession(window, app.url, artist.cookies)
  await window.page.goto(path)
}

async function logInAgain(artist: Artist): Promise<void> {
  // The path is in the address before the screen is rendered, and the screen before it may have a field of the same name.
  await window.page.getByRole('heading', { name: 'Log in' }).waitFor()
  await window.page.getByLabel('Email').fill(artist.email)
  await window.page.getByRole('textbox', { name: 'Password' }).fill(artist.password)
  await window.page.getByRole('button', { name: 'Log in', exact: true }).click()
}

const untilPath = async (path: string) => await window.page.waitForURL((url) => url.pathname === path)

describe('guards', () => {
  test('guarded pages ask for a subscription; after the link to the plans the focus moves to the new page', async () => {
    await openAs(await createArtist(app, { plan: null }), '/media')
    const { page } = window
    await page.getByText(subscriptionMessages.premiumTitle).waitFor()
    await page.getByText(subscriptionMessages.premiumText).waitFor()
    await page.getByRole('navigation', { name: 'App' }).getByRole('link', { name: 'Subscribe Now' }).waitFor()
    await page.getByRole('link', { name: 'View plans' }).focus()
    await page.keyboard.press('Enter')
    await page.locator('header').getByRole('heading', { level: 1, name: 'Subscription', exact: true }).waitFor()
    await page.getByText('Complete Shading').first().waitFor()
    await expect.poll(async () => await page.evaluate(() => document.activeElement?.id)).toBe('content')
  })

  test('a session that ended inside the app leads to the log-in, and back to the same URL', async () => {
    const artist = await createArtist(app)
    await openAs(artist, '/scheduled-posts?network=instagram')
    await window.page.getByText('Nothing matches').waitFor()
    // The event stream stays open, so only the next call detects the end.
    await window.context.clearCookies()
    await window.page.getByRole('button', { name: 'Next' }).click()
    await window.page.getByText(loginMessages.signedOut).waitFor()
    await logInAgain(artist)
    await untilPath('/scheduled-posts')
    await expect.poll(() => new URL(window.page.url()).search).toBe('?network=instagram')
    await expect
      .poll(async () => await window.page.evaluate(() => localStorage.getItem('userInfo')))
      .toContain(artist.email)
  })

  test('what was typed into a form when the session ended is restored after the log-in', async () => {
    const artist = await createArtist(app)
    await openAs(artist, '/profile')
    const name = window.page.getByRole('textbox', { name: 'Name', exact: true })
    await name.fill('Ada Inkwell the Second')
    await window.context.clearCookies()
    await window.page.getByRole('button', { name: 'Save changes' }).click()
    await logInAgain(artist)
    await untilPath('/profile')
    await expect.poll(async () => await name.inputValue()).toBe('Ada Inkwell the Second')
  })

  test('a tab whose user was replaced by a log-in in another tab shows the new user, and nothing of the former', async () => {
    const [first, second] = [await createArtist(app, { name: 'Ada' }), await createArtist(app, { name: 'Bo' })]
    await openAs(first, '/profile')
    const name = window.page.getByRole('textbox', { name: 'Name', exact: true })
    await name.fill('Ada Inkwell the Second')
    const other = await window.context.newPage()
    await window.context.clearCookies()
    await other.goto('/login')
    await other.getByLabel('Email').fill(second.email)
    await other.getByRole('textbox', { name: 'Password' }).fill(second.password)
    await other.getByRole('button', { name: 'Log in', exact: true }).click()
    await expect.poll(async () => await name.inputValue()).toBe('Bo')
    expect(await window.page.getByText('Ada').count()).toBe(0)
    // The text is kept in this tab for its author.
    await window.context.clearCookies()
    // The event stream connects again for the new user, and may find the end of the session first.
    const logIn = window.page.getByRole('heading', { name: 'Log in', exact: true })
    await window.page.getByRole('button', { name: 'Save changes' }).or(logIn).first().click()
    await logInAgain(first)
    await untilPath('/profile')
    await expect.poll(async () => await name.inputValue()).toBe('Ada Inkwell the Second')
  })

  test('files that were picked before a log-out are not offered to the next user of the window', async () => {
    const [first, second] = [await createArtist(app, { name: 'Ada' }), await createArtist(app, { name: 'Bo' })]
    await openAs(first, '/media')
    const { page } = window
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'ada.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('a picture') })
    await page.getByRole('list', { name: 'Files to Upload' }).getByText('ada').waitFor()
    await page.getByRole('button', { name: 'Account of Ada' }).click()
    await page.getByRole('menuitem', { name: 'Logout' }).click()
    await page.getByRole('link', { name: 'Log in' }).click()
    await logInAgain(second)
    await page.getByRole('navigation', { name: 'App' }).getByRole('link', { name: 'Media' }).click()
    await page.getByText('Your Media Library (0/100)').waitFor()
    expect(await page.getByRole('list', { name: 'Files to Upload' }).count()).toBe(0)
  })
})

test('the sidebar of the signed-in shell is a drawer on a phone, and the user menu logs out to the registration', async () => {
  const { page } = window
  const artist = await createArtist(app, { name: 'Ada Inkwell' })
  await openAs(artist, '/social-accounts')
  const nav = page.getByRole('navigation', { name: 'App' })
  for (const title of ['Queue', 'Settings']) {
    await nav.getByRole('link', { name: title }).click()
    await page.locator('header').getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
    await expect.poll(async () => await page.title()).toBe(`${title} · Flashsheet`)
  }
  expect(await page.locator('header').getByRole('link', { name: 'Flashsheet' }).getAttribute('href')).toBe('/')
  await page.locator('header').getByText('AI', { exact: true }).waitFor()

  await page.setViewportSize({ width: 767, height: 900 })
  await nav.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Media', exact: true }).click()
  await page.waitForURL((url) => url.pathname === '/media')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.setViewportSize({ width: 768, height: 900 })
  await nav.waitFor()

  await page.getByRole('button', { name: /Ada Inkwell/ }).click()
  await page.getByRole('menuitem', { name: 'Edit Profile' }).waitFor()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await untilPath('/register')
  expect(await artist.get('/api/media')).toMatchObject({ status: 401 })
  await expect.poll(async () => await page.evaluate(() => localStorage.getItem('userInfo'))).toBeNull()
})
