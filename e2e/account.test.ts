import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createArtist, type Artist } from '../api/testing/actors.ts'
import { startTestApp, type TestApp } from '../api/testing/app.ts'
import { mailTo } from '../api/testing/sandbox.ts'
import { authMessages } from '../packages/contracts/auth/messages.ts'
import { closeChecked, openWindow, phone, setSession, type Page, type Window } from './browser.ts'

let app: TestApp
let window: Window
let page: Page
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(async () => {
  await app?.stop()
})
beforeEach(async () => {
  window = await openWindow({ reuse: true, baseUrl: app.url, size: phone })
  page = window.page
})
afterEach(async () => {
  await closeChecked(window)
})

// A path is in the address before its screen is rendered: to type into a form, wait for its heading.
const untilPath = async (path: string) => await page.waitForURL((url) => url.pathname === path)
const says = async (words: string) => await page.getByText(words, { exact: true }).first().waitFor()
const press = async (name: string | RegExp) => await page.getByRole('button', { name, exact: true }).click()
const field = (label: string) => page.getByLabel(label, { exact: true })

async function logIn(email: string, password: string): Promise<void> {
  await page.getByRole('heading', { name: 'Log in' }).waitFor()
  await field('Email').fill(email)
  await field('Password').fill(password)
  await press('Log in')
}

async function openProfile(artist: Artist): Promise<void> {
  await setSession(window, app.url, artist.cookies)
  await page.goto('/profile')
  await page.getByRole('heading', { name: 'Update Profile' }).waitFor()
}

const linkIn = async (to: string, subject: RegExp, path: string) =>
  (await mailTo(app, to, subject)).links.find((link) => link.startsWith(`${app.url}${path}`)) ?? ''

test('a forgotten password is reset by the emailed link, and the new one logs in', async () => {
  const artist = await createArtist(app)
  await page.goto('/login')
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor()
  await field('Email').fill(artist.email)
  await press('Send reset link')
  await page.getByRole('heading', { name: 'Check your email' }).waitFor()
  await page.goto(await linkIn(artist.email, /Reset/, '/reset-password?'))
  await field('New password').fill('needle and thread')
  await field('Confirm password').fill('needle and thread')
  await press('Reset password')
  await says(authMessages.resetDone)
  await page.getByRole('link', { name: 'Log in' }).click()
  await logIn(artist.email, 'needle and thread')
  await untilPath('/new-post')
})

describe('the link of a registration', () => {
  /** Registers in another browser. Returns the address and the link of its mail. */
  async function registered(): Promise<{ email: string; link: string }> {
    const email = `${randomUUID()}@studio.example`
    await app.visitor().post('/api/users', { name: 'Ada Inkwell', email, password: 'needle and thread' })
    return { email, link: await linkIn(email, /Verify/, '/verify-email?') }
  }
  const isVerified = async (email: string, password: string) =>
    (await app.visitor().post<{ isEmailVerified?: boolean }>('/api/users/auth', { email, password })).body
      .isEmailVerified

  test('in another browser changes nothing by being opened, asks for the password, and signs in; the waiting tab continues', async () => {
    const { email, link } = await registered()
    await page.goto(`/verify-email?email=${encodeURIComponent(email)}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    const other = await page.context().newPage()
    await other.goto(link)
    await other.getByRole('button', { name: 'This wasn’t me' }).waitFor()
    expect(await isVerified(email, 'needle and thread')).toBe(false)
    await other.getByLabel('Password', { exact: true }).fill('needle and thread')
    await other.getByRole('button', { name: `Confirm ${email} for Ada Inkwell` }).click()
    await other.getByText(authMessages.verified, { exact: true }).first().waitFor()
    await Promise.all([untilPath('/subscription'), other.waitForURL((url) => url.pathname === '/subscription')])
    expect(await isVerified(email, 'needle and thread')).toBe(true)
    await other.close()
  })
})

describe('Continue with Google', () => {
  test('is offered at the registration too; a denial leads to the log-in with a message, an approval signs in', async () => {
    await page.goto('/register')
    await page.getByRole('link', { name: 'Continue with Google' }).click()
    await page.getByRole('button', { name: 'Deny' }).click()
    await untilPath('/login')
    await says(authMessages.googleCancelled)
    await page.getByRole('link', { name: 'Continue with Google' }).click()
    await page.getByRole('button', { name: 'Approve' }).click()
    await untilPath('/')
    await page.goto('/login')
    await untilPath('/new-post')
    await expect
      .poll(async () => await page.evaluate(() => localStorage.getItem('userInfo')))
      .toContain('mina.hart@gmail.example')
  })
})

describe('Update Profile', () => {
  test('a new address is pending until its link is confirmed', async () => {
    const artist = await createArtist(app)
    const to = `new-${artist.email}`
    await openProfile(artist)
    await field('Email').fill(to)
    await field('Current password').fill(artist.password)
    await press('Save changes')
    await says('Confirm your new address')
    await says(authMessages.emailChangeSent)
    await expect.poll(async () => await field('Email').inputValue()).toBe(artist.email)
    await page.goto(await linkIn(to, /Confirm/, '/verify-email?'))
    await press(`Confirm ${to} for ${artist.name}`)
    await says(authMessages.verified)
    await untilPath('/new-post')
    await page.goto('/profile')
    await page.getByRole('heading', { name: 'Update Profile' }).waitFor()
    await expect.poll(async () => await field('Email').inputValue()).toBe(to)
    await page.getByText('Confirm your new address').waitFor({ state: 'detached' })
  })
})
