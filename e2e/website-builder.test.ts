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

test('on a phone: errors are shown at their fields, a reload keeps unsaved changes and sections, and saving publishes', async () => {
  await open('/website-builder', { size: phone, previews: false })
  await page.getByLabel('About').fill('Fine lines.')
  await save()
  await page.getByText(siteMessages.domainNameRequired).waitFor()
  await untilFocused(page.getByLabel('Domain name'))
  await page.getByLabel('Domain name').fill('Ada Ink!')
  await page.getByText('ada-ink is free.').waitFor()
  const section = (name: string) =>
    page.getByRole('listitem').filter({ has: page.getByRole('switch', { name, exact: true }) })
  await page.getByRole('switch', { name: 'Services', exact: true }).press(' ')
  await section('Services').getByRole('button', { name: 'Add a service' }).click()
  await section('Services').getByLabel('Service', { exact: true }).fill('Small piece')
  await page.getByRole('button', { name: 'Services earlier' }).click()
  await page.getByRole('switch', { name: 'Aftercare', exact: true }).press(' ')
  await section('Aftercare').getByRole('textbox').fill('Wash it twice a day.')
  await page.reload()
  await expect.poll(async () => await page.getByLabel('Domain name').inputValue()).toBe('ada-ink')
  await expect.poll(async () => await page.getByLabel('About').inputValue()).toBe('Fine lines.')
  await page.getByText('11/2000').waitFor()
  await expect
    .poll(async () => await section('Aftercare').getByRole('textbox').inputValue())
    .toBe('Wash it twice a day.')
  expect(await faults()).toEqual([])
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
    sections: {
      shown: ['work', 'about', 'book', 'services', 'contact', 'aftercare'],
      services: [{ name: 'Small piece', price: '', note: '' }],
      aftercare: 'Wash it twice a day.',
    },
  })
  await page.getByText('Everything is saved').waitFor()
})

test('a layout, a palette, a picture and unreadable colours are shown in the preview, which is exactly the page that is served', async () => {
  const address = await publish()
  await open('/website-builder')
  const slot = page.getByRole('group', { name: 'Background image' })
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    slot.getByRole('button', { name: 'Choose a picture' }).click(),
  ])
  await chooser.setFiles({ name: 'wall.png', mimeType: 'image/png', buffer: await png() })
  await preview().locator('.banner img').waitFor()

  const layouts = page.getByRole('radiogroup', { name: 'Layout' })
  await expect.poll(async () => await layouts.locator('iframe').count()).toBe(3)
  await layouts.getByRole('radio', { name: /Portrait first/ }).press(' ')
  await page.getByRole('radiogroup', { name: 'Palette' }).getByRole('radio', { name: 'Sailor' }).press(' ')
  await preview().locator('.hero.portrait .face img').waitFor()
  await expect
    .poll(async () => await (await previewFrame()).evaluate(() => document.fonts.check('1em heading')))
    .toBe(true)

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
  // The preview stays beside the form, below the header.
  await page.evaluate(() => scrollTo(0, 1500))
  const isUncovered = page.getByRole('radio', { name: 'Desktop' }).evaluate((choice) => {
    const { x, y, width, height } = choice.getBoundingClientRect()
    return choice.contains(document.elementFromPoint(x + width / 2, y + height / 2))
  })
  expect(await isUncovered).toBe(true)
  const outlineOf = async (name: string) =>
    await page.getByRole('radio', { name, exact: true }).evaluate((choice) => getComputedStyle(choice).outlineStyle)
  await page.emulateMedia({ forcedColors: 'active' })
  expect([await outlineOf('Phone'), await outlineOf('Desktop')]).toEqual(['solid', 'none'])
  await page.emulateMedia({ forcedColors: null })
  await save()
  await page.getByText('Everything is saved').waitFor()
  const { buttonColor, hoverColor } = sitePalettes.sailor.colors
  expect(await stored()).toMatchObject({
    design: { layout: 'portrait', palette: 'sailor' },
    branding: { backgroundColor: '#777777', textColor: '#808080', buttonColor, hoverColor },
    images: { backgroundImage: { fileName: 'wall.png' } },
  })
  const shown = await (await previewFrame()).evaluate(() => document.documentElement.innerHTML)
  await slot.getByRole('button', { name: 'Remove background image' }).click()
  await preview().locator('.face').waitFor({ state: 'detached' })
  await page.goto(address)
  expect(await page.evaluate(() => document.documentElement.innerHTML)).toBe(shown)
})
