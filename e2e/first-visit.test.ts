import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createArtist } from '../api/testing/actors.ts'
import { startTestApp, type TestApp } from '../api/testing/app.ts'
import { noticeMessages } from '../packages/contracts/notices/messages.ts'
import { holdRequests, launch, openWindow, phone, setSession, untilHydrated, type Window } from './browser.ts'
import { faultsInEachAppearance } from './faults-in-each-appearance.ts'

let app: TestApp
let window: Window
beforeAll(async () => {
  app = await startTestApp({ role: 'web' })
})
afterAll(async () => {
  await app?.stop()
})
// New windows, because these are first visits, with scripts held back or added.
beforeEach(async () => {
  window = await openWindow({ baseUrl: app.url })
})
afterEach(async () => await window.close())

/** All scripts but theme.js, which runs before the first paint. */
const scripts = /\/assets\/(?!theme-)[^/]+\.js$/

const holdScripts = async () => await holdRequests(window.page, scripts)

describe('in a small window', () => {
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
    ['/data-deletion/no-such-code', '**/trpc/social.deletionStatus**', 'Contact us'],
    ['/subscription/success?session_id=cs_of_nobody', '**/trpc/subscription.confirm**', 'Log in'],
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

describe('prerendered pages', () => {
  test.each(['/', '/login', '/support'])(
    '%s looks the same with critical CSS only as with the complete style sheet',
    async (path) => {
      // Without scripts, nothing is loaded after the first paint.
      const browser = await launch()
      const withoutScripts = await browser.newContext({
        baseURL: app.url,
        viewport: phone,
        javaScriptEnabled: false,
        reducedMotion: 'reduce',
      })
      const screenshot = async () => {
        const page = await withoutScripts.newPage()
        await page.goto(path)
        // Images may be decoded after the load event.
        await page.evaluate(async () => {
          await document.fonts.ready
          await Promise.all([...document.images].map(async (image) => await image.decode()))
        })
        const picture = await page.screenshot({ fullPage: true })
        await page.close()
        return picture
      }
      const withCriticalCss = await screenshot()
      const [, sheet = ''] =
        /href="(\/assets\/style-[^"]+)"/.exec(await (await fetch(`${app.url}${path}`)).text()) ?? []
      const css = await (await fetch(`${app.url}${sheet}`)).text()
      let replaced = 0
      await withoutScripts.route('**/assets/first-*.css', async (route) => {
        replaced += 1
        await route.fulfill({ contentType: 'text/css', body: css })
      })
      const withWholeSheet = await screenshot()
      await withoutScripts.close()
      expect(replaced).toBe(1)
      expect(withCriticalCss.equals(withWholeSheet)).toBe(true)
    },
  )

  test.each(['/', '/login'])(
    '%s is painted before its scripts and the complete style sheet are requested, and loads the basic fonts only',
    async (path) => {
      const plainFonts = [...(path === '/' ? ['bricolage-numerals'] : []), 'bricolage-plain', 'hanken-plain']
      // Disables hydration after two seconds (next test), because a busy machine may paint later than that.
      await window.page.addInitScript(() => {
        const { setTimeout: start } = globalThis
        Object.assign(globalThis, {
          setTimeout: (task: () => void, ms?: number) => (ms === 2000 ? 0 : start(task, ms)),
        })
      })
      await window.page.goto(path)
      await window.page.waitForFunction(() =>
        performance.getEntriesByType('resource').some(({ name }) => name.includes('/assets/index-')),
      )
      // A file is listed once it is loaded.
      await window.page.waitForFunction((fonts) => {
        const names = performance.getEntriesByType('resource').map(({ name }) => name.slice(name.lastIndexOf('/') + 1))
        const others = names.filter((name) => /\.(?:js|css)$/.test(name) && !/^(?:first|theme)-/.test(name))
        return others.length > 2 && new Set(names.filter((name) => name.endsWith('.woff2'))).size >= fonts
      }, plainFonts.length)
      const { painted, others, fonts } = await window.page.evaluate(() => {
        const files = performance
          .getEntriesByType('resource')
          .map(({ name, startTime }) => ({ name: name.slice(name.lastIndexOf('/') + 1), startTime }))
        const painted = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Infinity
        return {
          painted,
          others: files.filter(({ name }) => /\.(?:js|css)$/.test(name) && !/^(?:first|theme)-/.test(name)),
          // Both style sheets name each font, so one that comes from the cache the second time can be listed twice.
          fonts: [...new Set(files.flatMap(({ name }) => /^(.+)-[\w-]{8}\.woff2$/.exec(name)?.[1] ?? []))],
        }
      })
      expect(others.length).toBeGreaterThan(2)
      expect(others.filter(({ startTime }) => startTime < painted)).toEqual([])
      expect(fonts.toSorted()).toEqual(plainFonts)
      // A font face has the status `loaded` only if text uses it, not by a preload. Both style sheets have each face.
      const used = async () =>
        await window.page.evaluate(() => {
          const loaded = [...document.fonts].filter(({ status }) => status === 'loaded')
          return new Set(loaded.map(({ family, weight, unicodeRange }) => [family, weight, unicodeRange].join())).size
        })
      await expect.poll(used).toBe(plainFonts.length)
    },
  )

  test.each([
    ['it is opened in a background tab', true],
    ['the browser never reports its first paint', false],
  ])('a page hydrates when %s', async (_where, hidden) => {
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
    await untilHydrated(window.page)
    expect(window.pageErrors).toEqual([])
  })

  test('a form that is filled in and submitted before the scripts are loaded is sent', async () => {
    const artist = await createArtist(app)
    const releaseScripts = await holdScripts()
    await window.page.goto('/login', { waitUntil: 'commit' })
    await window.page.getByLabel('Email').fill(artist.email)
    await window.page.getByLabel('Password', { exact: true }).fill(artist.password)
    await window.page.getByRole('button', { name: 'Log in' }).click()
    releaseScripts()
    await window.page.waitForURL((url) => url.pathname === '/new-post')
  })

  test.each([
    ['the path ends in a slash', '/login/'],
    ['an extension has written into the form', '/login'],
  ])('a form that is filled in and submitted before the scripts are loaded is sent when %s', async (_where, path) => {
    const artist = await createArtist(app)
    const releaseScripts = await holdScripts()
    await window.page.goto(path, { waitUntil: 'commit' })
    await window.page.getByLabel('Email').fill(artist.email)
    await window.page.getByLabel('Password', { exact: true }).fill(artist.password)
    // As a password manager does. React then renders the page from scratch.
    if (path === '/login')
      await window.page.locator('form').evaluate((form) => form.prepend(document.createElement('section')))
    await window.page.getByLabel('Password', { exact: true }).press('Enter')
    releaseScripts()
    await window.page.waitForURL((url) => url.pathname === '/new-post')
  })

  test('a plan that is chosen before the scripts are loaded is remembered', async () => {
    await holdScripts()
    await window.page.goto('/', { waitUntil: 'commit' })
    await window.page.getByRole('link', { name: 'Get Started', exact: true }).last().click()
    await window.page.waitForURL((url) => url.pathname === '/login', { waitUntil: 'commit' })
    expect(await window.page.evaluate(() => localStorage.getItem('chosen-plan'))).toBe('complete-shading')
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
    releaseScripts()
    await expect.poll(async () => await window.page.getByLabel('Email').inputValue()).toBe(artist.email)
    await window.page.getByRole('button', { name: 'Log in' }).click()
    await window.page.waitForURL((url) => url.pathname === '/new-post')
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
    releaseScripts()
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
    releaseScripts()
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
    releaseScripts()
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
    releaseScripts()
    await expect
      .poll(
        async () => await window.page.evaluate(() => document.querySelector('header')?.getBoundingClientRect().height),
      )
      .toBe(70)
    expect(await window.page.evaluate(() => Math.round(scrollY))).toBe(1000)
  })
})

describe('pages whose scripts cannot be loaded', () => {
  const entry = /\/assets\/index-[^/]+\.js$/
  const notice = () => window.page.locator('#page-notice')
  /** Records the content of this tab's storage at the start of each page. */
  const watchStorage = async () => {
    const found: string[] = []
    await window.page.exposeFunction('noteStorage', (text: string) => void found.push(text))
    await window.page.addInitScript(() =>
      (globalThis as unknown as { noteStorage: (text: string) => void }).noteStorage(JSON.stringify(sessionStorage)),
    )
    return found
  }
  const failTimes = async (times: number, status: number, after?: Promise<void>) =>
    await window.page.route(
      entry,
      async (route) => {
        await after
        await route.fulfill({ status, body: '' })
      },
      { times },
    )

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
    expect(await faultsInEachAppearance(window.page)).toEqual([])
    await window.page.getByLabel('Message').fill('Still here')
    await again.click()
    await untilHydrated(window.page)
    await expect.poll(async () => await window.page.getByLabel('Message').inputValue()).toBe('Still here')
    expect(await window.page.evaluate(() => sessionStorage.length)).toBe(0)
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

  test('a form that is submitted long before the scripts are loaded says that it waits', async () => {
    const releaseScripts = await holdScripts()
    await window.page.goto('/contact', { waitUntil: 'commit' })
    await window.page.getByRole('button', { name: 'Send message' }).click()
    await notice().getByText('Still loading.').waitFor()
    releaseScripts()
    await expect.poll(async () => await notice().textContent()).toBe('')
  })

  test('the skeleton of a signed-in screen says that the screen could not be loaded', async () => {
    const artist = await createArtist(app)
    await setSession(window, app.url, artist.cookies)
    await failTimes(2, 404)
    await window.page.goto('/new-post')
    await notice().getByRole('button', { name: 'Load again' }).click()
    await window.page.getByRole('heading', { name: 'New Posts' }).waitFor()
  })
})

describe('/new-post', () => {
  beforeEach(async () => {
    const artist = await createArtist(app)
    await setSession(window, app.url, artist.cookies)
  })

  test('shows its skeleton while the scripts are loading, and then the screen in its place', async () => {
    const releaseScripts = await holdScripts()
    await window.page.goto('/new-post', { waitUntil: 'commit' })
    await expect.poll(async () => await window.page.getByRole('banner').count()).toBe(1)
    await expect.poll(async () => await window.page.getByText('Loading').count()).toBe(1)
    const colour = await window.page.getByRole('banner').evaluate((bar) => getComputedStyle(bar).borderBottomColor)
    releaseScripts()
    await window.page.getByRole('heading', { name: 'New Posts' }).waitFor()
    await expect.poll(async () => await window.page.getByRole('banner').count()).toBe(1)
    expect(await window.page.getByRole('banner').evaluate((bar) => getComputedStyle(bar).borderBottomColor)).toBe(
      colour,
    )
  })

  test('requests at most 25 files, including those that are loaded later', async () => {
    const files = new Set<string>()
    window.page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (!pathname.startsWith('/trpc/')) files.add(pathname)
    })
    // The drawer of small windows is loaded last, when the browser is idle.
    const later = window.page.waitForRequest(/\/assets\/lazy-parts-/)
    await window.page.goto('/new-post')
    await later
    await window.page.waitForLoadState('networkidle')
    expect(files.size, [...files].join('\n')).toBeLessThanOrEqual(25)
  })
})
