import axe from 'axe-core'
import sharp from 'sharp'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createArtist, type Artist } from '../api/testing/actors.ts'
import { startTestApp, type TestApp } from '../api/testing/app.ts'
import { uploadPictures } from '../api/testing/posting.ts'
import type { Availability } from '../packages/contracts/appointments/schema.ts'
import { contrast } from '../packages/contracts/palette.ts'
import { sitePalettes } from '../packages/contracts/site-design.ts'
import { galleryMessages, siteMessages } from '../packages/contracts/website/messages.ts'
import type { Site } from '../packages/contracts/website/schema.ts'
import { picture } from '../packages/sandbox/fixtures/videos.ts'
import { desktop, launch, openWindow, phone, type Page, type Window } from './browser.ts'

let app: TestApp
let browser: Browser
let artist: Artist
beforeAll(async () => {
  app = await startTestApp()
  browser = await launch()
  artist = await createArtist(app, { name: 'Ada Inkwell' })
})
afterAll(async () => {
  await app?.stop()
})

let window: Window
let page: Page
async function open(options: { size?: { width: number; height: number } } = {}): Promise<void> {
  window = await openWindow(browser, { again: true, baseUrl: app.url, ...options })
  page = window.page
  await window.context.addCookies([...artist.cookies].map(([name, value]) => ({ name, value, url: app.url })))
}
beforeEach(() => async () => {
  // A refused call is logged by the browser itself; everything else is a fault of ours.
  const ours = window.complaints.filter((line) => !/Failed to load resource/.test(line))
  await window.close()
  if (ours.length > 0) throw new Error(`the page complained:\n${ours.join('\n')}`)
})

const save = async () => await page.getByRole('button', { name: 'Save', exact: true }).click()
const stored = async () => (await artist.get<Site>('/api/websitebuilder')).body
const preview = () => page.frameLocator('iframe:not([inert])')
/** The preview's own document; the pictures of the layouts take no focus and are other frames. */
const previewFrame = async () => {
  const frame = await (await page.locator('iframe:not([inert])').elementHandle())?.contentFrame()
  if (!frame) throw new Error('there is no preview')
  return frame
}
const png = async () =>
  await sharp({ create: { width: 900, height: 500, channels: 3, background: '#a33' } })
    .png()
    .toBuffer()
const axeFaults = async (within = 'html') => {
  // A name that shows at a button goes a moment after the focus has.
  await page.mouse.move(0, 0)
  await page.getByRole('tooltip').waitFor({ state: 'hidden' })
  await page.evaluate(axe.source)
  return await page.evaluate(
    async (selector) =>
      (await (globalThis as unknown as { axe: typeof axe }).axe.run(selector)).violations.map(
        (one) => `${one.id}: ${one.nodes[0]?.html}`,
      ),
    within,
  )
}

describe('the builder', () => {
  test('on a phone: mistakes stand at their fields, nothing typed is lost by a reload, and saving publishes', async () => {
    await open({ size: phone })
    await page.goto('/website-builder')
    await page.getByLabel('About').fill('Fine lines.')
    await save()
    await page.getByText(siteMessages.domainNameRequired).waitFor()
    expect(await page.getByLabel('Domain name').evaluate((field) => field === document.activeElement)).toBe(true)
    await page.getByLabel('Domain name').fill('Ada Ink!')
    await page.getByText('ada-ink is free.').waitFor()
    await page.reload()
    expect(await page.getByLabel('Domain name').inputValue()).toBe('ada-ink')
    expect(await page.getByLabel('About').inputValue()).toBe('Fine lines.')
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
    expect(await axeFaults('[role="dialog"]')).toEqual([])
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

  test('the address comes from what Google suggests, and Enter sends nothing', async () => {
    await open()
    await page.goto('/website-builder')
    const street = page.getByRole('combobox', { name: 'Shop address' })
    await street.pressSequentially('930 swal')
    await page.getByRole('option', { name: /930 Swallow Lane/ }).waitFor()
    await street.press('ArrowDown')
    await street.press('Enter')
    await expect.poll(async () => await page.getByLabel('City').inputValue()).toBe('Seattle')
    expect([
      await street.inputValue(),
      await page.getByLabel('State').inputValue(),
      await page.getByLabel('ZIP').inputValue(),
    ]).toEqual(['930 Swallow Lane #2B', 'WA', '98122'])
    await street.press('Enter')
    await page.getByText('Unsaved changes').waitFor()
    expect((await stored()).address.city).toBe('')
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByText('Everything is saved').waitFor()
    expect(await street.inputValue()).toBe('')
  })

  test('a picture that failed holds the save back until it is mended; one that arrived is shown and can be removed', async () => {
    await open()
    await page.goto('/website-builder')
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
    expect(await slot.getByRole('alert').evaluate((message) => message === document.activeElement)).toBe(true)
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

  test('unreadable colours are shown twice, and the preview is the readable page, as it will be served', async () => {
    await open()
    await page.goto('/website-builder')
    await page.getByText('Your own colours').click()
    await page.getByLabel('Background', { exact: true }).fill('#777777')
    await page.getByLabel('Text', { exact: true }).fill('#808080')
    await page.getByText('Yours, readable').waitFor()
    await page.getByLabel('Name', { exact: true }).fill('Nova Needle')
    await preview().getByRole('heading', { name: 'Nova Needle' }).waitFor()
    expect(
      await (await previewFrame()).evaluate(() => getComputedStyle(document.documentElement).backgroundColor),
    ).toBe('rgb(119, 119, 119)')
    const history = await page.evaluate(() => globalThis.history.length)
    await page.getByLabel('Name', { exact: true }).fill('Nova Needles')
    await preview().getByRole('heading', { name: 'Nova Needles' }).waitFor()
    expect(await page.evaluate(() => globalThis.history.length)).toBe(history)
    await save()
    await page.getByText(siteMessages.saved).waitFor()
    const shown = await (await previewFrame()).evaluate(() => document.documentElement.innerHTML)
    await page.goto('/s/ada-ink')
    expect(await page.evaluate(() => document.documentElement.innerHTML)).toBe(shown)
    await artist.post('/api/websitebuilder', {
      personalInfo: { ...(await stored()).personalInfo, name: 'Ada Inkwell', email: 'ada@ink.example' },
      branding: {},
    })
  })

  test('a layout and a palette are chosen with the artist’s own pictures in sight, and come as chosen', async () => {
    await open({ size: phone })
    await page.goto('/website-builder')
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
    expect(await axeFaults()).toEqual([])
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
    await artist.post('/api/websitebuilder', { design: {}, branding: {} })
  })

  test('parts of the page are switched on, filled and put in order; a row that lacks its name holds the save back', async () => {
    await open({ size: phone })
    await page.goto('/website-builder')
    const part = (name: string) =>
      page.getByRole('listitem').filter({ has: page.getByRole('switch', { name, exact: true }) })
    await page.getByRole('switch', { name: 'Services', exact: true }).press(' ')
    await part('Services').getByRole('button', { name: 'Add a service' }).click()
    await part('Services').getByLabel('Price').fill('$80')
    await save()
    await page.getByText(siteMessages.serviceName).waitFor()
    expect(
      await part('Services')
        .getByLabel('Service', { exact: true })
        .evaluate((field) => field === document.activeElement),
    ).toBe(true)
    await part('Services').getByLabel('Service', { exact: true }).fill('Small piece')
    await page.getByRole('button', { name: 'Services earlier' }).click()
    await page.getByRole('switch', { name: 'Aftercare', exact: true }).press(' ')
    await part('Aftercare').getByRole('textbox').fill('Wash it twice a day.')
    await page.reload()
    await expect
      .poll(async () => await part('Aftercare').getByRole('textbox').inputValue())
      .toBe('Wash it twice a day.')
    expect(await axeFaults()).toEqual([])
    await save()
    await page.getByText('Everything is saved').waitFor()
    expect((await stored()).sections).toMatchObject({
      shown: ['work', 'about', 'book', 'services', 'contact', 'aftercare'],
      services: [{ name: 'Small piece', price: '$80', note: '' }],
      aftercare: 'Wash it twice a day.',
    })
    const order = async () =>
      [...(await (await app.visitor().fetch('/s/ada-ink')).text()).matchAll(/<h2>(\w+)<\/h2>/g)].map(
        ([, title]) => title,
      )
    await expect.poll(order).toEqual(expect.arrayContaining(['Services', 'Aftercare']))
    await artist.post('/api/websitebuilder', { sections: {} })
  })

  test('a contact detail that is unticked is gone from the site, and comes back', async () => {
    const { personalInfo } = await stored()
    await artist.post('/api/websitebuilder', { personalInfo: { ...personalInfo, email: 'ada@ink.example' } })
    await open()
    await page.goto('/website-builder')
    const shown = page.getByRole('group', { name: 'Shown on your website' }).getByRole('checkbox', { name: 'Email' })
    await shown.press(' ')
    await save()
    await page.getByText('Everything is saved').waitFor()
    const email = async () => (await (await app.visitor().fetch('/s/ada-ink')).text()).includes('ada@ink.example')
    await expect.poll(email).toBe(false)
    await shown.press(' ')
    await save()
    await expect.poll(email).toBe(true)
  })

  test('pictures come into the gallery out of the library, which opens first, or from this device', async () => {
    const [shown = '', first = '', second = ''] = await uploadPictures(artist, 3, [700, 700])
    const before = (await stored()).gallery
    await artist.post('/api/websitebuilder/gallery', { ids: [shown] })
    await open()
    await page.goto('/website-builder')
    await page.getByRole('button', { name: 'Add pictures' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add to your gallery' })
    const tiles = dialog.getByRole('grid').getByRole('row')
    // Newest first; what is there already cannot be picked again.
    await tiles.nth(2).getByText('In your gallery already').waitFor()
    await tiles.nth(1).click()
    await tiles.nth(0).click()
    await dialog.getByRole('button', { name: 'Add 2' }).click()
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(async () => (await stored()).gallery).toEqual([...before, shown, first, second])

    await page.getByRole('button', { name: 'Add pictures' }).click()
    await dialog.locator('input[type=file]').setInputFiles({
      name: 'from-here.jpg',
      mimeType: 'image/jpeg',
      buffer: await picture(60, 60, 77),
    })
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(async () => (await stored()).gallery.length).toBe(before.length + 4)
    const { gallery } = await stored()
    await artist.delete('/api/media', { ids: gallery.filter((id) => !before.includes(id)) })
  })

  test('the gallery is put in order with the keyboard and by drag, and described', async () => {
    const ids = await uploadPictures(artist, 3, [700, 700])
    await artist.post('/api/websitebuilder/gallery', { ids })
    await open()
    await page.goto('/website-builder')
    const rows = page.getByRole('grid').getByRole('row')
    await rows.first().waitFor()
    await rows.nth(2).getByRole('button', { name: 'Earlier' }).click()
    await expect.poll(async () => (await stored()).gallery).toEqual([ids[0], ids[2], ids[1]])
    // The first of them takes the place of the last.
    await rows
      .nth(0)
      .getByRole('button', { name: /Move|Drag/ })
      .focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await stored()).gallery).toEqual([ids[2], ids[1], ids[0]])
    await rows.nth(2).dragTo(rows.nth(0))
    await expect.poll(async () => (await stored()).gallery).toEqual([ids[0], ids[2], ids[1]])
    await rows.nth(0).getByRole('textbox').fill('A swallow')
    await rows.nth(0).getByRole('textbox').blur()
    await expect.poll(async () => (await artist.trpc.website.gallery.query())[0]?.altText).toBe('A swallow')
    expect(await axeFaults()).toEqual([])
  })

  test('a picture is marked as flash, which needs a title, and is flash no more', async () => {
    await open({ size: phone })
    await page.goto('/website-builder')
    const marked = async () => (await artist.trpc.website.gallery.query())[0]?.flash
    const dialog = page.getByRole('dialog', { name: 'Available flash' })
    await page.getByLabel('Mark as flash: ').first().click()
    await dialog.getByLabel('Price').fill('$120')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText(galleryMessages.flashTitle).waitFor()
    await dialog.getByLabel('Title').fill('Dagger')
    expect(await axeFaults()).toEqual([])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Flash: Dagger' }).click()
    await dialog.getByText(/^Taken/).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Flash, taken: Dagger' }).click()
    expect(await marked()).toEqual({ title: 'Dagger', price: '$120', isTaken: true })
    await dialog.getByRole('button', { name: 'Not flash any more' }).click()
    await expect.poll(marked).toBeNull()
  })
})

describe('the site', () => {
  test('is whole with scripts off: pictures are links to themselves, and every way to the artist is there', async () => {
    const context = await browser.newContext({ baseURL: app.url, viewport: phone, javaScriptEnabled: false })
    window = { page: await context.newPage(), context, complaints: [], close: async () => await context.close() }
    page = window.page
    await page.goto('/s/ada-ink')
    await page.getByRole('heading', { level: 1, name: 'Ada Inkwell' }).waitFor()
    await page.getByRole('link', { name: 'ada@ink.example' }).waitFor()
    const picture = page.locator('.sheet a').first()
    await picture.click()
    await page.waitForURL(/\/files\/gallery\/[\w-]+\/\d+\.jpg$/)
  })

  test('enlarges its pictures with keys, and gives the focus back', async () => {
    await open({ size: phone })
    await page.goto('/s/ada-ink')
    const links = page.locator('.sheet a')
    await links.nth(1).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('2 of 3').waitFor()
    await page.keyboard.press('ArrowRight')
    await dialog.getByText('3 of 3').waitFor()
    await page.keyboard.press('Escape')
    // The focus comes with the dialog's close event, a moment after it is hidden.
    await dialog.waitFor({ state: 'hidden' })
    await expect.poll(async () => await links.nth(2).evaluate((link) => link === document.activeElement)).toBe(true)
  })

  test.each([
    ['a phone', phone],
    ['a desk', desktop],
  ])(
    'on %s has no fault axe finds, does not scroll sideways, asks nobody else, and takes pictures of the right size',
    async (_where, size) => {
      await open({ size })
      const asked: string[] = []
      page.on('request', (request) => asked.push(new URL(request.url()).origin))
      await page.goto('/s/ada-ink')
      await page
        .locator('.sheet img')
        .first()
        .evaluate(async (image: HTMLImageElement) => await image.decode())
      expect(await axeFaults()).toEqual([])
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth),
      ).toBe(true)
      expect([...new Set(asked)]).toEqual([app.url])
      expect(await window.context.cookies(`${app.url}/s/ada-ink`)).toHaveLength(artist.cookies.size)
      const [natural, drawn] = await page
        .locator('.sheet img')
        .first()
        .evaluate((image: HTMLImageElement) => [image.naturalWidth, image.getBoundingClientRect().width])
      // What `sizes` promised is what the grid gave.
      expect(Math.abs(natural! - drawn!)).toBeLessThanOrEqual(2)
    },
  )

  test('is readable in whatever colours were chosen', async () => {
    await open()
    // A sample of what `contracts/palette.test.ts` reckons through; the long run measures 200.
    for (const palette of palettes(process.env['TEST_LONG'] === '1' ? 200 : 3))
      expect([palette, await unreadable(palette)]).toEqual([palette, []])
  })
})

/** Colours nobody would choose, the same ones in every run. */
function palettes(count: number, seed = 7): string[][] {
  let state = seed
  const next = () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648
  const color = () =>
    `#${Math.floor(next() * 0x1000000)
      .toString(16)
      .padStart(6, '0')}`
  return Array.from({ length: count }, () => [color(), color(), color(), color()])
}

/** Texts of the page, at rest and under the pointer, that do not reach 4.5:1 on what is behind them, as Chromium paints them. */
async function unreadable([backgroundColor, textColor, buttonColor, hoverColor]: string[]): Promise<string[]> {
  await artist.post('/api/websitebuilder', { branding: { backgroundColor, textColor, buttonColor, hoverColor } })
  await expect
    .poll(async () => await (await app.visitor().fetch('/s/ada-ink')).text())
    .toContain(`--background:${backgroundColor}`)
  await page.goto('/s/ada-ink')
  const read = async () =>
    await page.evaluate(() => {
      const found: { text: string; color: string; behind: string }[] = []
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const element = node.parentElement
        const text = node.textContent?.trim() ?? ''
        if (!element || text === '' || ['SCRIPT', 'STYLE'].includes(element.tagName) || element.closest('dialog'))
          continue
        let behind: Element | null = element
        while (behind && getComputedStyle(behind).backgroundColor === 'rgba(0, 0, 0, 0)') behind = behind.parentElement
        found.push({
          text: text.slice(0, 20),
          color: getComputedStyle(element).color,
          behind: getComputedStyle(behind ?? document.documentElement).backgroundColor,
        })
      }
      return found
    })
  const pairs = await read()
  for (const button of await page.locator('.button:visible').all()) {
    await button.hover()
    pairs.push(...(await read()))
  }
  return pairs
    .filter((pair) => contrast(hexOf(pair.color), hexOf(pair.behind)) < 4.5)
    .map((pair) => `${pair.text}: ${pair.color} on ${pair.behind}`)
}

const hexOf = (rgb: string) =>
  `#${(rgb.match(/\d+/g) ?? [])
    .slice(0, 3)
    .map((part) => Number(part).toString(16).padStart(2, '0'))
    .join('')}`

test('with SITES_DOMAIN a browser that is logged in gives the app’s cookies to no site', async () => {
  // Names below localhost are this machine to a browser, and hosts of their own.
  const hosted = await startTestApp({ role: 'web', env: { SITES_DOMAIN: 'sites.localhost' } })
  window = await openWindow(browser, { baseUrl: hosted.url })
  try {
    const other = await createArtist(hosted)
    await other.post('/api/websitebuilder', { personalInfo: { name: 'Ada Inkwell', domainName: 'ada-inkwell' } })
    await window.page.goto('/login')
    await window.page.getByLabel('Email').fill(other.email)
    await window.page.getByLabel('Password', { exact: true }).fill(other.password)
    await window.page.getByRole('button', { name: 'Log in' }).click()
    await window.page.waitForURL((url) => url.pathname === '/new-post')
    const cookies = await window.context.cookies()
    // The session, and that this browser is known to its account.
    const own = { domain: new URL(hosted.url).hostname, httpOnly: true }
    expect(cookies.map(({ domain, httpOnly }) => ({ domain, httpOnly }))).toEqual([own, own])
    const sent: Promise<Record<string, string>>[] = []
    window.page.on('request', (request) => {
      if (new URL(request.url()).hostname.endsWith('.sites.localhost')) sent.push(request.allHeaders())
    })
    const site = `http://ada-inkwell.sites.localhost:${new URL(hosted.url).port}`
    for (const path of ['/', '/book', '/no/page']) await window.page.goto(`${site}${path}`)
    await window.page.goto(`${site}/`)
    await window.page.getByRole('heading', { level: 1, name: 'Ada Inkwell' }).waitFor()
    expect(sent.length).toBeGreaterThan(3)
    expect((await Promise.all(sent)).filter((headers) => 'cookie' in headers)).toEqual([])
    expect(await window.context.cookies()).toEqual(cookies)
    expect(await window.page.evaluate(() => document.cookie)).toBe('')
  } finally {
    await window.page.close()
    await hosted.stop()
  }
})
