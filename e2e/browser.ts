import { chromium as playwright, type Browser, type BrowserContext, type Locator, type Page } from 'playwright-core'
import { expect } from 'vitest'
import { chromium } from '../scripts/chromium.ts'

export type { Page }

export const phone = { width: 390, height: 844 }
export const desktop = { width: 1440, height: 900 }

/** `pageErrors` collects what the page logs: uncaught errors, console errors and warnings. */
export type Window = { page: Page; context: BrowserContext; pageErrors: string[]; close: () => Promise<void> }

/**
 * One browser for all test files of a worker; it ends with the worker. A single browser for the whole run would be driven through the
 * main process, which costs a tenth of the run's time.
 */
let shared: Promise<Browser> | undefined
export async function launch(): Promise<Browser> {
  return await (shared ??= startBrowser())
}

/** A page of a test lives for seconds: a process for each site and optimized code cost more processor time than they save. */
const shortLivedPages = [
  '--renderer-process-limit=1',
  '--disable-site-isolation-trials',
  '--js-flags=--no-opt --no-maglev',
  // On a busy machine a preloaded font comes later than the 100 ms that Chromium waits for it before it paints.
  '--enable-features=RenderBlockingFonts:max-fcp-delay/2000/max-blocking-time/2000',
]

async function startBrowser(): Promise<Browser> {
  const { executablePath, args, env } = await chromium()
  return await playwright.launch({ executablePath, args: [...args, ...shortLivedPages], env })
}

type WindowOptions = {
  baseUrl: string
  size?: { width: number; height: number }
  dark?: boolean
  timeZone?: string
  /** The time that the page's clock starts from. */
  now?: string
  /** Plays animations, which are reduced otherwise. */
  motion?: boolean
  /** A touch device: no mouse, and scroll bars that take no room. */
  touch?: boolean
}

/** Closed windows that can be used again, by their options; the last closed one comes first. */
const pool: { key: string; window: Window }[] = []
const poolSize = 4

/**
 * Opens a window with its own storage. With `reuse` it takes a closed window with the same options, of this file or another, emptied
 * like a new one: that takes half the time, because its process has compiled the app's scripts. A window to which scripts were added is
 * not reused. Not for tests of a first visit or of a slow connection.
 */
export async function openWindow({ reuse = false, ...options }: WindowOptions & { reuse?: boolean }): Promise<Window> {
  if (!reuse) return await newWindow(options)
  const key = JSON.stringify([
    options.baseUrl,
    options.size,
    options.dark,
    options.timeZone,
    options.now !== undefined,
    options.motion,
    options.touch,
  ])
  const index = pool.findIndex((one) => one.key === key)
  const window = index === -1 ? await newWindow(options) : pool.splice(index, 1)[0]!.window
  if (index !== -1 && options.now !== undefined) await window.context.clock.install({ time: options.now })
  const isReusable = trackScripts(window)
  let isClosed = false
  return {
    ...window,
    async close() {
      if (isClosed) return
      isClosed = true
      try {
        if (!isReusable()) throw new Error('the test has added scripts')
        await resetWindow(window, options)
        pool.unshift({ key, window })
        for (const { window: oldest } of pool.splice(poolSize)) await oldest.close()
      } catch {
        await window.close()
      }
    },
  }
}

/** Returns whether the window has no scripts that its test added, which cannot be removed. */
function trackScripts({ page, context }: Window): () => boolean {
  let isReusable = true
  for (const [owner, names] of [
    [page, ['addInitScript', 'exposeFunction', 'exposeBinding']],
    [context, ['addInitScript', 'exposeFunction', 'exposeBinding']],
    [context.clock, ['install']],
  ] as const) {
    for (const name of names) {
      const methods = owner as unknown as Record<string, (...args: unknown[]) => unknown>
      const original = Object.getPrototypeOf(owner)[name] as (...args: unknown[]) => unknown
      methods[name] = (...args) => {
        isReusable = false
        return original.apply(owner, args)
      }
    }
  }
  return () => isReusable
}

/**
 * Chromium logs this when a page has drawn no text some seconds after it was loaded, which depends on the speed of this machine.
 * `first-visit.test.ts` checks that each preloaded font is used.
 */
const unusedPreload = /\.woff2 was preloaded using link preload but not used within a few seconds/

async function newWindow(options: WindowOptions): Promise<Window> {
  const browser = await launch()
  const context = await browser.newContext({
    baseURL: options.baseUrl,
    viewport: options.size ?? desktop,
    colorScheme: options.dark ? 'dark' : 'light',
    reducedMotion: options.motion ? 'no-preference' : 'reduce',
    isMobile: options.touch ?? false,
    hasTouch: options.touch ?? false,
    locale: 'en-US',
    timezoneId: options.timeZone ?? 'America/New_York',
  })
  context.setDefaultTimeout(15_000)
  if (options.now !== undefined) await context.clock.install({ time: options.now })
  const page = await context.newPage()
  const pageErrors: string[] = []
  page.on('pageerror', (error) => pageErrors.push(`error: ${error.message}`))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !unusedPreload.test(message.text()))
      pageErrors.push(`${message.type()}: ${message.text()}`)
  })
  return { page, context, pageErrors, close: async () => await context.close() }
}

/** Removes what a test left in a window: running requests, cookies, storage, history, routes and listeners. */
async function resetWindow({ page, context, pageErrors }: Window, options: WindowOptions): Promise<void> {
  for (const other of context.pages()) if (other !== page) await other.close()
  for (const kind of [
    'request',
    'requestfinished',
    'requestfailed',
    'response',
    'dialog',
    'download',
    'filechooser',
    'popup',
  ])
    page.removeAllListeners(kind)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  await context.setOffline(false)
  await context.clearCookies()
  await context.clearPermissions()
  await page.emulateMedia({
    forcedColors: null,
    colorScheme: options.dark ? 'dark' : 'light',
    reducedMotion: options.motion ? 'no-preference' : 'reduce',
  })
  await page.setViewportSize(options.size ?? desktop)
  // A page of the same origin without scripts: the app has finished writing when it is left.
  await page.goto('/robots.txt')
  await page.evaluate(() => {
    localStorage.clear()
    sessionStorage.clear()
  })
  const session = await context.newCDPSession(page)
  await session.send('Storage.clearDataForOrigin', { origin: new URL(options.baseUrl).origin, storageTypes: 'all' })
  await session.send('Page.resetNavigationHistory')
  await session.detach()
  await page.mouse.move(0, 0)
  pageErrors.length = 0
}

/** Holds back the requests of a page to this URL, until the returned function is called. */
export async function holdRequests(page: Page, url: string | RegExp): Promise<() => void> {
  const { promise: released, resolve } = Promise.withResolvers<void>()
  await page.route(url, async (route) => {
    await released
    await route.continue()
  })
  return resolve
}

/** The errors of a page without those that the browser logs for a failed request. */
const withoutFailedRequests = (pageErrors: readonly string[]) =>
  pageErrors.filter((line) => !/Failed to load resource/.test(line))

/** Closes a window, and throws if its page has logged an error other than a failed request. */
export async function closeChecked(window: Window): Promise<void> {
  const errors = withoutFailedRequests(window.pageErrors)
  await window.close()
  if (errors.length > 0) throw new Error(`the page logged errors:\n${errors.join('\n')}`)
}

type Visitor = { cookies: ReadonlyMap<string, string> }

/**
 * Runs `act` in a window of this visitor, which must log no errors. `refusals`: failed requests are allowed, or must be exactly those with
 * these statuses.
 */
export async function withPage(
  { url }: { url: string },
  visitor: Visitor | null,
  act: (page: Page) => Promise<void>,
  {
    size = phone,
    refusals = [],
  }: { size?: { width: number; height: number }; refusals?: true | readonly number[] } = {},
): Promise<void> {
  const window = await openWindow({ reuse: true, baseUrl: url, size })
  if (visitor) await setSession(window, url, visitor.cookies)
  try {
    await act(window.page)
    if (refusals === true) expect(withoutFailedRequests(window.pageErrors)).toEqual([])
    else expect(window.pageErrors).toEqual(refusals.map((status) => expect.stringContaining(`status of ${status}`)))
  } finally {
    await window.close()
  }
}

/** Waits until React has hydrated a prerendered page and repeated the early input. A checkbox ticked before that can be reset. */
export async function untilHydrated(page: Page): Promise<void> {
  await page.waitForFunction(
    () => (globalThis as unknown as { __earlySubmit?: { over: boolean } }).__earlySubmit?.over === true,
  )
}

/** Waits for the focus, which many components move a frame or a render after they are shown. */
export async function untilFocused(target: Locator): Promise<void> {
  await expect.poll(async () => await target.evaluate((element) => element === document.activeElement)).toBe(true)
}

/** The position of an element once it has stopped moving: it is the same in two consecutive frames. */
export async function settledBox(target: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  await target.waitFor()
  return await target.evaluate(async (element) => {
    const measure = async () =>
      await new Promise<DOMRect>((resolve) => requestAnimationFrame(() => resolve(element.getBoundingClientRect())))
    let [before, { x, y, width, height }] = [await measure(), await measure()]
    while (before.x !== x || before.y !== y || before.width !== width || before.height !== height)
      [before, { x, y, width, height }] = [new DOMRect(x, y, width, height), await measure()]
    return { x, y, width, height }
  })
}

type Point = readonly [x: number, y: number]

/** Moves fingers over the screen, each from its first point to its second, and lifts them. The browser scrolls and zooms by them. */
export async function moveFingers(page: Page, ...fingers: [from: Point, to: Point][]): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const touch = async (type: 'touchStart' | 'touchMove' | 'touchEnd', points: Point[]) =>
    await session.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) })
  // One finger after the other, as a hand does.
  for (const index of fingers.keys())
    await touch(
      'touchStart',
      fingers.slice(0, index + 1).map(([from]) => from),
    )
  for (const share of [0.1, 0.25, 0.4, 0.6, 0.8, 1])
    await touch(
      'touchMove',
      fingers.map(([from, to]) => [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share]),
    )
  await touch('touchEnd', [])
  await session.detach()
}

/** Signs a window in with the cookies of a session. */
export async function setSession(window: Window, baseUrl: string, cookies: ReadonlyMap<string, string>): Promise<void> {
  await window.context.addCookies(
    [...cookies].map(([name, value]) => ({ name, value, url: baseUrl, httpOnly: true, sameSite: 'Lax' as const })),
  )
}
