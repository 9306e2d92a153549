import type { Locator } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { readPost } from '../api/testing/posting.ts'
import { startPost, requireReconnect, notifyPost } from '../api/testing/records.ts'
import { postMessages } from '../packages/contracts/posts/messages.ts'
import { phone, settledBox, untilRetriesExhausted } from './browser.ts'
import {
  app,
  artist,
  at,
  screenFaults,
  button,
  day,
  dialog,
  end,
  focused,
  open,
  page,
  schedule,
  useCalendar,
} from './calendar-fixture.ts'

useCalendar()

describe('the calendar', () => {
  test('shows posts of all three statuses at their times, five a day; the others open as a list, and a post from the list opens above it', async () => {
    for (let n = 1; n <= 7; n++) await schedule(`Piece ${n}`, at(26, 8 + n))
    await end(await schedule('Swallow', at(12, 8)), 'posted', at(10, 9, 30))
    await end(await schedule('Rose', at(12, 8)), 'failed', at(9, 18), 'Facebook said no.')
    await schedule('Dagger', at(20, 14, 15))
    await page.goto('/scheduled-posts')
    await page.getByRole('heading', { name: 'November 2026' }).waitFor()
    await day('Tuesday, November 10, 1 post')
      .getByRole('button', { name: '9:30 AM, Swallow, Posted, Facebook' })
      .waitFor()
    await day('Monday, November 9, 1 post').getByRole('button', { name: '6:00 PM, Rose, Failed, Facebook' }).waitFor()
    await day('Friday, November 20, 1 post')
      .getByRole('button', { name: '2:15 PM, Dagger, Scheduled, Facebook' })
      .waitFor()
    expect(await page.getByRole('list', { name: 'Legend' }).getByRole('listitem').allInnerTexts()).toEqual([
      'Posted',
      'Scheduled',
      'Failed',
    ])
    expect(await screenFaults()).toEqual([])

    const thursday = day('Thursday, November 26, 7 posts')
    await thursday.getByRole('button', { name: /Piece 5/ }).waitFor()
    await expect.poll(async () => await thursday.getByRole('button', { name: /Piece/ }).count()).toBe(5)
    const more = thursday.getByRole('button', { name: /^\+2 more posts/ })
    expect(await more.innerText()).toBe('+2 more')
    await more.click()
    const list = dialog('Thursday, November 26')
    await expect.poll(async () => await list.getByRole('button', { name: /Piece/ }).count()).toBe(7)
    await list.getByRole('button', { name: /Piece 7/ }).click()
    await dialog('Reschedule Post').waitFor()
    await page.keyboard.press('Escape')
    await dialog('Reschedule Post').waitFor({ state: 'detached' })
    await list.getByRole('button', { name: 'Open this day' }).click()
    await page.getByRole('heading', { name: 'Thursday, November 26, 2026' }).waitFor()
    await page.getByRole('button', { name: /^3:00 PM, Piece 7/ }).waitFor()
  })

  test('starts with the current month, and keeps view and date after a reload', async () => {
    await schedule('Dagger', at(20, 14))
    await page.goto('/scheduled-posts')
    expect(await button('Month').getAttribute('aria-pressed')).toBe('true')
    await button('Next').click()
    await page.getByRole('heading', { name: 'December 2026' }).waitFor()
    await button('Week').click()
    await page.getByRole('heading', { name: 'Dec 6 – 12, 2026' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Dec 6 – 12, 2026' }).waitFor()
    expect(await button('Week').getAttribute('aria-pressed')).toBe('true')
    await button('Today').click()
    await page.getByRole('heading', { name: 'Nov 8 – 14, 2026' }).waitFor()
    await button('Agenda').click()
    await page.getByRole('heading', { name: 'Nov 11 – Dec 10, 2026' }).waitFor()
    await page
      .getByRole('region', { name: 'Friday, November 20' })
      .getByRole('button', { name: /Dagger/ })
      .waitFor()
    await button('Back').click()
    await page.getByRole('heading', { name: 'Oct 12 – Nov 10, 2026' }).waitFor()
    await page.getByText('No posts in this period').waitFor()
  })

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

  test("shows times in the viewer's time zone, and names the studio’s where it differs", async () => {
    await schedule('Dagger', at(13, 20))
    await open({ timeZone: 'Europe/Berlin' })
    await page.goto('/scheduled-posts')
    await day('Saturday, November 14, 1 post')
      .getByRole('button', { name: /^2:00 AM, Dagger/ })
      .click()
    await page.getByText('Times are in your time zone, Berlin time. Your studio is on New York time.').waitFor()
    await dialog('Reschedule Post').getByText('11/13/2026, 8:00 PM at your studio, New York time').waitFor()
  })

  test('has an empty state, and an error with a retry when it cannot be loaded', async () => {
    await page.goto('/scheduled-posts')
    await page.getByRole('heading', { name: 'Nothing planned yet' }).waitFor()
    expect(await page.getByRole('link', { name: 'New post', exact: true }).getAttribute('href')).toBe('/new-post')
    await schedule('Dagger', at(13, 9))
    await page.route(/posts\.calendar/, async (route) => await route.abort())
    await page.reload()
    await untilRetriesExhausted(page, page.getByText('Your posts could not be loaded'))
    await page.unroute(/posts\.calendar/)
    await button('Try again').click()
    await page.getByRole('button', { name: /Dagger/ }).waitFor()
  })
})

test('a click on an empty future day or hour opens the composer with that time; one in the past does not', async () => {
  const times = async () =>
    await page.evaluate(
      (id) => (JSON.parse(localStorage.getItem(`draft:${id}`) ?? '{}') as { scheduledAt?: string[] }).scheduledAt,
      artist.id,
    )
  await schedule('Dagger', at(12, 8))
  await page.goto('/scheduled-posts')
  await day(/^Monday, November 9/).click({ position: { x: 40, y: 90 } })
  expect(new URL(page.url()).pathname).toBe('/scheduled-posts')
  await day(/^Thursday, November 19/).click({ position: { x: 40, y: 90 } })
  await page.getByRole('heading', { name: 'Select Media' }).waitFor()
  await expect.poll(times).toEqual([at(19, 10)])
  await page.goto('/scheduled-posts')
  await button('Week').click()
  const column = page.locator('[data-time-grid-date="2026-11-13"]')
  await column.waitFor()
  const { height } = await settledBox(column)
  await column.click({ position: { x: 40, y: (height * 15.6) / 24 } })
  await page.getByRole('heading', { name: 'Select Media' }).waitFor()
  await expect.poll(times).toEqual([at(13, 15, 30)])
  // A visit to Social Accounts keeps the time. Leaving for another screen without any input drops it.
  const go = async (name: string) => await page.getByRole('link', { name, exact: true }).click()
  await go('Social Accounts')
  await page.getByRole('heading', { name: 'Connect an account' }).waitFor()
  await go('New Post')
  await page.getByRole('heading', { name: 'Select Media' }).waitFor()
  await expect.poll(times).toEqual([at(13, 15, 30)])
  await go('Media')
  await page.getByText(/^Your Media Library/).waitFor()
  await go('New Post')
  await page.getByRole('heading', { name: 'Select Media' }).waitFor()
  await expect.poll(times).toEqual([])
})

describe('a post in the grid', () => {
  /** Drags with the mouse in small steps, like a hand. */
  async function drag(from: Locator, to: Locator): Promise<void> {
    const [start, end] = [await settledBox(from), await settledBox(to)]
    await page.mouse.move(start.x + 12, start.y + 8)
    await page.mouse.down()
    await page.mouse.move(end.x + end.width / 2, end.y + end.height / 2, { steps: 6 })
    await page.mouse.up()
  }

  test('is moved to another day by drag and by key, keeps its hour, and is saved', async () => {
    const id = await schedule('Dagger', at(20, 14, 15))
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
  })

  test('returns to its place with the reason when it may not be moved; another is dragged to another hour of the week', async () => {
    const moth = await schedule('Moth', at(12, 14))
    const id = await schedule('Rose', at(20, 14))
    await page.goto('/scheduled-posts')
    const entry = page.getByRole('button', { name: '2:00 PM, Rose, Scheduled, Facebook' })
    await entry.waitFor()
    await drag(entry, day(/^Monday, November 9/))
    await page.getByText(postMessages.schedulePast).waitFor()
    await startPost(app, id, 'preparing')
    await drag(entry, day(/^Tuesday, November 24/))
    await page.getByText(postMessages.notEditable).waitFor()
    await day('Friday, November 20, 1 post').getByRole('button', { name: /Rose/ }).waitFor()
    expect((await readPost(artist, id)).scheduledAt).toBe(at(20, 14))

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

  test('is filtered by network and status, which are kept in the URL, and deleted after one confirmation', async () => {
    await end(await schedule('Swallow', at(12, 8)), 'failed', at(10, 9), 'Facebook said no.')
    const id = await schedule('Dagger', at(20, 14))
    await page.goto('/scheduled-posts?status=failed')
    await page.getByRole('button', { name: /Swallow/ }).waitFor()
    expect(await page.getByRole('button', { name: /Dagger/ }).count()).toBe(0)
    await button(/^Failed/).click()
    await page.getByRole('option', { name: 'Scheduled' }).click()
    await page.getByRole('button', { name: /Dagger/ }).click()
    await expect.poll(() => new URL(page.url()).search).toBe('?status=scheduled')
    await button('Delete').click()
    await page.getByRole('alertdialog', { name: 'Delete this post?' }).getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Nothing matches').waitFor()
    await expect.poll(async () => (await artist.get(`/api/posts/${id}`)).status).toBe(404)
    await button('Show all posts').click()
    await page.getByRole('button', { name: /Swallow/ }).waitFor()
  })

  test('is duplicated into the wizard, with its caption, media and pages', async () => {
    await schedule('Dagger', at(20, 14))
    await page.goto('/scheduled-posts')
    await page.getByRole('button', { name: /Dagger/ }).click()
    await button('Duplicate as new').click()
    await page.getByRole('heading', { name: 'Post Caption' }).waitFor()
    const caption = page.getByLabel('Caption', { exact: true })
    await expect.poll(async () => await caption.inputValue()).toBe('About Dagger')
    await button('Next').click()
    await page.getByRole('heading', { name: 'Ready to Post' }).waitFor()
    await page.getByText('Inkwell').first().waitFor()
  })
})

describe('on a phone', () => {
  test('a month of dots opens the posts of a day, and the agenda lists thirty days', async () => {
    await schedule('Dagger', at(13, 9))
    await end(await schedule('Rose', at(12, 8)), 'failed', at(13, 18), 'Facebook said no.')
    await open({ size: phone })
    await page.goto('/scheduled-posts')
    await page.getByText('No posts on this day.').waitFor()
    await button('Saturday, November 14, no posts').click()
    await button('Plan a post').click()
    await page.waitForURL(/new-post/)
    await page.waitForFunction(() => JSON.stringify(localStorage).includes('2026-11-14T'))
    await page.goBack()
    await button('Friday, November 13, 2 posts').click()
    const list = page.getByRole('region', { name: 'Friday, November 13' })
    await expect.poll(async () => await list.getByRole('listitem').count()).toBe(2)
    expect(await screenFaults()).toEqual([])
    // A post that a disconnected account prevents is marked in the month too.
    const dots = button('Friday, November 13, 2 posts').locator('[class*="_endangered_"]')
    expect(await dots.count()).toBe(0)
    await requireReconnect(app, artist)
    await page.reload()
    await page.getByText('A planned post cannot get to Facebook.').waitFor()
    await button('Friday, November 13, 2 posts').click()
    await expect.poll(async () => await dots.count()).toBe(1)
    await list.getByRole('button', { name: /Rose/ }).click()
    await dialog('Failed Post Details').waitFor()
    await page.keyboard.press('Escape')
    await button('Agenda').click()
    await page
      .getByRole('region', { name: 'Friday, November 13' })
      .getByRole('button', { name: /Dagger/ })
      .waitFor()
    // The grid of wide screens is not loaded.
    expect(
      await page.evaluate(() =>
        performance.getEntriesByType('resource').some((entry) => entry.name.includes('calendar-grid')),
      ),
    ).toBe(false)
  })
})
