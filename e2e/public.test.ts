import { authMessages } from '@flashsheet/contracts/auth/messages'
import { noticeMessages } from '@flashsheet/contracts/notices/messages'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createArtist } from '../api/testing/actors.ts'
import { startTestApp, type TestApp } from '../api/testing/app.ts'
import { openStudio } from '../api/testing/booking.ts'
import { countMails } from '../api/testing/records.ts'
import { desktop, openWindow, phone, setSession, untilFocused, untilHydrated, type Window } from './browser.ts'

let app: TestApp
let window: Window
beforeAll(async () => {
  app = await startTestApp({ role: 'web' })
})
afterAll(async () => {
  await app?.stop()
})
beforeEach(async () => {
  window = await openWindow({ baseUrl: app.url, reuse: true })
})
afterEach(async () => await window.close())

const headerHeight = async () =>
  await window.page.evaluate(() => Math.round(document.querySelector('header')?.getBoundingClientRect().height ?? 0))

describe('the public header', () => {
  test('is 100 px high, and 70 px once scrolled past 50, without moving the page; its Login or Dashboard link fits on the smallest screens', async () => {
    await window.page.goto('/')
    await window.page.getByRole('heading', { name: 'How It Works' }).waitFor()
    for (const size of [phone, desktop]) {
      await window.page.setViewportSize(size)
      await window.page.evaluate(() => scrollTo(0, 0))
      await expect.poll(headerHeight).toBe(100)
      // Fonts that load late change the height of the page.
      const before = await window.page.evaluate(async () => {
        await document.fonts.ready
        return document.documentElement.scrollHeight
      })
      await window.page.evaluate(() => scrollTo(0, 50))
      expect(await headerHeight()).toBe(100)
      await window.page.evaluate(() => scrollTo(0, 51))
      await expect.poll(headerHeight).toBe(70)
      expect(await window.page.evaluate(() => document.documentElement.scrollHeight)).toBe(before)
    }

    await window.page.evaluate(() => scrollTo(0, 0))
    /** The space right of the last link in the header. */
    const spaceRightOf = async (width: number, name: string) => {
      await window.page.setViewportSize({ width, height: 640 })
      return await window.page
        .locator('header')
        .getByRole('link', { name })
        .evaluate(
          (one) => (one.closest('header')?.getBoundingClientRect().right ?? 0) - one.getBoundingClientRect().right,
        )
    }
    for (const width of [320, 360, 390])
      await expect.poll(async () => [width, await spaceRightOf(width, 'Login')]).toEqual([width, 16])
    await setSession(window, app.url, (await createArtist(app)).cookies)
    await window.page.reload()
    const dashboard = window.page.locator('header').getByRole('link', { name: 'Dashboard' })
    await dashboard.waitFor()
    for (const width of [320, 360, 390, 412])
      await expect.poll(async () => [width, await spaceRightOf(width, 'Dashboard')]).toEqual([width, 16])
    await dashboard.click()
    await window.page.waitForURL((url) => url.pathname === '/new-post')
  })
})

describe('the contact form of the landing page', () => {
  const form = () => window.page.getByRole('form', { name: 'Contact' })

  test('Get Started Today! scrolls to the prices; the form shows errors at its fields, keeps its text without a connection, and sends one mail', async () => {
    await window.page.goto('/')
    await window.page.getByRole('link', { name: 'Get Started Today!' }).click()
    await expect
      .poll(
        async () =>
          await window.page.evaluate(
            () => (document.querySelector('#pricing')?.getBoundingClientRect().top ?? 9999) < innerHeight / 2,
          ),
      )
      .toBe(true)

    await form().getByLabel('Message').fill('Can two of us share one login?')
    await form().getByRole('button', { name: 'Send message' }).click()
    await form().getByText(authMessages.nameRequired).waitFor()
    await form().getByText(authMessages.emailRequired).waitFor()
    await untilFocused(form().getByLabel('Name'))
    await form().locator('[name=name][aria-invalid=true]').waitFor()
    expect(await form().getByLabel('Message').inputValue()).toBe('Can two of us share one login?')

    // The code that sends is loaded when a field of the hydrated page gets the focus.
    await untilHydrated(window.page)
    // A request that started earlier may end later, so requests are compared by identity.
    const pendingRequests = new Set<unknown>()
    window.page.on('request', (request) => pendingRequests.add(request))
    window.page.on('requestfinished', (request) => pendingRequests.delete(request))
    window.page.on('requestfailed', (request) => pendingRequests.delete(request))
    await form().getByLabel('Name').fill('Ida Blom')
    await form().getByLabel('Email').fill('ida@studio.example')
    await form().getByLabel('Message').fill('Can two of us share one login?')
    await window.page.waitForFunction(() =>
      performance.getEntriesByType('resource').some(({ name }) => name.includes('/assets/send-message-')),
    )
    await expect.poll(() => pendingRequests.size).toBe(0)
    await window.context.setOffline(true)
    await form().getByRole('button', { name: 'Send message' }).click()
    await form().getByText(noticeMessages.contactFailed).waitFor()
    await window.context.setOffline(false)
    await form().getByRole('button', { name: 'Send message' }).dblclick()
    await form().getByText(noticeMessages.contactSent).waitFor()
    expect(await form().getByLabel('Message').inputValue()).toBe('')
    expect(await countMails(app, 'Message from Ida Blom')).toBe(1)
  })
})

test('an unknown path shows the not-found page with status 404', async () => {
  const answer = await window.page.goto('/no/such/page')
  expect(answer?.status()).toBe(404)
  await window.page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
  expect((await fetch(`${app.url}/blog/never-written`)).status).toBe(404)
  // The browser logs the 404 itself.
  expect(window.pageErrors.filter((line) => !line.includes('404'))).toEqual([])
})

const legal = ['Privacy Policy', 'Terms of Service', 'Blog', 'Developers']
/** One page of each kind. */
const pages: [path: string, title: string | undefined, inFooter: string[]][] = [
  ['/', 'Post it once. Get back to the needle.', legal],
  ['/privacy-policy', 'Privacy Policy', legal],
  ['/blog/photos-that-keep-their-lines', 'Photos that keep their lines on five networks', legal],
  ['/support', undefined, legal],
  ['/developers', 'Build on Flashsheet', legal],
  ['/login', 'Log in', []],
]
/** The others, which the long run checks. */
const morePages: typeof pages = [
  ['/terms-of-service', 'Terms of Service', legal],
  ['/blog', 'Blog', legal],
  ['/contact', undefined, legal],
  ['/register', 'Create your account', []],
]
test.each([...pages, ...(process.env['TEST_LONG'] === '1' ? morePages : [])])(
  '%s is readable without scripts, and hydrates without errors',
  async (path, title, inFooter) => {
    const html = await (await fetch(`${app.url}${path}`)).text()
    expect(html).toMatch(/<meta name="description" content="[^"]{20,}"/)
    expect(html).toContain(`<link rel="canonical" href="${app.url}${path}">`)
    expect(html).toContain(`<meta property="og:image" content="${app.url}/preview.png"`)
    if (title) expect(html).toContain(`>${title}</h1>`)
    expect(html.match(/<title>/g)).toHaveLength(1)
    await window.page.goto(path)
    await untilHydrated(window.page)
    await window.page.getByRole('heading', { level: 1 }).first().waitFor()
    expect(window.pageErrors).toEqual([])
    // The legal pages and the blog open in new tabs; account screens have no footer, and the landing page alone has anchors.
    expect(await window.page.locator('footer').count()).toBe(inFooter.length > 0 ? 1 : 0)
    expect(await window.page.locator('footer a[target="_blank"]').allTextContents()).toEqual(inFooter)
    for (const anchor of ['#pricing', '#faqs'])
      expect((await window.page.locator(`header a[href$="${anchor}"]`).count()) > 0).toBe(path === '/')
  },
)

test('a page that was prerendered last year hydrates without errors', async () => {
  const nextYear = await openWindow({ baseUrl: app.url })
  try {
    await nextYear.page.clock.setFixedTime(new Date(new Date().getFullYear() + 1, 0, 2))
    await nextYear.page.goto('/contact')
    await untilHydrated(nextYear.page)
    expect(nextYear.pageErrors).toEqual([])
  } finally {
    await nextYear.close()
  }
})

/** The text of a prerendered page. */
const textOf = async (path: string) =>
  (await (await fetch(`${app.url}${path}`)).text()).replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')

test('the terms and the landing page state the promises: 7 days, no trial, 30 days, the liability cap, 18 years, the plans', async () => {
  const terms = await textOf('/terms-of-service')
  for (const promise of [
    /at least 18 years old/,
    /Social Line Work costs \$19 a month, Complete Shading \$49 a month/,
    /no free trial/i,
    /7 days/,
    /liability is limited to the amount you paid us in the 30 days before/i,
  ])
    expect(terms).toMatch(promise)
  expect(await textOf('/privacy-policy')).toMatch(/30 days/)
  const landing = await textOf('/')
  for (const promise of [
    /Social Line Work/,
    /\$19/,
    /5 social accounts/,
    /Unlimited scheduled posts/i,
    /One login/i,
    /Complete Shading/,
    /\$49/,
    /Most Popular/,
    /Website with profile and gallery/i,
    /Appointment booking/i,
  ])
    expect(landing).toMatch(promise)
})

test('with forced colours, checked and unchecked controls look different', async () => {
  await window.page.goto('/register')
  await untilHydrated(window.page)
  const tick = window.page.locator('label:has(input[type=checkbox]) svg').first()
  await tick.waitFor({ state: 'hidden' })
  // With forced colours Firefox draws the border in the colour of the text, or none if that is transparent.
  expect(await tick.evaluate((svg) => getComputedStyle(svg).color)).not.toBe('rgba(0, 0, 0, 0)')
  await window.page.emulateMedia({ forcedColors: 'active' })
  await window.page.getByRole('checkbox').check({ force: true })
  await tick.waitFor()

  const studio = await openStudio(app)
  await window.page.goto(`/s/${studio.domainName}/book?day=2098-12-01`)
  const hour = window.page.locator('.slots label span').first()
  const bordersOf = async () =>
    await hour.evaluate((span) => [getComputedStyle(span).outlineStyle, getComputedStyle(span).borderTopStyle])
  expect(await bordersOf()).toEqual(['none', 'solid'])
  await window.page.getByRole('radio').first().check()
  expect(await bordersOf()).toEqual(['solid', 'solid'])
})

test('serves the icon as favicon.ico, and one for the home screen of a phone', async () => {
  const icon = await fetch(`${app.url}/favicon.ico`)
  expect([icon.status, icon.headers.get('content-type')]).toEqual([
    200,
    expect.stringMatching(/^image\/(?:x-icon|vnd\.microsoft\.icon)$/),
  ])
  expect([...new Uint8Array(await icon.arrayBuffer()).slice(0, 5)]).toEqual([0, 0, 1, 0, 3])
  expect((await fetch(`${app.url}/apple-touch-icon.png`)).headers.get('content-type')).toBe('image/png')
})

test('robots.txt, the sitemap and the feed have the URL of this installation', async () => {
  const text = async (path: string) => await (await fetch(`${app.url}${path}`)).text()
  expect(await text('/robots.txt')).toContain(`Sitemap: ${app.url}/sitemap.xml`)
  expect(await text('/sitemap.xml')).toContain(`<loc>${app.url}/pages.xml</loc>`)
  expect(await text('/pages.xml')).toContain(`<loc>${app.url}/blog/photos-that-keep-their-lines</loc>`)
  expect(await text('/blog/rss.xml')).toContain(`<link>${app.url}/blog/photos-that-keep-their-lines</link>`)
})

test('a form submitted before hydration puts nothing into the URL', async () => {
  const answer = await fetch(`${app.url}/login`, {
    method: 'POST',
    body: new URLSearchParams({ email: 'a@b.example', password: 'secret1' }),
    redirect: 'manual',
  })
  expect(answer.status).toBe(303)
  expect(answer.headers.get('location')).toBe('/login')
})

test('a screen whose scripts cannot be loaded offline says so, and opens when the connection is back', async () => {
  // In a new window, because a reused one may have this screen's scripts in its cache.
  await window.close()
  window = await openWindow({ baseUrl: app.url })
  await window.page.goto('/')
  await window.page.getByRole('heading', { level: 1 }).waitFor()
  await untilHydrated(window.page)
  await window.page.waitForLoadState('networkidle')
  await window.page.context().setOffline(true)
  await window.page.locator('header').getByRole('link', { name: 'Login' }).click()
  await window.page.getByRole('heading', { name: 'You are offline' }).waitFor()
  await window.page.getByRole('button', { name: 'Try again' }).click()
  await window.page.getByText('Still no connection.').waitFor()
  await window.page.context().setOffline(false)
  await window.page.getByRole('button', { name: 'Log in' }).waitFor()
  expect(new URL(window.page.url()).pathname).toBe('/login')
})

test('a screen whose scripts a proxy answers with an error page, as during a release, opens when the server is back', async () => {
  await window.close()
  window = await openWindow({ baseUrl: app.url })
  const { page } = window
  await page.goto('/')
  await untilHydrated(page)
  await page.waitForLoadState('networkidle')
  await page.route('**', async (route) => await route.fulfill({ status: 502, body: 'Bad Gateway' }))
  await page.locator('header').getByRole('link', { name: 'Login' }).click()
  await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor()
  await page.unroute('**')
  await page.getByRole('button', { name: 'Log in' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/login')
})
