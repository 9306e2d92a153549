import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { createArtist } from '../api/testing/actors.ts'
import { planIds } from '../packages/contracts/plans.ts'
import { noticeMessages } from '../packages/contracts/notices/messages.ts'
import { accessibilityFaults } from './accessibility.ts'
import { holdRequests, setSession, untilHydrated } from './browser.ts'
import {
  app,
  failTimes,
  holdScripts,
  hydrateWithoutPaint,
  notice,
  paintOf,
  screenshotsOf,
  scripts,
  useApp,
  useWindows,
  window,
} from './first-visit-fixture.ts'

// The other pages and the rarer failures are in `first-visit.test-long.ts`.
useApp()

describe('in a small window', () => {
  useWindows()
  /** The layout shift since the start of the page, as measured by the browser. */
  const layoutShift = async () =>
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
    ['/data-deletion/no-such-code', '**/trpc/social.deletionStatus**', 'Contact us'] as const,
    // The long run checks the other page that loads its content, too.
    ...(process.env['TEST_LONG'] === '1'
      ? [['/subscription/success?session_id=cs_of_nobody', '**/trpc/subscription.confirm**', 'Log in'] as const]
      : []),
  ])('%s has no layout shift when its content is loaded', async (path, call, link) => {
    const release = await holdRequests(window.page, call)
    const requested = window.page.waitForRequest(call)
    await window.page.goto(path)
    await requested
    await window.page.locator('footer').waitFor()
    release()
    await window.page.locator('main').getByRole('link', { name: link }).waitFor()
    expect(await layoutShift()).toBe(0)
  })
})

test('/ looks the same with critical CSS only as with the complete style sheet', async () => {
  const { criticalOnly, complete } = await screenshotsOf('/')
  expect(criticalOnly.equals(complete)).toBe(true)
})

describe('prerendered pages', () => {
  useWindows()

  test('/ is painted before its scripts and the complete style sheet are requested, and loads the basic fonts only', async () => {
    const fonts = ['bricolage-numerals', 'bricolage-plain', 'hanken-plain']
    expect(await paintOf('/', fonts.length)).toEqual({ early: [], fonts })
  })

  test('a page hydrates when it is opened in a background tab', async () => {
    await hydrateWithoutPaint({ isHidden: true })
    expect(window.pageErrors).toEqual([])
  })

  test('text that is typed during hydration is kept', async () => {
    const artist = await createArtist(app)
    const releaseScripts = await holdScripts()
    const [begun, rest] = [artist.email.slice(0, 6), artist.email.slice(6)]
    // Types on just after the page has reset the field, before React renders.
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
            this.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText', data: more }))
          })
        },
      })
    }, rest)
    await window.page.goto('/login', { waitUntil: 'commit' })
    await window.page.getByLabel('Email').fill(begun)
    await window.page.getByLabel('Password', { exact: true }).fill(artist.password)
    await releaseScripts()
    await expect.poll(async () => await window.page.getByLabel('Email').inputValue()).toBe(artist.email)
    await window.page.getByRole('button', { name: 'Log in' }).click()
    await window.page.waitForURL((url) => url.pathname === '/new-post')
  })
})

describe('input before the scripts are loaded', () => {
  useWindows({ reuse: true })

  test.each([
    ['its button is pressed and the path ends in a slash', '/login/'],
    ['Enter is pressed and an extension has written into the form', '/login'],
  ])('a form that is filled in and submitted before the scripts are loaded is sent when %s', async (_where, path) => {
    const artist = await createArtist(app)
    const releaseScripts = await holdScripts()
    await window.page.goto(path, { waitUntil: 'commit' })
    await window.page.getByLabel('Email').fill(artist.email)
    await window.page.getByLabel('Password', { exact: true }).fill(artist.password)
    if (path === '/login') {
      // As a password manager does. React then renders the page from scratch.
      await window.page.locator('form').evaluate((form) => form.prepend(document.createElement('section')))
      await window.page.getByLabel('Password', { exact: true }).press('Enter')
    } else {
      await window.page.getByRole('button', { name: 'Log in' }).click()
    }
    await releaseScripts()
    await window.page.waitForURL((url) => url.pathname === '/new-post')
  })

  test('a plan that is chosen before the scripts are loaded is remembered', async () => {
    await holdScripts()
    await window.page.goto('/', { waitUntil: 'commit' })
    await window.page.getByRole('link', { name: 'Get Started', exact: true }).last().click()
    await window.page.waitForURL((url) => url.pathname === '/login', { waitUntil: 'commit' })
    expect(await window.page.evaluate(() => localStorage.getItem('chosen-plan'))).toBe(planIds.at(-1))
  })

  test('a checkbox and a button that are clicked before the scripts are loaded take effect', async () => {
    const releaseScripts = await holdScripts()
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
    await releaseScripts()
    await expect
      .poll(async () => await window.page.getByLabel('Password', { exact: true }).getAttribute('type'))
      .toBe('text')
    await window.page.getByRole('button', { name: 'Create account' }).click()
    await window.page.waitForURL((url) => url.pathname === '/verify-email')
  })

  test('a checkbox that is ticked during hydration stays ticked', async () => {
    const releaseScripts = await holdScripts()
    await window.page.goto('/register', { waitUntil: 'commit' })
    await window.page.getByLabel('Name').fill('Quick Bird')
    await window.page.getByLabel('Email').fill(`quick-${randomUUID()}@studio.example`)
    await window.page.getByLabel('Password', { exact: true }).fill('a good long password')
    await window.page.getByLabel('Confirm password').fill('a good long password')
    // Clicks when React has its listeners but has not rendered.
    await window.page.evaluate(() => {
      const box = document.querySelector<HTMLInputElement>('input[type=checkbox]')
      Object.defineProperty((globalThis as unknown as { __earlySubmit: object }).__earlySubmit, 'hydrating', {
        get: () => true,
        set() {
          queueMicrotask(() => box?.click())
        },
      })
    })
    await releaseScripts()
    await untilHydrated(window.page)
    await window.page.getByRole('button', { name: 'Create account' }).click()
    await window.page.waitForURL((url) => url.pathname === '/verify-email')
  })

  test('a click during hydration is handled by React and not repeated', async () => {
    const releaseScripts = await holdScripts()
    await window.page.goto('/login', { waitUntil: 'commit' })
    await window.page.getByRole('button', { name: /show password/i }).waitFor()
    await window.page.evaluate(() =>
      Object.assign((globalThis as unknown as { __earlySubmit: object }).__earlySubmit, { hydrating: true }),
    )
    await window.page.getByRole('button', { name: /show password/i }).click()
    await releaseScripts()
    await untilHydrated(window.page)
    expect(await window.page.getByLabel('Password', { exact: true }).getAttribute('type')).toBe('password')
    await window.page.getByRole('button', { name: /show password/i }).click()
    await expect
      .poll(async () => await window.page.getByLabel('Password', { exact: true }).getAttribute('type'))
      .toBe('text')
  })

  test('the scroll position from before the scripts are loaded is kept', async () => {
    const releaseScripts = await holdScripts()
    await window.page.goto('/', { waitUntil: 'commit' })
    await window.page.getByRole('heading', { name: 'Frequently asked questions' }).waitFor()
    // Fonts that load late would shift the content.
    await window.page.evaluate(async () => {
      await document.fonts.ready
      scrollTo(0, 1000)
    })
    await releaseScripts()
    await expect
      .poll(
        async () => await window.page.evaluate(() => document.querySelector('header')?.getBoundingClientRect().height),
      )
      .toBe(70)
    expect(await window.page.evaluate(() => Math.round(scrollY))).toBe(1000)
  })
})

describe('pages whose scripts cannot be loaded', () => {
  useWindows({ reuse: true })
  /** Records the content of this tab's storage at the start of each page. */
  const watchStorage = async () => {
    const found: string[] = []
    await window.page.exposeFunction('noteStorage', (text: string) => void found.push(text))
    await window.page.addInitScript(() =>
      (globalThis as unknown as { noteStorage: (text: string) => void }).noteStorage(JSON.stringify(sessionStorage)),
    )
    return found
  }

  test('a message that was typed and sent before a release took its scripts away is sent', async () => {
    const { promise: sent, resolve: letScriptFail } = Promise.withResolvers<void>()
    await failTimes(1, 404, sent)
    await window.page.goto('/contact', { waitUntil: 'commit' })
    await window.page.getByLabel('Name').fill('Ines Farrow')
    await window.page.getByLabel('Email').fill('ines@studio.example')
    await window.page.getByLabel('Message').fill('Do you post to two pages at once?')
    await window.page.getByRole('button', { name: 'Send message' }).click()
    letScriptFail()
    await window.page.getByText(noticeMessages.contactSent).waitFor()
    expect(window.page.url()).toBe(`${app.url}/contact`)
    expect(await notice().textContent()).toBe('')
    expect(await window.page.evaluate(() => sessionStorage.length)).toBe(0)
  })

  test('a typed email is restored after the reload; a typed password is not stored and must be entered again', async () => {
    const artist = await createArtist(app)
    const storage = await watchStorage()
    const { promise: sent, resolve: letScriptFail } = Promise.withResolvers<void>()
    await failTimes(1, 404, sent)
    await window.page.goto('/login', { waitUntil: 'commit' })
    await window.page.getByLabel('Email').fill(artist.email)
    await window.page.getByLabel('Password', { exact: true }).fill(artist.password)
    await window.page.getByRole('button', { name: 'Log in' }).click()
    letScriptFail()
    await notice().getByText('enter your password once more').waitFor()
    await untilHydrated(window.page)
    await expect.poll(async () => await window.page.getByLabel('Email').inputValue()).toBe(artist.email)
    expect(await window.page.getByLabel('Password', { exact: true }).inputValue()).toBe('')
    expect(window.page.url()).toBe(`${app.url}/login`)
    expect(storage.at(-1)).toContain(artist.email)
    expect(storage.join()).not.toContain(artist.password)
    expect(await window.page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain(artist.email)
    await window.page.getByLabel('Password', { exact: true }).fill(artist.password)
    await window.page.getByRole('button', { name: 'Log in' }).click()
    await window.page.waitForURL((url) => url.pathname === '/new-post')
  })

  test('a page whose reload fails too says so, and reloads at a press', async () => {
    let pages = 0
    window.page.on('request', (request) => (pages += request.isNavigationRequest() ? 1 : 0))
    await failTimes(2, 503)
    await window.page.goto('/contact', { waitUntil: 'commit' })
    const again = notice().getByRole('button', { name: 'Load again' })
    await again.waitFor()
    expect(pages).toBe(2)
    expect(await accessibilityFaults(window.page)).toEqual([])
    await window.page.getByLabel('Message').fill('Still here')
    await again.click()
    await untilHydrated(window.page)
    await expect.poll(async () => await window.page.getByLabel('Message').inputValue()).toBe('Still here')
    expect(await window.page.evaluate(() => sessionStorage.length)).toBe(0)
  })

  test('a link is followed although the browser then aborts the scripts, as Firefox does', async () => {
    const { promise: isLeaving, resolve: leave } = Promise.withResolvers<void>()
    const { promise: isAnswered, resolve: answer } = Promise.withResolvers<void>()
    await window.page.addInitScript(() =>
      addEventListener('error', () => setTimeout(() => void fetch('/robots.txt')), { capture: true, once: true }),
    )
    await window.page.route(scripts, async (route) => {
      await isLeaving
      await route.abort()
    })
    await window.page.route('**/login', async (route) => {
      leave()
      await isAnswered
      await window.page.unroute(scripts)
      await route.continue()
    })
    const later = window.page.waitForRequest('**/robots.txt')
    await window.page.goto('/', { waitUntil: 'commit' })
    await window.page.getByRole('link', { name: 'Login' }).click({ noWaitAfter: true })
    await later
    answer()
    await window.page.getByRole('button', { name: 'Log in' }).waitFor()
  })

  test('a page is reloaded only once the server is back', async () => {
    let isAway = true
    let headRequests = 0
    await window.page.route('**/contact', async (route) => {
      const isHead = route.request().method() === 'HEAD'
      headRequests += isHead ? 1 : 0
      await (isHead && isAway ? route.fulfill({ status: 503 }) : route.continue())
    })
    await failTimes(1, 503)
    await window.page.goto('/contact', { waitUntil: 'commit' })
    await notice().getByText('We keep trying.').waitFor()
    await window.page.getByLabel('Message').fill('Still here')
    await expect.poll(() => headRequests).toBeGreaterThan(0)
    isAway = false
    await untilHydrated(window.page)
    await expect.poll(async () => await window.page.getByLabel('Message').inputValue()).toBe('Still here')
  })
})

describe('/new-post', () => {
  useWindows({ reuse: true })

  test('shows its skeleton while the scripts are loading, then the screen in its place, and requests at most 25 files', async () => {
    const artist = await createArtist(app)
    await setSession(window, app.url, artist.cookies)
    const files = new Set<string>()
    window.page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (!pathname.startsWith('/trpc/')) files.add(pathname)
    })
    // The drawer of small windows is loaded last, when the browser is idle.
    const later = window.page.waitForRequest(/\/assets\/lazy-parts-/)
    const releaseScripts = await holdScripts()
    await window.page.goto('/new-post', { waitUntil: 'commit' })
    await expect.poll(async () => await window.page.getByRole('banner').count()).toBe(1)
    await expect.poll(async () => await window.page.getByText('Loading').count()).toBe(1)
    const colour = await window.page.getByRole('banner').evaluate((bar) => getComputedStyle(bar).borderBottomColor)
    await releaseScripts()
    await window.page.getByRole('heading', { name: 'New Posts' }).waitFor()
    await expect.poll(async () => await window.page.getByRole('banner').count()).toBe(1)
    expect(await window.page.getByRole('banner').evaluate((bar) => getComputedStyle(bar).borderBottomColor)).toBe(
      colour,
    )
    await later
    await window.page.waitForLoadState('networkidle')
    expect(files.size, [...files].join('\n')).toBeLessThanOrEqual(25)
  })
})
