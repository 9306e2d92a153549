import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { readPost, variantsOf } from '../api/testing/posting.ts'
import { notifyPost, requireReconnect, startPost } from '../api/testing/records.ts'
import { postMessages } from '../packages/contracts/posts/messages.ts'
import { settledBox } from './browser.ts'
import {
  app,
  artist,
  at,
  button,
  day,
  dialog,
  end,
  facebook,
  focused,
  page,
  schedule,
  useCalendar,
} from './calendar-fixture.ts'

useCalendar()

test('follows changes made elsewhere, and keeps the focus when the calendar is rendered again', async () => {
  await schedule('Dagger', at(13, 9))
  const id = await schedule('Moth', at(13, 10))
  await page.goto('/scheduled-posts')
  const moth = page.getByRole('button', { name: /Moth/ })
  await day('Friday, November 13, 2 posts')
    .getByRole('button', { name: /Moth, Scheduled/ })
    .waitFor()
  await moth.focus()
  await end(id, 'posted', at(12, 10))
  await notifyPost(app, artist, id)
  await day('Thursday, November 12, 1 post')
    .getByRole('button', { name: /Moth, Posted/ })
    .waitFor()
  await day('Friday, November 13, 1 post').waitFor()
  await expect.poll(focused).toContain('Moth')
  // All entries are rendered again when others are added.
  for (let n = 1; n <= 3; n++) await schedule(`Piece ${n}`, at(12, 8 + n))
  await notifyPost(app, artist, id)
  await day('Thursday, November 12, 4 posts').waitFor()
  await expect.poll(focused).toContain('Moth')
  await page.keyboard.press('PageDown')
  await page.getByRole('heading', { name: 'December 2026' }).waitFor()
})

test('a stream of live updates that a proxy answers with an error page is opened again, and shows what has changed', async () => {
  await page.route(/posts\.watch/, async (route) => await route.fulfill({ status: 502, body: 'Bad Gateway' }), {
    times: 1,
  })
  const [refused] = await Promise.all([page.waitForResponse(/posts\.watch/), page.goto('/scheduled-posts')])
  expect(refused.status()).toBe(502)
  await schedule('Dagger', at(13, 9))
  await day('Friday, November 13, 1 post').waitFor()
})

test('the time of a clicked day is kept during a visit to Social Accounts; leaving for another screen without any input drops it', async () => {
  const times = async () =>
    await page.evaluate(
      (id) => (JSON.parse(localStorage.getItem(`draft:${id}`) ?? '{}') as { scheduledAt?: string[] }).scheduledAt,
      artist.id,
    )
  await schedule('Dagger', at(12, 8))
  await page.goto('/scheduled-posts')
  await day(/^Thursday, November 19/).click({ position: { x: 40, y: 90 } })
  await page.getByRole('heading', { name: 'Select Media' }).waitFor()
  await expect.poll(times).toEqual([at(19, 10)])
  const go = async (name: string) => await page.getByRole('link', { name, exact: true }).click()
  await go('Social Accounts')
  await page.getByRole('heading', { name: 'Connect an account' }).waitFor()
  await go('New Post')
  await page.getByRole('heading', { name: 'Select Media' }).waitFor()
  await expect.poll(times).toEqual([at(19, 10)])
  await go('Media')
  await page.getByText(/^Your Media Library/).waitFor()
  await go('New Post')
  await page.getByRole('heading', { name: 'Select Media' }).waitFor()
  await expect.poll(times).toEqual([])
})

/** Drags with the mouse in small steps, like a hand. */
async function drag(from: Locator, to: Locator): Promise<void> {
  const [start, end] = [await settledBox(from), await settledBox(to)]
  await page.mouse.move(start.x + 12, start.y + 8)
  await page.mouse.down()
  await page.mouse.move(end.x + end.width / 2, end.y + end.height / 2, { steps: 6 })
  await page.mouse.up()
}

test('a post is moved to another day by drag and by key, keeps its hour, and is saved; it returns to its place with the reason when it may not be moved', async () => {
  const id = await schedule('Dagger', at(20, 14, 15))
  const moth = await schedule('Moth', at(12, 14))
  await page.goto('/scheduled-posts')
  const entry = page.getByRole('button', { name: '2:15 PM, Dagger, Scheduled, Facebook' })
  await drag(entry, day(/^Tuesday, November 24/))
  await day('Tuesday, November 24, 1 post')
    .getByRole('button', { name: '2:15 PM, Dagger, Scheduled, Facebook' })
    .waitFor()
  await page.getByText(postMessages.rescheduled).waitFor()
  expect((await readPost(artist, id)).scheduledAt).toBe(at(24, 14, 15))
  await button('Undo').click()
  await day('Friday, November 20, 1 post')
    .getByRole('button', { name: /Dagger/ })
    .waitFor()
  await expect.poll(async () => (await readPost(artist, id)).scheduledAt).toBe(at(20, 14, 15))
  await drag(entry, day(/^Tuesday, November 24/))
  await expect.poll(async () => (await readPost(artist, id)).scheduledAt).toBe(at(24, 14, 15))
  await entry.focus()
  await page.keyboard.press('Alt+ArrowRight')
  await page.keyboard.press('Alt+ArrowUp')
  await day('Wednesday, November 18, 1 post')
    .getByRole('button', { name: /Dagger/ })
    .waitFor()
  await expect.poll(async () => (await readPost(artist, id)).scheduledAt).toBe(at(18, 14, 15))
  await expect.poll(focused).toContain('Dagger')
  // Two keys in the same frame are two moves.
  await page.evaluate(() => {
    for (const key of ['ArrowLeft', 'ArrowDown'])
      document.activeElement?.dispatchEvent(
        new KeyboardEvent('keydown', { key, altKey: true, bubbles: true, cancelable: true }),
      )
  })
  await day('Tuesday, November 24, 1 post')
    .getByRole('button', { name: /Dagger/ })
    .waitFor()
  await expect.poll(async () => (await readPost(artist, id)).scheduledAt).toBe(at(24, 14, 15))

  await drag(entry, day(/^Monday, November 9/))
  await page.getByText(postMessages.schedulePast).waitFor()
  await startPost(app, id, 'preparing')
  await drag(entry, day(/^Friday, November 20/))
  await page.getByText(postMessages.notEditable).waitFor()
  await day('Tuesday, November 24, 1 post')
    .getByRole('button', { name: /Dagger/ })
    .waitFor()
  expect((await readPost(artist, id)).scheduledAt).toBe(at(24, 14, 15))

  await button('Week').click()
  const inWeek = page.locator('[data-time-grid-date="2026-11-12"]').getByRole('button', { name: /Moth/ })
  const box = await settledBox(inWeek)
  await page.mouse.move(box.x + 10, box.y + 6)
  await page.mouse.down()
  await page.mouse.move(box.x + 10, box.y + 6 + 72, { steps: 6 })
  await page.mouse.up()
  await page.getByRole('button', { name: /^3:30 PM, Moth/ }).waitFor()
  await expect.poll(async () => (await readPost(artist, moth)).scheduledAt).toBe(at(12, 15, 30))
})

test('a post that is found with the filter in the URL is rescheduled, reworded and deleted, in the calendar and on the server', async () => {
  await end(await schedule('Swallow', at(12, 8)), 'failed', at(10, 9), 'Facebook said no.')
  const id = await schedule('Dagger', at(13, 9))
  await page.goto('/scheduled-posts?status=failed')
  await page.getByRole('button', { name: /Swallow/ }).waitFor()
  expect(await page.getByRole('button', { name: /Dagger/ }).count()).toBe(0)
  await button(/^Failed/).click()
  await page.getByRole('option', { name: 'Scheduled' }).click()
  await page.getByRole('button', { name: /^9:00 AM, Dagger/ }).click()
  await expect.poll(() => new URL(page.url()).search).toBe('?status=scheduled')
  const modal = dialog('Reschedule Post')
  await modal.getByLabel('Caption').fill('One hour, two needles.')
  await modal.getByRole('spinbutton', { name: /^day/ }).fill('20')
  await modal.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText(postMessages.rescheduled).waitFor()
  const moved = day('Friday, November 20, 1 post').getByRole('button', { name: /^9:00 AM, Dagger/ })
  await moved.waitFor()
  await day('Friday, November 13, no posts').waitFor()
  const post = await readPost(artist, id)
  expect(post.scheduledAt).toBe(at(20, 9))
  expect(post.variants[0]?.message).toBe('One hour, two needles.')
  expect(post.variants[0]?.title).toBe('Dagger')

  await moved.click()
  await button('Delete').click()
  await page.getByRole('alertdialog', { name: 'Delete this post?' }).getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Nothing matches').waitFor()
  await expect.poll(async () => (await artist.get(`/api/posts/${id}`)).status).toBe(404)
  await button('Show all posts').click()
  await page.getByRole('button', { name: /Swallow/ }).waitFor()
})

test('a page with a disconnected account is retried by reconnecting it; all failed pages can be retried at once', async () => {
  const id = await schedule(
    'Rose',
    at(12, 8),
    variantsOf(facebook, { title: 'Rose', message: 'A rose' }, facebook.pages.slice(0, 2)),
  )
  await end(id, 'failed', at(9, 18), 'Facebook needs you to connect this account again.')
  await requireReconnect(app, artist)
  await page.route(
    '**/api/social-connect/facebook',
    async (route) => await route.fulfill({ contentType: 'text/html', body: '<title>Facebook</title>' }),
  )
  await page.goto(`/scheduled-posts?post=${id}`)
  const modal = dialog('Failed Post Details')
  await modal.getByRole('button', { name: 'Try all 2 again' }).waitFor()
  await modal.getByRole('button', { name: 'Reconnect Facebook: Inkwell Prints' }).click()
  await page.waitForURL('**/api/social-connect/facebook')
  const { variants } = await readPost(artist, id)
  expect(Object.fromEntries(variants.map(({ pageName, status }) => [pageName, status]))).toEqual({
    'Inkwell Tattoo': 'failed',
    'Inkwell Prints': 'scheduled',
  })
})
