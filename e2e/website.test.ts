import { beforeAll, describe, expect, test } from 'vitest'
import { createArtist, type Artist } from '../api/testing/actors.ts'
import { startTestApp } from '../api/testing/app.ts'
import { openStudio } from '../api/testing/booking.ts'
import { uploadPictures } from '../api/testing/posting.ts'
import { contrast } from '../packages/contracts/palette.ts'
import { siteLayouts } from '../packages/contracts/site-design.ts'
import { picture } from '../packages/sandbox/fixtures/videos.ts'
import { desktop, launch, moveFingers, openWindow, phone, settledBox, untilFocused } from './browser.ts'
import {
  app,
  artist,
  faults,
  fillGallery,
  open,
  useWindow,
  page,
  publish,
  stored,
  useWebsite,
  window,
} from './website-fixture.ts'

/** Whether this is the long run. */
const isLong = process.env['TEST_LONG'] === '1'

useWebsite()

describe('the gallery in the builder', () => {
  test('on a narrow phone pictures are added from the library or from this device, and moved by arrows with large touch targets', async () => {
    const [shown = '', first = '', second = ''] = await uploadPictures(artist, 3, [700, 700])
    await artist.post('/api/websitebuilder/gallery', { ids: [shown] })
    await open('/website-builder', { size: { width: 320, height: 700 }, previews: false, touch: true })
    await page.getByRole('button', { name: 'Add pictures' }).tap()
    const dialog = page.getByRole('dialog', { name: 'Add to your gallery' })
    const tiles = dialog.getByRole('grid').getByRole('row')
    // Newest first. Pictures that are in the gallery cannot be picked again.
    await tiles.nth(2).getByText('In your gallery already').waitFor()
    await tiles.nth(1).tap()
    await tiles.nth(0).tap()
    await dialog.getByRole('button', { name: 'Add 2' }).tap()
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(async () => (await stored()).gallery).toEqual([shown, first, second])

    const rows = page.getByRole('grid').getByRole('row')
    const later = rows.nth(0).getByRole('button', { name: 'Later' })
    await later.waitFor()
    for (const name of ['Earlier', 'Later', 'Move']) {
      const { width, height } = await settledBox(rows.nth(1).getByRole('button', { name, exact: true }))
      expect(Math.min(width, height), name).toBeGreaterThanOrEqual(44)
    }
    await later.tap()
    await expect.poll(async () => (await stored()).gallery).toEqual([first, shown, second])
    await rows.nth(2).getByRole('button', { name: 'Earlier' }).tap()
    await expect.poll(async () => (await stored()).gallery).toEqual([first, second, shown])

    await page.getByRole('button', { name: 'Add pictures' }).tap()
    await dialog.locator('input[type=file]').setInputFiles({
      name: 'from-here.jpg',
      mimeType: 'image/jpeg',
      buffer: await picture(60, 60, 77),
    })
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(async () => (await stored()).gallery.length).toBe(4)
    await rows.nth(3).waitFor()
    expect(await faults('main')).toEqual([])
    await rows.nth(0).getByLabel('Mark as flash: ').tap()
    await page.getByRole('dialog', { name: 'Available flash' }).waitFor()
    expect(await faults('[role="dialog"]')).toEqual([])
  })

  test('follows changes made on another device, and undoes none of them', async () => {
    const [one = '', two = '', three = ''] = await uploadPictures(artist, 3, [700, 700])
    await artist.post('/api/websitebuilder/gallery', { ids: [one, two, three] })
    const mark = async (isTaken: boolean) =>
      await artist.trpc.website.setFlash.mutate({ id: three, flash: { title: 'Dagger', price: '$100', isTaken } })
    await mark(false)
    await open('/website-builder', { previews: false })
    const rows = page.getByRole('grid').getByRole('row')
    await rows.nth(2).getByRole('button', { name: 'Flash: Dagger' }).waitFor()
    await artist.trpc.website.reorderGallery.mutate({ ids: [three, two, one] })
    const dagger = (at: number) => rows.nth(at).getByRole('button', { name: /^Flash.*: Dagger/ })
    await dagger(0).waitFor()
    // A change that arrives while an order is being saved does not show the former order.
    const isReleased = Promise.withResolvers<void>()
    await page.route(/reorderGallery/, async (route) => {
      await isReleased.promise
      await route.continue()
    })
    await rows.nth(0).getByRole('button', { name: 'Later' }).click()
    await dagger(1).waitFor()
    const [refreshed] = await Promise.all([page.waitForResponse(/media\.list/), mark(true)])
    // Queries that are refreshed together are one request.
    expect(refreshed.url()).not.toContain('website.gallery')
    expect(await dagger(1).isVisible()).toBe(true)
    isReleased.resolve()
    await expect.poll(async () => (await stored()).gallery).toEqual([two, three, one])
    await rows.nth(1).getByRole('button', { name: 'Flash, taken: Dagger' }).click()
    const dialog = page.getByRole('dialog', { name: 'Available flash' })
    await dialog.getByLabel('Price').fill('$150')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect
      .poll(async () => (await artist.trpc.website.gallery.query())[1]?.flash)
      .toEqual({ title: 'Dagger', price: '$150', isTaken: true })
  })
})

describe('the site', () => {
  // One site for several tests, because its renditions take some time.
  const place = 'A studio with a long name, Copenhagen'
  let owner: Artist
  let address: string
  beforeAll(async () => {
    owner = await createArtist(app)
    const guestSpots = [{ from: '2027-12-28', to: '2028-01-04', place }]
    address = await publish({ sections: { shown: ['work', 'guestSpots', 'contact'], guestSpots } }, owner)
    await fillGallery(address, 5, owner)
  })

  test('works without scripts: pictures are links to themselves, and all contacts are there', async () => {
    const browser = await launch()
    const context = await browser.newContext({ baseURL: app.url, viewport: phone, javaScriptEnabled: false })
    context.setDefaultTimeout(15_000)
    useWindow({ page: await context.newPage(), context, pageErrors: [], close: async () => await context.close() })
    await page.goto(address)
    await page.getByRole('heading', { level: 1, name: 'Ada Inkwell' }).waitFor()
    await page.getByRole('link', { name: 'ada@ink.example' }).waitFor()
    const picture = page.locator('.sheet a').first()
    await picture.click()
    await page.waitForURL(/\/files\/gallery\/[\w-]+\/\d+\.jpg$/)
  })

  test('has its name, without a logo, as a link of 44 px', async () => {
    await open(address, { size: phone })
    const { height } = await settledBox(page.locator('.brand'))
    expect(height).toBeGreaterThanOrEqual(44)
  })

  test('hides the link to the content until it has the focus, also with text twice as large in an app', async () => {
    await open(await publish(), { size: { width: 320, height: 568 }, touch: true })
    const skip = page.getByRole('link', { name: 'Skip to the content' })
    // Apps enlarge text, but no other length.
    await skip.evaluate((link) => (link.style.fontSize = '34px'))
    const { y, height } = (await skip.boundingBox())!
    expect(y + height).toBeLessThanOrEqual(0)
    await skip.focus()
    expect((await skip.boundingBox())!.y).toBe(16)
  })

  test('enlarges its pictures by keyboard, and returns the focus', async () => {
    await open(address, { size: phone })
    const links = page.locator('.sheet a')
    await links.nth(1).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('2 of 5').waitFor()
    await page.keyboard.press('ArrowRight')
    await dialog.getByText('3 of 5').waitFor()
    await page.keyboard.press('Escape')
    // The focus returns with the dialog's close event, after it is hidden.
    await dialog.waitFor({ state: 'hidden' })
    await untilFocused(links.nth(2))
  })

  test('keeps a long description of an enlarged picture inside its box, and most of the picture in view', async () => {
    await open(address, { size: phone })
    const link = page.locator('.sheet a').first()
    await link.evaluate((one) => (one.dataset['words'] = 'Fine-line moth with spread wings. '.repeat(40)))
    await link.click()
    const box = await page
      .getByRole('dialog')
      .getByRole('paragraph')
      .evaluate((caption) => {
        const words = document.createRange()
        words.selectNodeContents(caption)
        const [outer, inner] = [caption.getBoundingClientRect(), words.getBoundingClientRect()]
        return { room: inner.left - outer.left, below: inner.top - outer.top, share: outer.height / innerHeight }
      })
    expect(box.room).toBeGreaterThanOrEqual(8)
    // Its beginning is visible.
    expect(box.below).toBeGreaterThanOrEqual(0)
    expect(box.share).toBeLessThan(0.5)
  })

  test('shows the next enlarged picture on a swipe, zooms by two fingers, and stays open on a double tap', async () => {
    await open(address, { size: phone, touch: true })
    const { x, y } = await settledBox(page.locator('.sheet a').first())
    await page.touchscreen.tap(x + 50, y + 50)
    await page.touchscreen.tap(x + 50, y + 50)
    const dialog = page.getByRole('dialog')
    await dialog.getByText('1 of 5').waitFor()
    await moveFingers(page, [
      [300, 400],
      [80, 410],
    ])
    await dialog.getByText('2 of 5').waitFor()
    await moveFingers(
      page,
      [
        [120, 400],
        [20, 400],
      ],
      [
        [260, 400],
        [370, 400],
      ],
    )
    await expect.poll(async () => await page.evaluate(() => visualViewport?.scale)).toBeGreaterThan(1.5)
    // Now one finger moves the view.
    await moveFingers(page, [
      [300, 400],
      [80, 410],
    ])
    await expect.poll(async () => await page.evaluate(() => visualViewport?.offsetLeft)).toBeGreaterThan(60)
    expect(await dialog.getByText('2 of 5').isVisible()).toBe(true)
  })

  test('closes an enlarged picture by Back, and only then leaves the page', async () => {
    await open('/robots.txt', { size: phone })
    const before = page.url()
    await page.goto(address)
    const dialog = page.getByRole('dialog')
    for (const close of [() => page.keyboard.press('Escape'), () => page.goBack()]) {
      await page.locator('.sheet a').first().click()
      await dialog.waitFor()
      await close()
      await dialog.waitFor({ state: 'hidden' })
      await expect.poll(async () => await page.evaluate(() => history.state)).toBeNull()
    }
    await page.goBack()
    expect(page.url()).toBe(before)
  })

  // The long run checks a desktop too.
  test.each([['a phone', phone] as const, ...(isLong ? [['a desktop', desktop] as const] : [])])(
    'on %s has no accessibility faults, does not scroll sideways, requests nothing from other hosts, and loads pictures of the right size',
    async (_where, size) => {
      await open('/robots.txt', { size })
      const asked: string[] = []
      page.on('request', (request) => asked.push(new URL(request.url()).origin))
      await page.goto(address)
      await page
        .locator('.sheet img')
        .first()
        .evaluate(async (image: HTMLImageElement) => await image.decode())
      expect(await faults()).toEqual([])
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth),
      ).toBe(true)
      expect([...new Set(asked)]).toEqual([app.url])
      expect(await window.context.cookies(`${app.url}${address}`)).toHaveLength(artist.cookies.size)
      const [natural, drawn] = await page
        .locator('.sheet img')
        .first()
        .evaluate((image: HTMLImageElement) => [image.naturalWidth, image.getBoundingClientRect().width])
      // The width in `sizes` is the width in the grid.
      expect(Math.abs(natural! - drawn!)).toBeLessThanOrEqual(2)
    },
  )

  test('centres its last row of pictures, and shows guest spots beside their dates, in every layout', async () => {
    await open('/robots.txt')
    for (const layout of siteLayouts) {
      await owner.post('/api/websitebuilder', { design: { layout } })
      await expect
        .poll(async () => await (await page.goto(address))?.text())
        .toMatch(new RegExp(`<ul class="sheet ${layout}\\b`))
      for (const size of [phone, desktop]) {
        await page.setViewportSize(size)
        const [left, right] = await page.locator('.sheet').evaluate((sheet) => {
          const tiles = [...sheet.children].map((tile) => tile.getBoundingClientRect())
          const last = tiles.filter(({ top }) => Math.abs(top - tiles.at(-1)!.top) < 1)
          return [last[0]!.left, document.documentElement.clientWidth - last.at(-1)!.right]
        })
        expect(Math.abs(left! - right!), `${layout}, ${size.width}`).toBeLessThan(2)
        const words = await page.getByText(place).evaluate((element) => element.getBoundingClientRect())
        expect(words.width, `${layout}, ${size.width}`).toBeGreaterThan(120)
      }
    }
  })

  test('is readable in any chosen colours', async () => {
    const own = await publish()
    await open(own)
    // A sample of the colours that `contracts/palette.test.ts` computes; the long run measures 200.
    for (const palette of palettes(isLong ? 200 : 3))
      expect([palette, await unreadable(own, palette)]).toEqual([palette, []])
  })
})

/** Pseudo-random colours, the same in every run. */
function palettes(count: number): string[][] {
  let state = 7
  const next = () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648
  const color = () =>
    `#${Math.floor(next() * 0x1000000)
      .toString(16)
      .padStart(6, '0')}`
  return Array.from({ length: count }, () => [color(), color(), color(), color()])
}

/** Texts of the page, with and without hover, whose contrast in Chromium is below 4.5:1. */
async function unreadable(
  address: string,
  [backgroundColor, textColor, buttonColor, hoverColor]: string[],
): Promise<string[]> {
  await artist.post('/api/websitebuilder', { branding: { backgroundColor, textColor, buttonColor, hoverColor } })
  await expect
    .poll(async () => await (await app.visitor().fetch(address)).text())
    .toContain(`--background:${backgroundColor}`)
  await page.goto(address)
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

test('with SITES_DOMAIN a logged-in browser sends the app’s cookies to no site', async () => {
  // To a browser, subdomains of localhost are this machine, but separate hosts.
  const hosted = await startTestApp({ role: 'web', env: { SITES_DOMAIN: 'sites.localhost' } })
  useWindow(await openWindow({ baseUrl: hosted.url }))
  try {
    const other = await createArtist(hosted)
    await other.post('/api/websitebuilder', { personalInfo: { name: 'Ada Inkwell', domainName: 'ada-inkwell' } })
    await window.page.goto('/robots.txt')
    const login = async (input: string) =>
      (
        await fetch('/trpc/auth.login', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: input,
        })
      ).status
    expect(await window.page.evaluate(login, JSON.stringify({ email: other.email, password: other.password }))).toBe(
      200,
    )
    const cookies = await window.context.cookies()
    // The cookies of the session and of the known browser.
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
    await hosted.stop()
  }
})

test('with SITES_DOMAIN a booking form that was open while the address changed is still sent', async () => {
  const hosted = await startTestApp({ role: 'web', env: { SITES_DOMAIN: 'sites.localhost' } })
  useWindow(await openWindow({ baseUrl: hosted.url }))
  try {
    const studio = await openStudio(hosted)
    const { port } = new URL(hosted.url)
    await window.page.goto(`http://${studio.domainName}.sites.localhost:${port}/book?day=2098-12-01`)
    await window.page.getByLabel('9:00am').check()
    await window.page.locator('[name=email]').fill('ida@home.example')
    const domainName = `${studio.domainName}-new`
    await studio.post('/api/websitebuilder', { personalInfo: { name: studio.name, domainName } })
    await window.page.getByRole('button', { name: 'Ask for this time' }).last().click()
    await window.page.waitForURL(new RegExp(`^http://${domainName}\\.sites\\.localhost:${port}/book/sent`))
  } finally {
    await hosted.stop()
  }
})
