import { randomUUID } from 'node:crypto'
import { authMessages } from '@flashsheet/contracts/auth/messages'
import { noticeMessages } from '@flashsheet/contracts/notices/messages'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createArtist } from '../api/testing/actors.ts'
import { startTestApp, type TestApp } from '../api/testing/app.ts'
import { openStudio } from '../api/testing/booking.ts'
import { countMails } from '../api/testing/records.ts'
import { desktop, launch, openWindow, phone, takeSession, type Window } from './browser.ts'

let app: TestApp
let browser: Browser
let window: Window
beforeAll(async () => {
  app = await startTestApp({ role: 'web' })
  browser = await launch()
})
afterAll(async () => {
  await app?.stop()
})
/** A first visit needs a window that nobody has used, and so do tests that hold scripts back or add some. */
let firstVisit = false
beforeEach(async () => {
  window = await openWindow(browser, { baseUrl: app.url, again: !firstVisit })
})
afterEach(async () => await window.close())

const headerHeight = async () =>
  await window.page.evaluate(() => Math.round(document.querySelector('header')?.getBoundingClientRect().height ?? 0))

describe('the public header', () => {
  test.each([
    ['a phone', phone],
    ['a desktop', desktop],
  ])('on %s it is 100 px high and 70 px once scrolled past 50, without moving the page', async (_what, size) => {
    await window.page.setViewportSize(size)
    await window.page.goto('/')
    await window.page.getByRole('heading', { name: 'How It Works' }).waitFor()
    expect(await headerHeight()).toBe(100)
    const before = await window.page.evaluate(() => document.documentElement.scrollHeight)
    await window.page.evaluate(() => scrollTo(0, 50))
    expect(await headerHeight()).toBe(100)
    await window.page.evaluate(() => scrollTo(0, 51))
    await expect.poll(headerHeight).toBe(70)
    expect(await window.page.evaluate(() => document.documentElement.scrollHeight)).toBe(before)
  })

  test('anchors stand on the landing page only', async () => {
    await window.page.goto('/')
    await window.page.locator('header a[href$="#pricing"]').waitFor()
    await window.page.locator('header a[href$="#faqs"]').waitFor()
    await window.page.goto('/privacy-policy')
    await window.page.getByRole('heading', { level: 1 }).waitFor()
    expect(await window.page.locator('header a[href$="#pricing"], header a[href$="#faqs"]').count()).toBe(0)
  })

  test('on the smallest screens nothing of it is cut off', async () => {
    /** What stands free right of the last link; a scroll bar is no part of the header. */
    const free = async (width: number, name: string) => {
      await window.page.setViewportSize({ width, height: 640 })
      await window.page.goto('/')
      const link = window.page.locator('header').getByRole('link', { name })
      await link.waitFor()
      return await link.evaluate(
        (one) => (one.closest('header')?.getBoundingClientRect().right ?? 0) - one.getBoundingClientRect().right,
      )
    }
    for (const width of [320, 360, 390]) expect([width, await free(width, 'Login')]).toEqual([width, 16])
    await takeSession(window, app.url, (await createArtist(app)).cookies)
    for (const width of [320, 360, 390, 412]) expect([width, await free(width, 'Dashboard')]).toEqual([width, 16])
  })

  test('a stranger is offered Login, an artist the Dashboard', async () => {
    await window.page.goto('/')
    await window.page.locator('header').getByRole('link', { name: 'Login' }).waitFor()
    await takeSession(window, app.url, (await createArtist(app)).cookies)
    await window.page.reload()
    await window.page.locator('header').getByRole('link', { name: 'Dashboard' }).click()
    await window.page.waitForURL((url) => url.pathname === '/new-post')
  })
})

test('Get Started Today! scrolls to the prices', async () => {
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
})

describe('the contact form of the landing page', () => {
  const form = () => window.page.getByRole('form', { name: 'Contact' })

  test('says at its fields what is missing, and keeps what was typed', async () => {
    await window.page.goto('/')
    await form().getByLabel('Message').fill('Can two of us share one login?')
    await form().getByRole('button', { name: 'Send message' }).click()
    await form().getByText(authMessages.nameRequired).waitFor()
    await form().getByText(authMessages.emailRequired).waitFor()
    expect(
      await form()
        .getByLabel('Name')
        .evaluate((field) => field === document.activeElement && field.getAttribute('aria-invalid') === 'true'),
    ).toBe(true)
    expect(await form().getByLabel('Message').inputValue()).toBe('Can two of us share one login?')
  })

  test('without a connection says so and keeps what was typed; with one again it sends a mail, once', async () => {
    await window.page.goto('/')
    // What sends is fetched when a field of the hydrated page gets the focus.
    await hydrated()
    await form().getByLabel('Name').fill('Ida Blom')
    await form().getByLabel('Email').fill('ida@studio.example')
    await form().getByLabel('Message').fill('Can two of us share one login?')
    await window.page.waitForLoadState('networkidle')
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

describe('the footer', () => {
  test.each(['/login', '/register', '/forgot-password', '/reset-password', '/verify-email'])(
    'is not on %s',
    async (path) => {
      await window.page.goto(path)
      await window.page.getByRole('heading', { level: 1 }).first().waitFor()
      expect(await window.page.locator('footer').count()).toBe(0)
    },
  )

  test('leads to the legal pages and the blog in new tabs elsewhere', async () => {
    await window.page.goto('/terms-of-service')
    const links = window.page.locator('footer a[target="_blank"]')
    await links.first().waitFor()
    expect(await links.allTextContents()).toEqual(['Privacy Policy', 'Terms of Service', 'Blog'])
  })
})

test('an unknown path shows the page that says so, and answers 404', async () => {
  const answer = await window.page.goto('/no/such/page')
  expect(answer?.status()).toBe(404)
  await window.page.getByRole('heading', { level: 1, name: 'There is nothing at this address' }).waitFor()
  expect((await fetch(`${app.url}/blog/never-written`)).status).toBe(404)
  // The browser itself notes the 404; nothing else is wrong.
  expect(window.complaints.filter((line) => !line.includes('404'))).toEqual([])
})

/** Its scripts have come; they are asked for after the first paint, so the network can be idle before. */
const hydrated = async () =>
  void (await window.page.waitForFunction(() =>
    Object.keys(document.querySelector('#root') ?? {}).some((key) => key.startsWith('__reactContainer')),
  ))

/** All but the one that runs before the first paint. */
const scripts = /\/assets\/(?!theme-)[^/]+\.js$/

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

describe('in a small window', () => {
  beforeAll(() => {
    firstVisit = true
  })
  afterAll(() => {
    firstVisit = false
  })
  /** How far anything has moved since the page began, by the browser's own count. */
  const moved = async () =>
    await window.page.evaluate(async () => {
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
      return (globalThis as unknown as { movements: number[] }).movements.reduce((sum, one) => sum + one, 0)
    })
  beforeEach(async () => {
    await window.page.setViewportSize({ width: 360, height: 500 })
    await window.page.addInitScript(() => {
      const movements: number[] = []
      Object.assign(globalThis, { movements })
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) movements.push((entry as PerformanceEntry & { value: number }).value)
      }).observe({ type: 'layout-shift', buffered: true })
    })
  })

  test.each([
    ['/data-deletion/no-such-code', '**/trpc/social.deletionStatus**', 'Contact us'],
    ['/subscription/success?session_id=cs_of_nobody', '**/trpc/subscription.confirm**', 'Log in'],
  ])('%s stands still when its answer comes', async (path, question, last) => {
    let letAnswerGo = () => {}
    const held = new Promise<void>((resolve) => (letAnswerGo = resolve))
    await window.page.route(question, async (route) => {
      await held
      await route.continue()
    })
    const asked = window.page.waitForRequest(question)
    await window.page.goto(path)
    await asked
    await window.page.locator('footer').waitFor()
    letAnswerGo()
    await window.page.locator('main').getByRole('link', { name: last }).waitFor()
    expect(await moved()).toBe(0)
  })
})

describe('pages made at build', () => {
  beforeAll(() => {
    firstVisit = true
  })
  afterAll(() => {
    firstVisit = false
  })
  test.each([
    ['/', 'Post it once. Get back to the needle.'],
    ['/privacy-policy', 'Privacy Policy'],
    ['/terms-of-service', 'Terms of Service'],
    ['/blog', 'Blog'],
    ['/blog/photos-that-keep-their-lines', 'Photos that keep their lines on five networks'],
    ['/support', undefined],
    ['/contact', undefined],
    ['/login', 'Log in'],
    ['/register', 'Create your account'],
  ])('%s can be read before a script has run, and hydrates without a complaint', async (path, title) => {
    const html = await (await fetch(`${app.url}${path}`)).text()
    expect(html).toMatch(/<meta name="description" content="[^"]{20,}"/)
    expect(html).toContain(`<link rel="canonical" href="${app.url}${path}">`)
    expect(html).toContain(`<meta property="og:image" content="${app.url}/preview.png"`)
    if (title) expect(html).toContain(`>${title}</h1>`)
    expect(html.match(/<title>/g)).toHaveLength(1)
    await window.page.goto(path)
    await window.page.waitForFunction(() => {
      const root = document.querySelector('#root')
      return root !== null && Object.keys(root).some((key) => key.startsWith('__reactContainer'))
    })
    await window.page.getByRole('heading', { level: 1 }).first().waitFor()
    expect(window.complaints).toEqual([])
  })

  test.each(['/', '/login', '/support'])('%s looks the same before the whole style sheet has come', async (path) => {
    // Without scripts nothing comes after the first paint.
    const still = await browser.newContext({
      baseURL: app.url,
      viewport: phone,
      javaScriptEnabled: false,
      reducedMotion: 'reduce',
    })
    const looks = async () => {
      const page = await still.newPage()
      await page.goto(path)
      // A picture that decodes in its own time is not there yet when the page says that it is loaded.
      await page.evaluate(async () => {
        await document.fonts.ready
        await Promise.all([...document.images].map(async (image) => await image.decode()))
      })
      const picture = await page.screenshot({ fullPage: true })
      await page.close()
      return picture
    }
    const first = await looks()
    const [, sheet = ''] = /href="(\/assets\/style-[^"]+)"/.exec(await (await fetch(`${app.url}${path}`)).text()) ?? []
    const css = await (await fetch(`${app.url}${sheet}`)).text()
    let replaced = 0
    await still.route('**/assets/first-*.css', async (route) => {
      replaced += 1
      await route.fulfill({ contentType: 'text/css', body: css })
    })
    const whole = await looks()
    await still.close()
    expect(replaced).toBe(1)
    expect(first.equals(whole)).toBe(true)
  })

  test.each(['/', '/login'])(
    '%s is painted before its scripts and the whole style sheet are asked for, and with the plain letters',
    async (path) => {
      await window.page.goto(path)
      await window.page.waitForFunction(() =>
        performance.getEntriesByType('resource').some(({ name }) => name.includes('/assets/index-')),
      )
      const { painted, others, fonts } = await window.page.evaluate(() => {
        const files = performance
          .getEntriesByType('resource')
          .map(({ name, startTime }) => ({ name: name.slice(name.lastIndexOf('/') + 1), startTime }))
        const painted = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Infinity
        return {
          painted,
          others: files.filter(({ name }) => /\.(?:js|css)$/.test(name) && !/^(?:first|theme)-/.test(name)),
          fonts: files.flatMap(({ name }) => /^(.+)-[\w-]{8}\.woff2$/.exec(name)?.[1] ?? []),
        }
      })
      expect(others.length).toBeGreaterThan(2)
      expect(others.filter(({ startTime }) => startTime < painted)).toEqual([])
      expect(fonts.toSorted()).toEqual([
        ...(path === '/' ? ['bricolage-numerals'] : []),
        'bricolage-plain',
        'hanken-plain',
      ])
    },
  )

  test.each([
    ['is opened where nobody sees it', true],
    ['a browser never says it has painted', false],
  ])('a page that %s hydrates all the same', async (_where, hidden) => {
    await window.context.addInitScript(
      (unseen) => Object.defineProperty(Document.prototype, 'hidden', { get: () => unseen }),
      hidden,
    )
    await window.context.addInitScript(() =>
      Object.defineProperty(globalThis, 'PerformanceObserver', {
        value: class {
          observe() {}
        },
      }),
    )
    await window.page.goto('/login')
    await expect
      .poll(
        async () =>
          await window.page.evaluate(() =>
            Object.keys(document.querySelector('#root') ?? {}).some((key) => key.startsWith('__reactContainer')),
          ),
      )
      .toBe(true)
  })

  test('what is typed and sent before the scripts have come is kept and sent', async () => {
    const artist = await createArtist(app)
    let letScriptsGo = () => {}
    const held = new Promise<void>((resolve) => (letScriptsGo = resolve))
    await window.page.route(scripts, async (route) => {
      await held
      await route.continue()
    })
    await window.page.goto('/login', { waitUntil: 'commit' })
    await window.page.getByLabel('Email').fill(artist.email)
    await window.page.getByLabel('Password', { exact: true }).fill(artist.password)
    await window.page.getByRole('button', { name: 'Log in' }).click()
    letScriptsGo()
    await window.page.waitForURL((url) => url.pathname === '/')
    await window.page.locator('header').getByRole('link', { name: 'Dashboard' }).waitFor()
  })

  test('what is typed during hydration is kept too', async () => {
    const artist = await createArtist(app)
    let letScriptsGo = () => {}
    const held = new Promise<void>((resolve) => (letScriptsGo = resolve))
    await window.page.route(scripts, async (route) => {
      await held
      await route.continue()
    })
    const [begun, rest] = [artist.email.slice(0, 6), artist.email.slice(6)]
    // The page takes out what was typed, and in the very next moment, before React has come round, a person types on.
    await window.page.addInitScript((more) => {
      const own = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')
      let typing = false
      Object.defineProperty(HTMLInputElement.prototype, 'value', {
        ...own,
        set(this: HTMLInputElement, value: string) {
          own?.set?.call(this, value)
          if (typing || this.type !== 'email') return
          typing = true
          queueMicrotask(() => {
            own?.set?.call(this, value + more)
            this.dispatchEvent(new Event('input', { bubbles: true }))
          })
        },
      })
    }, rest)
    await window.page.goto('/login', { waitUntil: 'commit' })
    await window.page.getByLabel('Email').fill(begun)
    await window.page.getByLabel('Password', { exact: true }).fill(artist.password)
    letScriptsGo()
    await expect.poll(async () => await window.page.getByLabel('Email').inputValue()).toBe(artist.email)
    await window.page.getByRole('button', { name: 'Log in' }).click()
    await window.page.waitForURL((url) => url.pathname === '/')
  })

  test('a box that is ticked and a button that is pressed before the scripts have come count', async () => {
    let letScriptsGo = () => {}
    const held = new Promise<void>((resolve) => (letScriptsGo = resolve))
    await window.page.route(scripts, async (route) => {
      await held
      await route.continue()
    })
    await window.page.goto('/register', { waitUntil: 'commit' })
    await window.page.getByLabel('Name').fill('Early Bird')
    await window.page.getByLabel('Email').fill(`early-${randomUUID()}@studio.example`)
    await window.page.getByLabel('Password', { exact: true }).fill('a good long password')
    await window.page.getByLabel('Confirm password').fill('a good long password')
    await window.page
      .getByRole('button', { name: /show password/i })
      .first()
      .click()
    await window.page.getByLabel(/18/).check({ force: true })
    letScriptsGo()
    await expect
      .poll(async () => await window.page.getByLabel('Password', { exact: true }).getAttribute('type'))
      .toBe('text')
    await window.page.getByRole('button', { name: 'Create account' }).click()
    await window.page.waitForURL((url) => url.pathname === '/verify-email')
  })

  test('a press during hydration is handled by React and not repeated', async () => {
    let letScriptsGo = () => {}
    const held = new Promise<void>((resolve) => (letScriptsGo = resolve))
    await window.page.route(scripts, async (route) => {
      await held
      await route.continue()
    })
    await window.page.goto('/login', { waitUntil: 'commit' })
    await window.page.getByRole('button', { name: /show password/i }).waitFor()
    await window.page.evaluate(() =>
      Object.assign((globalThis as unknown as { __earlySubmit: object }).__earlySubmit, { waking: true }),
    )
    await window.page.getByRole('button', { name: /show password/i }).click()
    letScriptsGo()
    await window.page.waitForFunction(
      () => (globalThis as unknown as { __earlySubmit: { over: boolean } }).__earlySubmit.over,
    )
    expect(await window.page.getByLabel('Password', { exact: true }).getAttribute('type')).toBe('password')
    await window.page.getByRole('button', { name: /show password/i }).click()
    await expect
      .poll(async () => await window.page.getByLabel('Password', { exact: true }).getAttribute('type'))
      .toBe('text')
  })

  test('where one has scrolled to before the scripts have come one stays', async () => {
    let letScriptsGo = () => {}
    const held = new Promise<void>((resolve) => (letScriptsGo = resolve))
    await window.page.route(scripts, async (route) => {
      await held
      await route.continue()
    })
    await window.page.goto('/', { waitUntil: 'commit' })
    await window.page.getByRole('heading', { name: 'Asked before' }).waitFor()
    await window.page.evaluate(() => scrollTo(0, 1000))
    letScriptsGo()
    await expect.poll(headerHeight).toBe(70)
    expect(await window.page.evaluate(() => Math.round(scrollY))).toBe(1000)
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

  test('a form sent before its page has woken up puts nothing into the address', async () => {
    const answer = await fetch(`${app.url}/login`, {
      method: 'POST',
      body: new URLSearchParams({ email: 'a@b.example', password: 'secret1' }),
      redirect: 'manual',
    })
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toBe('/login')
  })

  test('a screen whose scripts cannot be fetched offline says so, and comes with the connection', async () => {
    await window.page.goto('/')
    await window.page.getByRole('heading', { level: 1 }).waitFor()
    await hydrated()
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
})
