import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createArtist, type Artist } from '../api/testing/actors.ts'
import { startTestApp, type TestApp } from '../api/testing/app.ts'
import { mailTo } from '../api/testing/sandbox.ts'
import { removePassword, linkGoogle } from '../api/testing/records.ts'
import { authMessages } from '../packages/contracts/auth/messages.ts'
import { errorMessages } from '../packages/contracts/errors/messages.ts'
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

const untilPath = async (path: string) => await page.waitForURL((url) => url.pathname === path)
const says = async (words: string) => await page.getByText(words, { exact: true }).first().waitFor()
const press = async (name: string | RegExp) => await page.getByRole('button', { name, exact: true }).click()
const field = (label: string) => page.getByLabel(label, { exact: true })

async function logIn(email: string, password: string): Promise<void> {
  await untilPath('/login')
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

describe('a forgotten password', () => {
  test('is reset by the emailed link; the request answers the same for unknown addresses, and the new password logs in', async () => {
    const artist = await createArtist(app)
    await page.goto('/login')
    await page.getByRole('link', { name: 'Forgot password?' }).click()
    await untilPath('/forgot-password')
    await press('Send reset link')
    await says(authMessages.forgotEmailRequired)
    await expect.poll(async () => await page.locator('footer').count()).toBe(0)
    await field('Email').fill('nobody-at-all@studio.example')
    await press('Send reset link')
    await page.getByRole('heading', { name: 'Check your email' }).waitFor()
    await says(authMessages.resetSent)
    await press('Send to another email')
    expect(await field('Email').inputValue()).toBe('')
    await field('Email').fill(artist.email)
    await press('Send reset link')
    await page.getByRole('heading', { name: 'Check your email' }).waitFor()
    await page.goto(await linkIn(artist.email, /Reset/, '/reset-password?'))
    await press('Reset password')
    await says(authMessages.fillAllFields)
    await field('New password').fill('needle and thread')
    await field('Confirm password').fill('needle and bread')
    await press('Reset password')
    await says(authMessages.passwordsDiffer)
    await field('New password').fill('12345')
    await field('Confirm password').fill('12345')
    await press('Reset password')
    await says(authMessages.passwordTooShort)
    await field('New password').fill('needle and thread')
    await field('Confirm password').fill('needle and thread')
    await press('Reset password')
    await says(authMessages.resetDone)
    await page.getByRole('link', { name: 'Log in' }).click()
    await logIn(artist.email, 'needle and thread')
    await untilPath('/new-post')
  })

  test.each(['/reset-password', '/reset-password?token=used-or-made-up'])(
    '%s reports an invalid link and offers a new one',
    async (path) => {
      await page.goto(path)
      if (path.includes('token')) {
        await field('New password').fill('needle and thread')
        await field('Confirm password').fill('needle and thread')
        await press('Reset password')
      }
      await says(authMessages.resetLinkInvalid)
      await expect.poll(async () => await page.locator('footer').count()).toBe(0)
      await page.getByRole('link', { name: 'Send a new link' }).click()
      await untilPath('/forgot-password')
    },
  )
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

  test('in another browser changes nothing by being opened, asks for the password, and signs in', async () => {
    const { email, link } = await registered()
    await page.goto(link)
    await page.getByRole('button', { name: 'This wasn’t me' }).waitFor()
    expect(await isVerified(email, 'needle and thread')).toBe(false)
    await field('Password').fill('something else')
    await press(`Confirm ${email} for Ada Inkwell`)
    await says(authMessages.registeredPasswordWrong)
    await field('Password').fill('needle and thread')
    await press(`Confirm ${email} for Ada Inkwell`)
    await says(authMessages.verified)
    await untilPath('/subscription')
    expect(await isVerified(email, 'needle and thread')).toBe(true)
  })

  test('the waiting tab continues when the address is verified in another tab', async () => {
    const { email, link } = await registered()
    await page.goto(`/verify-email?email=${encodeURIComponent(email)}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expect.poll(async () => await page.locator('footer').count()).toBe(0)
    const other = await page.context().newPage()
    await other.goto(link)
    await other.getByLabel('Password', { exact: true }).fill('needle and thread')
    await other.getByRole('button', { name: `Confirm ${email} for Ada Inkwell` }).click()
    await untilPath('/subscription')
    await other.close()
  })

  test('lets the owner of the mailbox take over the account that somebody else registered', async () => {
    const { email, link } = await registered()
    await page.goto(link)
    await press('This wasn’t me')
    await press(`Confirm ${email}`)
    await says(authMessages.nameRequired)
    await field('Your name').fill('Mara Quill')
    await field('New password').fill('of the mailbox')
    await field('Confirm password').fill('of the mailbox')
    await press(`Confirm ${email}`)
    await says(authMessages.verified)
    await untilPath('/subscription')
    expect(await isVerified(email, 'of the mailbox')).toBe(true)
    expect(await isVerified(email, 'needle and thread')).toBeUndefined()
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

  test('/login replaces an error text from the URL that is not one of our messages', async () => {
    await page.goto(`/login?error=${encodeURIComponent('Call +1 555 0100 to unlock your account')}`)
    await says(errorMessages.unknown)
    expect(await page.getByText('555').count()).toBe(0)
  })
})

describe('the sign-in methods of an account', () => {
  async function linked(): Promise<Artist> {
    const artist = await createArtist(app)
    await linkGoogle(app, artist)
    await setSession(window, app.url, artist.cookies)
    return artist
  }

  test('removing Google in the settings requires the password', async () => {
    const artist = await linked()
    await page.goto('/settings')
    await press('Remove Google')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Current password', { exact: true }).fill('not this one')
    await dialog.getByRole('button', { name: 'Remove Google' }).click()
    await says(authMessages.currentPasswordWrong)
    await dialog.getByLabel('Current password', { exact: true }).fill(artist.password)
    await dialog.getByRole('button', { name: 'Remove Google' }).click()
    await says(authMessages.googleRemoved)
    await page.getByRole('button', { name: 'Remove Google' }).waitFor({ state: 'detached' })
    expect((await artist.get('/api/media')).status).toBe(401)
  })

  test('an account with Google alone sets its first password by an emailed link', async () => {
    const artist = await linked()
    await removePassword(app, artist)
    await page.goto('/profile')
    await page.getByText('You log in with Google and have no password.').waitFor()
    expect(await field('Email').isDisabled()).toBe(true)
    await page.getByRole('link', { name: 'choose one in your settings' }).click()
    await press('Mail me a link')
    await says(authMessages.resetSent)
    await linkIn(artist.email, /Reset/, '/reset-password?')
  })
})

describe('Update Profile', () => {
  test('a new name needs no password; a new password needs the current one, and logs in afterwards', async () => {
    const artist = await createArtist(app, { name: 'Ada Inkwell' })
    await openProfile(artist)
    expect(await field('Current password').count()).toBe(0)
    await field('Name').fill('Nora Nadel')
    await press('Save changes')
    await says(authMessages.profileUpdated)
    await page.getByRole('button', { name: 'Account of Nora Nadel' }).waitFor()

    await field('Password').fill('a brand new one')
    await field('Confirm password').fill('a brand new one')
    await field('Current password').fill('not this one')
    await press('Save changes')
    await says(authMessages.currentPasswordWrong)
    expect(await field('Password').inputValue()).toBe('a brand new one')
    await field('Current password').fill(artist.password)
    await press('Save changes')
    await says(authMessages.profileUpdated)
    await expect.poll(async () => await field('Password').inputValue()).toBe('')
    await page.reload()
    await page.getByRole('heading', { name: 'Update Profile' }).waitFor()
    expect(
      (await app.visitor().post('/api/users/auth', { email: artist.email, password: 'a brand new one' })).status,
    ).toBe(200)
  })

  test('a new address is pending until its link is confirmed, and can be cancelled', async () => {
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

    await field('Email').fill(`other-${artist.email}`)
    await field('Current password').fill(artist.password)
    await press('Save changes')
    await press('Keep the old one')
    await says(authMessages.emailChangeCancelled)
    await page.getByText('Confirm your new address').waitFor({ state: 'detached' })
  })
})
