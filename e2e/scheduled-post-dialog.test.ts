import { describe, expect, test } from 'vitest'
import { readPost, variantsOf } from '../api/testing/posting.ts'
import { startPost, requireReconnect } from '../api/testing/records.ts'
import { postMessages } from '../packages/contracts/posts/messages.ts'
import { nextSlot } from '../packages/contracts/queue/limits.ts'
import { queueMessages } from '../packages/contracts/queue/messages.ts'
import {
  app,
  artist,
  at,
  screenFaults,
  button,
  day,
  dialog,
  end,
  facebook,
  page,
  schedule,
  useCalendar,
} from './calendar-fixture.ts'

useCalendar()

describe('a scheduled post', () => {
  test('is rescheduled and reworded, in the calendar and on the server', async () => {
    const id = await schedule('Dagger', at(13, 9))
    await page.goto('/scheduled-posts')
    await page.getByRole('button', { name: /^9:00 AM, Dagger/ }).click()
    const modal = dialog('Reschedule Post')
    await modal.getByLabel('Caption').fill('One hour, two needles.')
    await modal.getByRole('spinbutton', { name: /^day/ }).fill('20')
    await modal.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText(postMessages.rescheduled).waitFor()
    await day('Friday, November 20, 1 post')
      .getByRole('button', { name: /^9:00 AM, Dagger/ })
      .waitFor()
    await day('Friday, November 13, no posts').waitFor()
    const post = await readPost(artist, id)
    expect(post.scheduledAt).toBe(at(20, 9))
    expect(post.variants[0]?.message).toBe('One hour, two needles.')
    expect(post.variants[0]?.title).toBe('Dagger')
  })

  test('of the queue is marked as queued, and leaves the queue when it gets its own time', async () => {
    const slots = [{ days: [5], time: '09:00' }]
    expect((await artist.put('/api/queue', { timeZone: 'America/New_York', slots })).status).toBe(200)
    const id = await schedule('Dagger', nextSlot)
    await page.goto('/scheduled-posts')
    const queued = day('Friday, November 13, 1 post').getByRole('button', { name: '9:00 AM, Dagger, Queued, Facebook' })
    await queued.locator('use[href="#calendar-mark-queued"]').waitFor({ state: 'attached' })
    const explained = page.getByRole('list', { name: 'Legend' }).getByText('Queued')
    await explained.waitFor()
    expect(await screenFaults()).toEqual([])

    await queued.click()
    const modal = dialog('Reschedule Post')
    await modal.getByText(queueMessages.waits.placed).waitFor()
    await modal.getByRole('spinbutton', { name: /^day/ }).fill('20')
    await modal.getByRole('button', { name: 'Save changes' }).click()
    await day('Friday, November 20, 1 post')
      .getByRole('button', { name: '9:00 AM, Dagger, Scheduled, Facebook' })
      .waitFor()
    await explained.waitFor({ state: 'hidden' })
    const post = await readPost(artist, id)
    expect([post.scheduledAt, post.queue]).toEqual([at(20, 9), undefined])
  })

  test('of the queue can be taken out of it, and keeps its time', async () => {
    const slots = [{ days: [5], time: '09:00' }]
    expect((await artist.put('/api/queue', { timeZone: 'America/New_York', slots })).status).toBe(200)
    const id = await schedule('Dagger', nextSlot)
    await page.goto('/scheduled-posts')
    const friday = day('Friday, November 13, 1 post')
    await friday.getByRole('button', { name: '9:00 AM, Dagger, Queued, Facebook' }).click()
    const modal = dialog('Reschedule Post')
    await modal.getByRole('button', { name: queueMessages.leave }).click()
    await modal.getByText(queueMessages.leaves).waitFor()
    await modal.getByRole('button', { name: queueMessages.stay }).click()
    await modal.getByText(queueMessages.waits.placed).waitFor()
    await modal.getByRole('button', { name: queueMessages.leave }).click()
    await modal.getByRole('button', { name: 'Save changes' }).click()
    await friday.getByRole('button', { name: '9:00 AM, Dagger, Scheduled, Facebook' }).waitFor()
    const post = await readPost(artist, id)
    expect([post.scheduledAt, post.queue]).toEqual([at(13, 9), undefined])
  })

  test('each page has its own caption; one can be used on all pages', async () => {
    const id = await schedule(
      'Dagger',
      at(13, 9),
      variantsOf(facebook, { message: 'Same everywhere' }, facebook.pages.slice(0, 2)),
    )
    await page.goto('/scheduled-posts')
    await page.getByRole('button', { name: /Same everywhere/ }).click()
    const captions = dialog('Reschedule Post').getByLabel('Caption')
    await expect.poll(async () => await captions.count()).toBe(2)
    await captions.first().fill('Only here')
    expect(await captions.nth(1).inputValue()).toBe('Same everywhere')
    await dialog('Reschedule Post')
      .getByRole('button', { name: /^Use on all pages/ })
      .first()
      .click()
    await expect.poll(async () => await captions.nth(1).inputValue()).toBe('Only here')
    await captions.nth(1).fill('And only there')
    expect(await screenFaults('[role=dialog]')).toEqual([])
    await button('Save changes').click()
    await page.getByText(postMessages.rescheduled).waitFor()
    expect((await readPost(artist, id)).variants.map((variant) => variant.message)).toEqual([
      'Only here',
      'And only there',
    ])
  })

  test('cannot be moved into the past, and is not changed by Cancel; a failed save and a post already being published are reported', async () => {
    const id = await schedule('Dagger', at(13, 9))
    await page.goto('/scheduled-posts')
    await page.getByRole('button', { name: /Dagger/ }).click()
    await page.getByRole('spinbutton', { name: /^day/ }).fill('09')
    await button('Save changes').click()
    await page.getByText(postMessages.schedulePast).first().waitFor()
    await dialog('Reschedule Post').getByLabel('Caption').fill('Never saved')
    await button('Cancel').click()
    await dialog('Reschedule Post').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /Dagger/ }).click()
    const caption = dialog('Reschedule Post').getByLabel('Caption')
    await expect.poll(async () => await caption.inputValue()).toBe('About Dagger')
    expect((await readPost(artist, id)).scheduledAt).toBe(at(13, 9))

    await page.route(/posts\.update/, async (route) => await route.abort())
    await button('Save changes').click()
    await page.getByText(postMessages.rescheduleFailed).waitFor()
    await dialog('Reschedule Post').waitFor()
    await page.unroute(/posts\.update/)

    await dialog('Reschedule Post').getByLabel('Caption').fill('Too late')
    await startPost(app, id, 'publishing')
    await button('Save changes').click()
    await page.getByText('This post is already on its way, so it can no longer be changed.').waitFor()
    await expect.poll(async () => await page.getByRole('dialog').getByRole('textbox').count()).toBe(0)
    expect((await readPost(artist, id)).variants[0]?.message).toBe('About Dagger')
  })
})

describe('a post that is posted or failed is read-only', () => {
  test('a posted one shows its media and the link of each page, a failed one the reason of each page', async () => {
    const id = await schedule('Swallow', at(12, 8))
    await end(id, 'posted', at(10, 9, 30))
    await end(await schedule('Rose', at(12, 8)), 'failed', at(9, 18), 'Facebook said no.')
    await end(await schedule('Lily', at(12, 8)), 'failed', at(8, 18))
    await page.goto('/scheduled-posts')
    await page.getByRole('button', { name: /Swallow/ }).click()
    const posted = dialog('Posted Details')
    await posted.getByRole('img', { name: /^Picture: flash-/ }).waitFor()
    expect(await posted.getByRole('link', { name: 'See it on Facebook' }).getAttribute('href')).toBe(
      `https://facebook.example/${id}`,
    )
    await posted.getByText('11/10/2026, 9:30 AM').waitFor()
    expect(await posted.getByRole('textbox').count()).toBe(0)
    expect(await posted.getByRole('button', { name: 'Save changes' }).count()).toBe(0)
    expect(await screenFaults('[role=dialog]')).toEqual([])
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: /Rose/ }).click()
    const failed = dialog('Failed Post Details')
    await failed.getByText('Facebook said no.').first().waitFor()
    // The reason is shown once.
    await expect.poll(async () => await failed.getByText('Facebook said no.').count()).toBe(1)
    await expect.poll(async () => await failed.getByText(/^Failed\b/).count()).toBe(2)
    expect(await failed.getByRole('textbox').count()).toBe(0)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /Lily/ }).click()
    await failed.getByText(postMessages.failedFallback).first().waitFor()
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
})
