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
  test('is 100 px high and 70 px once scrolled past 50, without moving the page; it offers a stranger Login, an artist the Dashboard, uncut on the smallest screens', async () => {
    await window.page.goto('/')
    await window.page.getByRole('heading', { name: 'How It Works' }).waitFor()
    for (const size of [phone, desktop]) {
      await window.page.setViewportSize(size)
      await window.page.evaluate(() => scrollTo(0, 0))
      await expect.poll(headerHeight).toBe(100)
      // Letters that come late make a page longer or shorter.
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
    /** What stands free right of the last link; a scroll bar is no part of the header. */
    const free = async (width: number, name: string) => {
      await window.page.setViewportSize({ width, height: 640 })
      return await window.page
        .locator('header')
        .getByRole('link', { name })
        .evaluate(
          (one) => (one.closest('header')?.getBoundingClientRect().right ?? 0) - one.getBoundingClientRect().right,
        )
    }
    for (const width of [320, 360, 390])
      await expect.poll(async () => [width, await free(width, 'Login')]).toEqual([width, 16])
    await setSession(window, app.url, (await createArtist(app)).cookies)
    await window.page.reload()
    const dashboard = window.page.locator('header').getByRole('link', { name: 'Dashboard' })
    await dashboard.waitFor()
    for (const width of [320, 360, 390, 412])
      await expect.poll(async () => [width, await free(width, 'Dashboard')]).toEqual([width, 16])
    await dashboard.click()
    await window.page.waitForURL((url) => url.pathname === '/new-post')
  })
})

describe('the contact form of the landing page', () => {
  const form = () => window.page.getByRole('form', { name: 'Contact' })

  test('Get Started Today! scrolls to the prices; below them the form says at its fields what is missing, keeps what was typed without a connection, and sends a mail, once', async () => {
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

    // What sends is fetched when a field of the hydrated page gets the focus.
    await untilHydrated(window.page)
    // One that began before may end now.
    const onTheWay = new Set<unknown>()
    window.page.on('request', (request) => onTheWay.add(request))
    window.page.on('requestfinished', (request) => onTheWay.delete(request))
    window.page.on('requestfailed', (request) => onTheWay.delete(request))
    await form().getByLabel('Name').fill('Ida Blom')
    await form().getByLabel('Email').fill('ida@studio.example')
    await form().getByLabel('Message').fill('Can two of us share one login?')
    await window.page.waitForFunction(() =>
      performance.getEntriesByType('resource').some(({ name }) => name.includes('/assets/send-message-')),
    )
    await expect.poll(() => onTheWay.size).toBe(0)
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

test('an unknown path shows the page that says so, and answers 404', async () => {
  const answer = await window.page.goto('/no/such/page')
  expect(answer?.status()).toBe(404)
  await window.page.getByRole('heading', { level: 1, name: 'There is nothing at this address' }).waitFor()
  expect((await fetch(`${app.url}/blog/never-written`)).status).toBe(404)
  // The browser itself notes the 404; nothing else is wrong.
  expect(window.pageErrors.filter((line) => !line.includes('404'))).toEqual([])
})

const legal = ['Privacy Policy', 'Terms of Service', 'Blog', 'Developers']
test.each([
  ['/', 'Post it once. Get back to the needle.', legal],
  ['/privacy-policy', 'Privacy Policy', legal],
  ['/terms-of-service', 'Terms of Service', legal],
  ['/blog', 'Blog', legal],
  ['/blog/photos-that-keep-their-lines', 'Photos that keep their lines on five networks', legal],
  ['/support', undefined, legal],
  ['/contact', undefined, legal],
  ['/developers', 'Build on Flashsheet', legal],
  ['/login', 'Log in', []],
  ['/register', 'Create your account', []],
])('%s can be read before a script has run, and hydrates without a complaint', async (path, title, inFooter) => {
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
})

/** What a page made at build says, without its marks. */
const wordsOf = async (path: string) =>
  (await (await fetch(`${app.url}${path}`)).text()).replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')

test('what is promised and asked is said: 7 days, no trial, 30 days, the cap, 18 years, both plans', async () => {
  const terms = await wordsOf('/terms-of-service')
  for (const said of [
    /at least 18 years old/,
    /Social Line Work costs \$19 a month, Complete Shading \$49 a month/,
    /no free trial/i,
    /7 days/,
    /liability is limited to the amount you paid us in the 30 days before/i,
  ])
    expect(terms).toMatch(said)
  expect(await wordsOf('/privacy-policy')).toMatch(/30 days/)
  const landing = await wordsOf('/')
  for (const said of [
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
    expect(landing).toMatch(said)
})

test('where colours are forced, what is chosen can be told from what is not', async () => {
  await window.page.emulateMedia({ forcedColors: 'active' })
  await window.page.goto('/register')
  await untilHydrated(window.page)
  const tick = window.page.locator('label:has(input[type=checkbox]) svg').first()
  await tick.waitFor({ state: 'hidden' })
  await window.page.getByRole('checkbox').check({ force: true })
  await tick.waitFor()

  const studio = await openStudio(app)
  await window.page.goto(`/s/${studio.domainName}/book?day=2098-12-01`)
  const hour = window.page.locator('.slots label span').first()
  const drawn = async () =>
    await hour.evaluate((span) => [getComputedStyle(span).outlineStyle, getComputedStyle(span).borderTopStyle])
  expect(await drawn()).toEqual(['none', 'solid'])
  await window.page.getByRole('radio').first().check()
  expect(await drawn()).toEqual(['solid', 'solid'])
})

test('the icon is there for whoever asks for it by the name it always had, and for the home screen of a phone', async () => {
  const icon = await fetch(`${app.url}/favicon.ico`)
  expect([icon.status, icon.headers.get('content-type')]).toEqual([
    200,
    expect.stringMatching(/^image\/(?:x-icon|vnd\.microsoft\.icon)$/),
  ])
  expect([...new Uint8Array(await icon.arrayBuffer()).slice(0, 5)]).toEqual([0, 0, 1, 0, 3])
  expect((await fetch(`${app.url}/apple-touch-icon.png`)).headers.get('content-type')).toBe('image/png')
})

test('robots.txt, the sitemap and the feed name this address', async () => {
  const text = async (path: string) => await (await fetch(`${app.url}${path}`)).text()
  expect(await text('/robots.txt')).toContain(`Sitemap: ${app.url}/sitemap.xml`)
  expect(await text('/sitemap.xml')).toContain(`<loc>${app.url}/pages.xml</loc>`)
  expect(await text('/pages.xml')).toContain(`<loc>${app.url}/blog/photos-that-keep-their-lines</loc>`)
  expect(await text('/blog/rss.xml')).toContain(`<link>${app.url}/blog/photos-that-keep-their-lines</link>`)
})

test('a form sent before its page is hydrated puts nothing into the address', async () => {
  const answer = await fetch(`${app.url}/login`, {
    method: 'POST',
    body: new URLSearchParams({ email: 'a@b.example', password: 'secret1' }),
    redirect: 'manual',
  })
  expect(answer.status).toBe(303)
  expect(answer.headers.get('location')).toBe('/login')
})

test('a screen whose scripts cannot be fetched offline says so, and comes with the connection', async () => {
  // In a window of its own: the shared one may have this screen's scripts in its cache.
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
