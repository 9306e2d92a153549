import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../api/testing/app.ts'
import { bookAt, mailsTo, openStudio, type BookingFields, type Studio } from '../api/testing/booking.ts'
import { defaultAvailability } from '../packages/contracts/appointments/limits.ts'
import type { Appointment } from '../packages/contracts/appointments/schema.ts'
import { accessibilityFaults } from './accessibility.ts'
import {
  closeChecked,
  desktop,
  launch,
  moveFingers,
  openWindow,
  phone,
  setSession,
  settledBox,
  type Page,
  type Window,
} from './browser.ts'

/** The time of server and browser: a Wednesday, 10 AM in New York. */
const now = '2026-11-11T15:00:00.000Z'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ role: 'web', startAt: now })
})
afterAll(async () => {
  await app?.stop()
})

let studio: Studio
let window: Window
let page: Page
beforeEach(async () => {
  studio = await openStudio(app, { name: 'Mara Quill' })
  await open()
  return async () => {
    await closeChecked(window)
  }
})

async function open(size = desktop, touch = false): Promise<void> {
  await window?.close()
  window = await openWindow({ reuse: true, now, baseUrl: app.url, size, touch })
  await setSession(window, app.url, studio.cookies)
  page = window.page
}

const ask = async (name: string, asked: BookingFields = {}): Promise<Appointment> => {
  const { status, body } = await bookAt(app, studio, {
    date: '2026-11-17',
    contact: { name, email: `${name.toLowerCase().replaceAll(' ', '.')}@home.example` },
    ...asked,
  })
  expect(status).toBe(201)
  return body
}
const stored = async (id: string) => await studio.trpc.appointments.get.query({ id })
const button = (name: string | RegExp) => page.getByRole('button', { name })
const dialog = (name: string) => page.getByRole('dialog', { name })
const toast = async (text: string | RegExp) =>
  await page.getByRole('alertdialog').filter({ hasText: text }).first().waitFor()
const chooseSlot = async (slot: string) => {
  await page.getByRole('button', { name: /Time slot/ }).click()
  await page.getByRole('option', { name: slot }).click()
}

describe('the calendar of appointments', () => {
  test('a request is accepted in the dialog that its notice links to, and deleted after one confirmation', async () => {
    const { _id } = await ask('Aiko Tan')
    await page.goto(`/appointments?appointment=${_id}`)
    await dialog('Appointment').getByText('Aiko Tan asks for this time').waitFor()
    const foot = dialog('Appointment').getByRole('button')
    await expect.poll(async () => (await foot.allInnerTexts()).slice(-2)).toEqual(['Decline', 'Accept'])
    await button('Accept').click()
    await toast('Appointment updated successfully!')
    expect(await stored(_id)).toMatchObject({ status: 'confirmed', answerBy: null })
    await expect.poll(() => new URL(page.url()).search).toBe('')
    expect((await mailsTo(app, 'aiko.tan@home.example')).at(-1)?.calendar).toContain('METHOD:REQUEST')

    await button(/Aiko Tan/).click()
    await dialog('Appointment').getByText('Close', { exact: true }).waitFor()
    await button('Delete appointment').click()
    await page
      .getByRole('alertdialog', { name: 'Delete this appointment?' })
      .getByRole('button', { name: 'Delete' })
      .click()
    await toast('Appointment Deleted successfully!')
    await button(/Aiko Tan/).waitFor({ state: 'detached' })
  })

  test('is moved by key, mouse and long press; a conflict reverts it and names the next free time', async () => {
    const { _id } = await ask('Priya Nair')
    await ask('Jo Weller', { date: '2026-11-18' })
    await page.goto('/appointments')
    const entry = page.locator('[data-event-id]', { hasText: 'Priya Nair' })
    const on = (day: string) => page.locator(`[data-date="${day}"]`)
    const middle = async (what: Locator) => {
      const box = await settledBox(what)
      return { x: box.x + box.width / 2, y: box.y + Math.min(box.height / 2, 12) }
    }
    await entry.waitFor()
    const drag = async (to: string) => {
      const [from, end] = [await middle(entry), await middle(on(to))]
      await page.mouse.move(from.x, from.y)
      await page.mouse.down()
      await page.mouse.move(end.x, end.y + 40, { steps: 6 })
      await page.mouse.up()
      await window.context.clock.runFor(1000)
    }
    await drag('2026-11-19')
    await toast('Appointment updated successfully!')
    // The hour stays the same, and the end of a drag does not open the dialog.
    expect((await stored(_id)).date).toBe('2026-11-19T14:00:00.000Z')
    expect(await page.getByRole('dialog').count()).toBe(0)
    await button('Undo').click()
    await expect.poll(async () => (await stored(_id)).date).toBe('2026-11-17T14:00:00.000Z')
    await on('2026-11-17').locator('[data-event-id]').waitFor()
    await drag('2026-11-19')
    await expect.poll(async () => (await stored(_id)).date).toBe('2026-11-19T14:00:00.000Z')
    await on('2026-11-19').locator('[data-event-id]').waitFor()
    await drag('2026-11-18')
    await toast(/Next free/)
    expect((await stored(_id)).date).toBe('2026-11-19T14:00:00.000Z')
    await on('2026-11-19').locator('[data-event-id]').waitFor()

    const moveByKey = async (key: 'ArrowLeft' | 'ArrowRight') => {
      const answer = page.waitForResponse(/appointments\.update/)
      await entry.focus()
      await page.keyboard.press(`Alt+${key}`)
      await window.context.clock.runFor(1000)
      return (await answer).status()
    }
    expect(await moveByKey('ArrowRight')).toBe(200)
    expect((await stored(_id)).date).toBe('2026-11-20T14:00:00.000Z')
    await on('2026-11-20').locator('[data-event-id]').waitFor()
    expect(await moveByKey('ArrowLeft')).toBe(200)
    expect((await stored(_id)).date).toBe('2026-11-19T14:00:00.000Z')
    await on('2026-11-19').locator('[data-event-id]').waitFor()
    expect(await moveByKey('ArrowLeft')).toBe(409)
    expect((await stored(_id)).date).toBe('2026-11-19T14:00:00.000Z')
    await on('2026-11-19').locator('[data-event-id]').waitFor()

    const touch = await window.context.newCDPSession(page)
    await touch.send('Emulation.setTouchEmulationEnabled', { enabled: true })
    const finger = async (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: { x: number; y: number }) =>
      await touch.send('Input.dispatchTouchEvent', { type, touchPoints: at ? [at] : [] })
    const [from, end] = [await middle(entry), await middle(on('2026-11-20'))]
    await finger('touchStart', from)
    await window.context.clock.runFor(300)
    await page.locator('[data-dragged]').waitFor()
    for (const part of [0.3, 0.6, 1])
      await finger('touchMove', { x: from.x + (end.x - from.x) * part, y: from.y + (end.y + 40 - from.y) * part })
    await page.locator('[data-date="2026-11-20"][data-drop]').waitFor()
    await finger('touchEnd')
    await window.context.clock.runFor(1000)
    await expect.poll(async () => (await stored(_id)).date).toBe('2026-11-20T14:00:00.000Z')
    // The window is reused by tests with a mouse.
    await touch.detach()
  })

  test('shows them in the studio’s hours, in four views; a click on an empty future day or hour opens a new one with that time; closed hours are shaded; booking hours are saved; the chosen view survives a reload', async () => {
    await ask('Ida Bright', { bookingType: '1/2 Day Booking' })
    await page.goto('/appointments')
    await button(/Ida Bright/).waitFor()
    for (const word of ['Completed', 'Confirmed', 'Pending', 'Cancelled'])
      await expect.poll(async () => await page.getByRole('list', { name: 'Legend' }).getByText(word).count()).toBe(1)
    const cell = (day: string) => page.locator(`[data-date="${day}"]`)
    await cell('2026-11-10').click({ position: { x: 60, y: 90 } })
    await cell('2026-11-18').click({ position: { x: 60, y: 90 } })
    await dialog('New Appointment').waitFor()
    expect(await dialog('New Appointment').getByRole('group', { name: 'Date' }).innerText()).toMatch(/11\D*18\D*2026/)
    await dialog('New Appointment').getByRole('button', { name: 'Cancel' }).click()
    await button('Week').click()
    const column = page.locator('[data-time-grid-date="2026-11-13"]')
    await column.waitFor()
    const { height = 0 } = (await column.boundingBox()) ?? {}
    await column.click({ position: { x: 40, y: (height * 15.25) / 24 } })
    await dialog('New Appointment').getByText('3:00pm-4:00pm').first().waitFor()
    expect(await column.evaluate((element) => getComputedStyle(element).backgroundImage)).toContain('linear-gradient')
    await dialog('New Appointment').getByRole('button', { name: 'Cancel' }).click()
    await dialog('New Appointment').waitFor({ state: 'detached' })

    await button('Booking hours').click()
    await dialog('Booking hours').getByText('Sunday', { exact: true }).click()
    await button('Save').last().click()
    await toast('Saved successfully.')
    expect((await studio.trpc.appointments.availability.query()).weekly.map((day) => day !== null)).toEqual([
      false,
      true,
      true,
      true,
      true,
      true,
      true,
    ])

    await button('Month').click()
    await button('Next').click()
    await button('Week').click()
    await button('Agenda').click()
    await page.getByRole('heading', { name: /^Dec \d+/ }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: /^Dec \d+/ }).waitFor()
    await button('Today').click()
    await page.getByText('9:00 AM – 1:00 PM').waitFor()
    expect(await accessibilityFaults(page, 'html', { runOnly: ['wcag2a', 'wcag2aa'] })).toEqual([])
  })

  test('on a phone a month of dots opens a day', async () => {
    await ask('Lena Ostrow')
    await open(phone)
    await page.goto('/appointments')
    await button('Tuesday, November 17, 1 appointment').click()
    await button(/Lena Ostrow/).waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(phone.width)
    await button(/Lena Ostrow/).click()
    // A phone has no dragging: the dialog moves it.
    await dialog('Appointment').waitFor()
    await chooseSlot('4:00pm-5:00pm')
    await button('Save changes').click()
    await toast('Appointment updated successfully!')
    await button(/4:00 PM – 5:00 PM.*Lena Ostrow/).waitFor()
  })

  test('on a phone a swipe turns the month, and two fingers zoom it', async () => {
    await open(phone, true)
    await page.goto('/appointments')
    const { y } = await settledBox(page.getByRole('table', { name: 'Days' }))
    const month = (name: string) => page.getByRole('heading', { name })
    await month('November 2026').waitFor()
    await moveFingers(page, [
      [300, y + 150],
      [80, y + 160],
    ])
    await month('December 2026').waitFor()
    await moveFingers(
      page,
      [
        [140, y + 150],
        [20, y + 150],
      ],
      [
        [240, y + 150],
        [370, y + 150],
      ],
    )
    await expect.poll(async () => await page.evaluate(() => visualViewport?.scale)).toBeGreaterThan(1.5)
    expect(await month('December 2026').isVisible()).toBe(true)
  })
})

test('a client who comes back to the free times after one was taken has no other time chosen', async () => {
  const form = `/s/${studio.domainName}/book?type=hour&day=2026-11-17`
  await page.goto(form)
  await page.getByRole('radio', { name: /^2:00pm/ }).check()
  await page.getByLabel('Your name').fill('Ida Bright')
  await button('Change').click()
  await page.getByRole('table', { name: 'November 2026' }).waitFor()
  await ask('Jo Weller')
  await page.goBack()
  await page.getByRole('radio', { name: /^2:00pm/ }).waitFor()
  expect(await page.getByRole('radio', { name: /^9:00am/ }).count()).toBe(0)
  expect(await page.getByRole('radio', { checked: true }).count()).toBe(0)
  expect(await page.getByLabel('Your name').inputValue()).toBe('Ida Bright')
})

describe('a client without scripts', () => {
  test('books by a plain form, and cancels by the link in the mail', async () => {
    await studio.trpc.appointments.saveAvailability.mutate({ ...defaultAvailability, noticeHours: 24 })
    const browser = await launch()
    const context = await browser.newContext({ baseURL: app.url, viewport: phone, javaScriptEnabled: false })
    context.setDefaultTimeout(15_000)
    const site = await context.newPage()
    await site.goto(`/s/${studio.domainName}`)
    await site.getByRole('main').getByRole('link', { name: 'Book' }).click()
    await site.getByRole('link', { name: 'Half day' }).click()
    await site.getByRole('link', { name: /^Tuesday, November 17, / }).click()
    await site.getByRole('radio', { name: /^10:00am/ }).check()
    await site.getByLabel('Your name').fill('Ida Bright')
    await site.getByLabel('Notes').fill('A swallow')
    app.clock.advance(5000)
    await site.getByRole('button', { name: 'Ask for this time' }).click()
    await site.getByText('Either email or phone is required').first().waitFor()
    expect(await site.getByLabel('Notes').inputValue()).toBe('A swallow')
    await site.getByLabel('Email').fill('ida@home.example')
    await site.getByRole('button', { name: 'Ask for this time' }).click()
    await site.getByRole('heading', { name: 'Your request is on its way' }).waitFor()
    // The link in the mail shows the booking and can cancel it.
    const link = /(\/booking\/[\w-]+)/.exec((await mailsTo(app, 'ida@home.example')).at(-1)?.text ?? '')?.[1] ?? ''
    await site.goto(link)
    await site.getByText('Cancel this booking').click()
    await site.getByRole('button', { name: 'Yes, cancel it' }).click()
    await site.getByText('Your booking is cancelled.').waitFor()
    await context.close()

    expect(
      (await studio.get<Appointment[]>('/api/appointments')).body.map((one) => [one.contact.email, one.status]),
    ).toEqual([['ida@home.example', 'cancelled']])
  })
})
