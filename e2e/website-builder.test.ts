import { expect, test } from 'vitest'
import type { Availability } from '../packages/contracts/appointments/schema.ts'
import { sitePalettes } from '../packages/contracts/site-design.ts'
import { siteMessages } from '../packages/contracts/website/messages.ts'
import { phone, untilFocused } from './browser.ts'
import { app, artist, faults, open, page, png, publish, stored, useWebsite } from './website-fixture.ts'

useWebsite()

const save = async () => await page.getByRole('button', { name: 'Save', exact: true }).click()
const preview = () => page.frameLocator('iframe:not([inert])')
/** The document of the preview. The layouts' thumbnails are inert iframes. */
const previewFrame = async () => {
  const frame = await (await page.locator('iframe:not([inert])').elementHandle())?.contentFrame()
  if (!frame) throw new Error('there is no preview')
  return frame
}

test('on a phone: errors are shown at their fields, a reload keeps unsaved changes, and saving publishes', async () => {
  await open('/website-builder', { size: phone, previews: false })
  await page.getByLabel('About').fill('Fine lines.')
  await save()
  await page.getByText(siteMessages.domainNameRequired).waitFor()
  await untilFocused(page.getByLabel('Domain name'))
  await page.getByLabel('Domain name').fill('Ada Ink!')
  await page.getByText('ada-ink is free.').waitFor()
  await page.reload()
  await expect.poll(async () => await page.getByLabel('Domain name').inputValue()).toBe('ada-ink')
  await expect.poll(async () => await page.getByLabel('About').inputValue()).toBe('Fine lines.')
  await page.getByText('11/2000').waitFor()
  await save()
  const hours = page.getByRole('dialog', { name: 'When can clients book?' })
  await hours.getByRole('switch', { name: 'Take bookings' }).waitFor()
  expect(await stored()).toMatchObject({ published: false })
  await hours.getByRole('button', { name: 'Save and publish' }).click()
  await page.getByText(siteMessages.saved).waitFor()
  const live = page.getByRole('dialog', { name: 'You are live' })
  await live.getByRole('img', { name: /^QR code of http.*\/s\/ada-ink$/ }).waitFor()
  expect(await live.getByRole('link', { name: /\/s\/ada-ink$/ }).getAttribute('href')).toBe(`${app.url}/s/ada-ink`)
  expect(await faults('[role="dialog"]')).toEqual([])
  await live.getByRole('button', { name: 'Close' }).click()
  await live.waitFor({ state: 'hidden' })
  await page.getByText('Your website is public').waitFor()
  const { body: own } = await artist.get<Availability>('/api/availability')
  expect(own.weekly.map((day) => day && [day.from / 60, day.to / 60])).toEqual([
    null,
    null,
    ...Array<number[]>(5).fill([11, 19]),
  ])
  expect(own).toMatchObject({ takesBookings: true, noticeHours: 24 })
  expect(await stored()).toMatchObject({
    published: true,
    personalInfo: { domainName: 'ada-ink', about: 'Fine lines.' },
  })
  await page.getByText('Everything is saved').waitFor()
})

test("the address is filled in from Google's suggestions, and Enter does not submit; an unticked contact detail is hidden on the site", async () => {
  const address = await publish()
  await open('/website-builder', { previews: false })
  const street = page.getByRole('combobox', { name: 'Shop address' })
  await street.pressSequentially('930 swal')
  await page.getByRole('option', { name: /930 Swallow Lane/ }).waitFor()
  await street.press('ArrowDown')
  await street.press('Enter')
  await expect.poll(async () => await page.getByLabel('City').inputValue()).toBe('Seattle')
  await expect
    .poll(async () => [
      await street.inputValue(),
      await page.getByLabel('State').inputValue(),
      await page.getByLabel('ZIP').inputValue(),
    ])
    .toEqual(['930 Swallow Lane #2B', 'WA', '98122'])
  await street.press('Enter')
  await page.getByText('Unsaved changes').waitFor()
  expect((await stored()).address.city).toBe('')
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByText('Everything is saved').waitFor()
  await expect.poll(async () => await street.inputValue()).toBe('')

  const shown = page.getByRole('group', { name: 'Shown on your website' }).getByRole('checkbox', { name: 'Email' })
  await shown.press(' ')
  await save()
  await page.getByText('Everything is saved').waitFor()
  const email = async () => (await (await app.visitor().fetch(address)).text()).includes('ada@ink.example')
  await expect.poll(email).toBe(false)
  await shown.press(' ')
  await save()
  await expect.poll(email).toBe(true)
})

test('a failed picture prevents saving until it is replaced; an uploaded one is shown and can be removed', async () => {
  await publish()
  await open('/website-builder')
  const slot = page.getByRole('group', { name: 'Background image' })
  const pick = async (name: string, mimeType: string, buffer: Buffer) => {
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      slot.getByRole('button', { name: /Choose a picture|Replace/ }).click(),
    ])
    await chooser.setFiles({ name, mimeType, buffer })
  }
  await pick('broken.jpg', 'image/jpeg', Buffer.from('nothing'))
  await slot.getByRole('alert').waitFor()
  await save()
  await untilFocused(slot.getByRole('alert'))
  expect(await page.getByText(siteMessages.saved).count()).toBe(0)
  await pick('wall.png', 'image/png', await png())
  await slot.getByRole('alert').waitFor({ state: 'hidden' })
  await save()
  await page.getByText(siteMessages.saved).waitFor()
  expect((await stored()).images.backgroundImage).toMatchObject({ fileName: 'wall.png' })
  await preview().locator('.banner img').waitFor()
  await slot.getByRole('button', { name: 'Remove background image' }).click()
  await preview().locator('.banner').waitFor({ state: 'detached' })
  await save()
  await expect.poll(async () => (await stored()).images.backgroundImage).toBeNull()
})

test('unreadable colours are shown with a readable version, and the preview is exactly the page that is served', async () => {
  const address = await publish({
    design: { layout: 'gallery', palette: 'sailor' },
    branding: sitePalettes.sailor.colors,
  })
  await open('/website-builder')
  await page.getByText('Your own colours').click()
  await page.getByLabel('Background', { exact: true }).fill('#777777')
  await page.getByLabel('Text', { exact: true }).fill('#808080')
  await page.getByText('Yours, readable').waitFor()
  await page.getByLabel('Name', { exact: true }).fill('Nova Needle')
  await preview().getByRole('heading', { name: 'Nova Needle' }).waitFor()
  await expect
    .poll(
      async () =>
        await (await previewFrame()).evaluate(() => getComputedStyle(document.documentElement).backgroundColor),
    )
    .toBe('rgb(119, 119, 119)')
  const history = await page.evaluate(() => globalThis.history.length)
  await page.getByLabel('Name', { exact: true }).fill('Nova Needles')
  await preview().getByRole('heading', { name: 'Nova Needles' }).waitFor()
  expect(await page.evaluate(() => globalThis.history.length)).toBe(history)
  await save()
  await page.getByText(siteMessages.saved).waitFor()
  const shown = await (await previewFrame()).evaluate(() => document.documentElement.innerHTML)
  await page.goto(address)
  expect(await page.evaluate(() => document.documentElement.innerHTML)).toBe(shown)
})

test('a layout and a palette are chosen with a live preview, and saved', async () => {
  await publish()
  await open('/website-builder', { size: phone })
  const layouts = page.getByRole('radiogroup', { name: 'Layout' })
  await expect.poll(async () => await layouts.locator('iframe').count()).toBe(3)
  await layouts.getByRole('radio', { name: /Portrait first/ }).press(' ')
  const palettes = page.getByRole('radiogroup', { name: 'Palette' })
  await palettes.getByRole('radio', { name: 'Sailor' }).press(' ')
  await page.getByRole('tab', { name: 'Preview' }).click()
  await preview().locator('.hero.portrait').waitFor()
  await expect
    .poll(async () => await (await previewFrame()).evaluate(() => document.fonts.check('1em heading')))
    .toBe(true)
  await page.getByRole('tab', { name: 'Edit' }).click()
  expect(await faults()).toEqual([])
  await save()
  await page.getByText('Everything is saved').waitFor()
  expect(await stored()).toMatchObject({
    design: { layout: 'portrait', palette: 'sailor' },
    branding: sitePalettes.sailor.colors,
  })
  await page.getByText('Your own colours').click()
  await page.getByLabel('Text', { exact: true }).fill('#ffffff')
  await page.getByRole('button', { name: 'Back to Sailor' }).click()
  await expect.poll(async () => await page.getByLabel('Text', { exact: true }).inputValue()).toBe('#f6ecd6')
})

test('sections are switched on, filled in and reordered; a row without a name prevents saving', async () => {
  const address = await publish()
  await open('/website-builder', { size: phone, previews: false })
  const part = (name: string) =>
    page.getByRole('listitem').filter({ has: page.getByRole('switch', { name, exact: true }) })
  await page.getByRole('switch', { name: 'Services', exact: true }).press(' ')
  await part('Services').getByRole('button', { name: 'Add a service' }).click()
  await part('Services').getByLabel('Price').fill('$80')
  await save()
  await page.getByText(siteMessages.serviceName).waitFor()
  await untilFocused(part('Services').getByLabel('Service', { exact: true }))
  await part('Services').getByLabel('Service', { exact: true }).fill('Small piece')
  await page.getByRole('button', { name: 'Services earlier' }).click()
  await page.getByRole('switch', { name: 'Aftercare', exact: true }).press(' ')
  await part('Aftercare').getByRole('textbox').fill('Wash it twice a day.')
  await page.reload()
  await expect.poll(async () => await part('Aftercare').getByRole('textbox').inputValue()).toBe('Wash it twice a day.')
  expect(await faults()).toEqual([])
  await save()
  await page.getByText('Everything is saved').waitFor()
  expect((await stored()).sections).toMatchObject({
    shown: ['work', 'about', 'book', 'services', 'contact', 'aftercare'],
    services: [{ name: 'Small piece', price: '$80', note: '' }],
    aftercare: 'Wash it twice a day.',
  })
  const order = async () =>
    [...(await (await app.visitor().fetch(address)).text()).matchAll(/<h2>(\w+)<\/h2>/g)].map(([, title]) => title)
  await expect.poll(order).toEqual(expect.arrayContaining(['Services', 'Aftercare']))
})
