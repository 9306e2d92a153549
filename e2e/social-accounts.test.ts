import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createArtist, type Artist } from '../api/testing/actors.ts'
import { startTestApp, type TestApp } from '../api/testing/app.ts'
import { connect } from '../api/testing/connect.ts'
import { requireReconnect } from '../api/testing/records.ts'
import { socialMessages } from '../packages/contracts/social/messages.ts'
import { closeChecked, openWindow, phone, setSession, type Page, type Window } from './browser.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(async () => {
  await app?.stop()
})

let artist: Artist
let window: Window
let page: Page
beforeEach(async () => {
  artist = await createArtist(app)
  window = await openWindow({ reuse: true, baseUrl: app.url, size: phone })
  page = window.page
  await setSession(window, app.url, artist.cookies)
  return async () => {
    await closeChecked(window)
  }
})

const says = async (text: string) => expect(await page.getByText(text, { exact: true }).first().innerText()).toBe(text)

/** Answers on the network's own page. */
async function answer(how: 'Approve' | 'Deny'): Promise<void> {
  await page.waitForURL((url) => url.origin === app.sandboxUrl)
  await page.getByRole('button', { name: how }).click()
  await page.waitForURL((url) => url.origin === app.url)
}

describe('the connect modal', () => {
  test('leads to the network; a denial is reported, and an approval shows the pages with their date and health', async () => {
    await page.goto('/social-accounts')
    await page.getByRole('button', { name: 'Connect TikTok' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Connect', exact: true }).click()
    await answer('Deny')
    await says(socialMessages.cancelled)
    await expect.poll(() => new URL(page.url()).search).toBe('')
    await page.getByRole('heading', { name: 'Connected Accounts (0/5)' }).waitFor()

    await page.getByRole('button', { name: 'Connect Facebook' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Connect', exact: true }).click()
    await answer('Approve')
    await says('Facebook account connected successfully!')
    await expect.poll(() => new URL(page.url()).search).toBe('')
    await page.getByRole('heading', { name: 'Connected Accounts (1/5)' }).waitFor()
    const card = page.getByRole('listitem', { name: 'Facebook: Marlo Vance' })
    const first = card.getByRole('listitem').first()
    expect(await first.innerText()).toMatch(/Black Quill Tattoo[\s\S]*Since[\s\S]*\w+ \d{1,2}, \d{4}/)
    await card.getByText('Connected', { exact: true }).waitFor()
    // The picture appears when a job has copied it.
    await expect.poll(async () => await first.evaluate((row) => row.querySelector('img')?.naturalWidth)).toBe(96)
    await first.getByText('@blackquilltattoo', { exact: true }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Connected Accounts (1/5)' }).waitFor()
    expect(await page.getByText('Facebook account connected successfully!').count()).toBe(0)
  })
})

test('a visitor without a session who returns from a network is asked to log in', async () => {
  await window.context.clearCookies()
  await page.goto('/api/social-connect/facebook/callback?code=x&state=y')
  await says(socialMessages.loginFirst)
  expect(new URL(page.url()).pathname).toBe('/login')
})

test('a message in the URL is shown once and removed', async () => {
  await page.goto('/social-accounts?error=Something+went+astray')
  await says('Something went astray')
  await expect.poll(() => new URL(page.url()).search).toBe('')
  await page.goto('/social-accounts?connected=myspace')
  await page.getByText(socialMessages.noneConnected).waitFor()
})

test('disconnecting a page that was disconnected elsewhere is reported and updates the list; disconnecting asks for confirmation by name', async () => {
  const account = await connect(app, artist, 'facebook')
  const gone = await connect(app, artist, 'tiktok')
  await page.goto('/social-accounts')
  await page.getByRole('button', { name: 'Disconnect Tidewater Ink' }).click()
  await artist.delete(`/api/social-accounts/${gone._id}`)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect' }).click()
  await says(socialMessages.unknownAccount)
  await page.getByRole('button', { name: 'Disconnect Tidewater Ink' }).waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: 'Connected Accounts (1/5)' }).waitFor()
  await page.getByRole('alertdialog', { name: /^Disconnect this/ }).waitFor({ state: 'detached' })

  const [first, second] = account.pages
  await page.getByRole('button', { name: `Disconnect ${first!.name}` }).click()
  const modal = page.getByRole('alertdialog', { name: 'Disconnect this Facebook Page?' })
  expect(await modal.innerText()).toMatch(
    /Black Quill Tattoo[\s\S]*Scheduled posts from that Page will be deleted\.[\s\S]*Information from former posts is removed\.[\s\S]*This action cannot be undone\./,
  )
  await modal.getByRole('button', { name: 'Cancel' }).click()
  await modal.waitFor({ state: 'detached' })
  for (const one of [first!, second!]) {
    await page.getByRole('button', { name: `Disconnect ${one.name}` }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect' }).click()
    await page.getByRole('button', { name: `Disconnect ${one.name}` }).waitFor({ state: 'detached' })
  }
  await says(socialMessages.disconnected)
  await page.getByText(socialMessages.noneConnected).waitFor()
})

test('an account that must be reconnected says so and leads to its network', async () => {
  await connect(app, artist, 'linkedin')
  await requireReconnect(app, artist)
  await page.goto('/social-accounts')
  await page.getByText('Reconnect needed').waitFor()
  await page.getByRole('button', { name: 'Reconnect LinkedIn: LinkedIn member' }).click()
  await answer('Approve')
  await says('LinkedIn account connected successfully!')
  // Waits for the reloaded list, because only then does a missing badge prove anything.
  await page
    .getByRole('button', { name: /^Disconnect / })
    .first()
    .waitFor()
  await expect.poll(async () => await page.getByRole('button', { name: /^Disconnect / }).count()).toBe(2)
  await page.getByText('Reconnect needed').waitFor({ state: 'detached' })
})
