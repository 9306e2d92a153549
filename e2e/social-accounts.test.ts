import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createArtist, type Artist } from '../api/testing/actors.ts'
import { startTestApp, type TestApp } from '../api/testing/app.ts'
import { requireReconnect } from '../api/testing/records.ts'
import { socialMessages } from '../packages/contracts/social/messages.ts'
import type { SocialAccount } from '../packages/contracts/social/schema.ts'
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
  test('leads to the network; a denial is reported, an approval shows the pages with their date and health, and an account can be reconnected', async () => {
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

    await requireReconnect(app, artist)
    await page.reload()
    await page.getByRole('heading', { name: 'Connected Accounts (1/5)' }).waitFor()
    expect(await page.getByText('Facebook account connected successfully!').count()).toBe(0)
    await page.getByText('Reconnect needed').waitFor()
    await page.getByRole('button', { name: 'Reconnect Facebook: Marlo Vance' }).click()
    await answer('Approve')
    await says('Facebook account connected successfully!')
    // Waits for the reloaded list, because only then does a missing badge prove anything.
    await page
      .getByRole('button', { name: /^Disconnect / })
      .first()
      .waitFor()
    await expect.poll(async () => await page.getByRole('button', { name: /^Disconnect / }).count()).toBe(2)
    await page.getByText('Reconnect needed').waitFor({ state: 'detached' })

    await page.getByRole('button', { name: /^Disconnect Black Quill Tattoo/ }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect' }).click()
    await says(socialMessages.disconnected)
    await expect
      .poll(async () => (await artist.get<SocialAccount[]>('/api/social-accounts')).body[0]?.pages.length)
      .toBe(1)
  })
})
