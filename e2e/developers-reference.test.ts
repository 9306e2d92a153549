import { afterAll, beforeAll, expect, test } from 'vitest'
import { keyMessages } from '../packages/contracts/keys/messages.ts'
import { createArtist, type Artist } from '../api/testing/actors.ts'
import { startTestApp, type TestApp } from '../api/testing/app.ts'
import { createProgram } from '../api/testing/keys.ts'
import { openWindow, phone, type Page } from './browser.ts'

let app: TestApp
let artist: Artist
beforeAll(async () => {
  app = await startTestApp()
  artist = await createArtist(app)
})
afterAll(async () => await app?.stop())

const open = async (page: Page, operation: string) => await page.locator(`#${operation} > summary`).click()

test('a call is found, tried with the artist’s own key, and refused with an invalid one', async () => {
  const { key } = await createProgram(app, artist, ['posts:write'])
  const { page, pageErrors, close } = await openWindow({ reuse: true, baseUrl: app.url, size: phone })
  try {
    await page.goto('/developers')
    await page.getByRole('link', { name: 'The reference' }).click()
    await page.getByRole('searchbox', { name: 'Find' }).fill('api/me')
    await open(page, 'getMe')
    const me = page.locator('#getMe')
    expect(await me.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true)
    const keyField = page.getByRole('textbox', { name: 'Your API key' })
    await keyField.fill('fs_test_wrong')
    await me.getByRole('button', { name: 'Send' }).click()
    await me.getByText(keyMessages.notValid).waitFor()
    await keyField.fill(key)
    await me.getByRole('button', { name: 'Send' }).click()
    await me.getByText(artist.id).waitFor()

    // A call that changes data has a warning, and its body starts with the required fields.
    await page.getByRole('searchbox', { name: 'Find' }).fill('posts/schedule')
    await open(page, 'postPostsSchedule')
    const schedule = page.locator('#postPostsSchedule')
    await schedule.getByText('This is a real call').waitFor()
    // Examples of request and response are shown.
    await schedule
      .getByRole('region', { name: 'Example of a body for postPostsSchedule', exact: true })
      .getByText('Fresh flash: three daggers left.')
      .waitFor()
    await schedule
      .getByRole('region', { name: 'Example of what postPostsSchedule answers', exact: true })
      .getByText('"targets"')
      .waitFor()
    expect(await schedule.getByRole('textbox', { name: 'Body, in JSON' }).inputValue()).toContain('"mediaIds"')
    await schedule.getByRole('textbox', { name: 'Body, in JSON' }).fill('{')
    await schedule.getByRole('button', { name: 'Send' }).click()
    await schedule.getByText(/"code": "invalid"/).waitFor()

    await page.getByRole('searchbox', { name: 'Find' }).fill('no such call')
    await page.getByText('No call matches that.').waitFor()
    // The browser's messages about the two refused calls.
    await expect.poll(() => pageErrors).toEqual([expect.stringMatching(/401/), expect.stringMatching(/400/)])
  } finally {
    await close()
  }
})

test('shows an error when it cannot be loaded, and after a retry the operation in the URL, examples, and no operation that no key may call', async () => {
  const { page, pageErrors, close } = await openWindow({ reuse: true, baseUrl: app.url, size: phone })
  try {
    let isAway = true
    await page.route('**/api/openapi.json', async (route) => (isAway ? await route.abort() : await route.continue()))
    await page.goto('/developers/reference#getQueueNext')
    const again = page.getByRole('button', { name: 'Try again' })
    await again.waitFor()
    isAway = false
    await again.click()
    const next = page.locator('#getQueueNext')
    await next.getByText('in the query, optional, such as 3').waitFor()
    // The operation in the URL's fragment is visible below the header.
    const top = async () => (await next.boundingBox())?.y ?? -1
    await expect.poll(async () => (await top()) > 60 && (await top()) < 300).toBe(true)
    expect(await page.locator('#postKeys').count()).toBe(0)
    expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual([
      'Posts',
      'Media',
      'Accounts',
      'Drafts and queue',
      'Site',
      'Bookings',
      'Webhooks',
      'You and your plan',
      'Discovery',
    ])

    // A call without JSON cannot be tried.
    const upload = page.locator('#postMediaUpload')
    await open(page, 'postMediaUpload')
    await upload.getByText('multipart/form-data', { exact: true }).waitFor()
    expect(await upload.getByRole('button', { name: 'Send' }).count()).toBe(0)

    const failed = page.locator('#onPostFailed')
    await page.getByRole('searchbox', { name: 'Find' }).fill('post.failed')
    await open(page, 'onPostFailed')
    const example = failed.getByRole('region', { name: 'Example of a body for onPostFailed', exact: true })
    await example.getByText('"type": "post.failed"').waitFor()
    // A webhook cannot be tried.
    expect(await failed.getByRole('button', { name: 'Send' }).count()).toBe(0)
    expect(pageErrors).toEqual([expect.stringMatching(/Failed to load resource/)])
  } finally {
    await close()
  }
})
