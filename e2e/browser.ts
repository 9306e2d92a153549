import { chromium as playwright, type Browser, type BrowserContext, type Locator, type Page } from 'playwright-core'
import { expect } from 'vitest'
import { chromium } from '../scripts/chromium.ts'

export type { Page }

export const phone = { width: 390, height: 844 }
export const desktop = { width: 1440, height: 900 }

export type Window = { page: Page; context: BrowserContext; complaints: string[]; close: () => Promise<void> }

/** The browser of this test worker, of all its files; it ends with the worker. */
let shared: Promise<Browser> | undefined
export async function launch(): Promise<Browser> {
  // One for each worker: a browser of the whole run would have to be driven through the main process, at a tenth of all the work.
  return await (shared ??= startBrowser())
}

/** A page of a test lives for seconds: a process for each site and optimized code cost more processor time than they save. */
const shortLivedPages = [
  '--renderer-process-limit=1',
  '--disable-site-isolation-trials',
  '--js-flags=--no-opt --no-maglev',
]

async function startBrowser(): Promise<Browser> {
  const { executablePath, args, env } = await chromium()
  return await playwright.launch({ executablePath, args: [...args, ...shortLivedPages], env })
}

type Look = {
  baseUrl: string
  size?: { width: number; height: number }
  dark?: boolean
  timeZone?: string
  now?: string
  /** Shows what moves, as for people who have not asked for less of it. */
  motion?: boolean
  /** A phone: fingers instead of a mouse, and scroll bars that take no room. */
  touch?: boolean
}

/** Windows that were put away, by how they look; those that were put away last come first. */
const putAway: { key: string; window: Window }[] = []
const mostPutAway = 4

/**
 * A window with storage of its own, whose clock shows `now` and goes on from there if that is given. What the page complains about
 * (errors, failed requests to the app) is collected: noise is a fault (`complaints` should be empty at the end). With `again` a window of
 * the same look is taken that was closed before, by this file or another, as empty as a new one: that costs half, as its process need not
 * learn the app's scripts anew. One that was given scripts is not put away. Not for tests of the first visit, or of a slow connection.
 */
export async function openWindow(browser: Browser, options: Look & { again?: boolean }): Promise<Window> {
  const { again = false, ...look } = options
  if (!again) return await newWindow(browser, look)
  const key = JSON.stringify([
    look.baseUrl,
    look.size,
    look.dark,
    look.timeZone,
    look.now !== undefined,
    look.motion,
    look.touch,
  ])
  const at = putAway.findIndex((one) => one.key === key)
  const window = at === -1 ? await newWindow(browser, look) : putAway.splice(at, 1)[0]!.window
  if (at !== -1 && look.now !== undefined) await window.context.clock.install({ time: look.now })
  const isPlain = watchScripts(window)
  let closed = false
  return {
    ...window,
    async close() {
      if (closed) return
      closed = true
      try {
        if (!isPlain()) throw new Error('it has scripts of its test')
        await empty(window, look)
        putAway.unshift({ key, window })
        for (const { window: oldest } of putAway.splice(mostPutAway)) await oldest.close()
      } catch {
        await window.close()
      }
    },
  }
}

/** Answers whether nothing was added to the window's pages that cannot be taken away again. */
function watchScripts({ page, context }: Window): () => boolean {
  let plain = true
  for (const [owner, names] of [
    [page, ['addInitScript', 'exposeFunction', 'exposeBinding']],
    [context, ['addInitScript', 'exposeFunction', 'exposeBinding']],
    [context.clock, ['install']],
  ] as const) {
    for (const name of names) {
      const own = owner as unknown as Record<string, (...given: unknown[]) => unknown>
      const add = Object.getPrototypeOf(owner)[name] as (...given: unknown[]) => unknown
      own[name] = (...given) => {
        plain = false
        return add.apply(owner, given)
      }
    }
  }
  return () => plain
}

/**
 * What Chromium says of a page that had nothing to write with its letters some seconds after it was loaded: of this machine, not of
 * the page. That each preloaded font is used is held by `first-visit.test.ts`.
 */
const slowness = /\.woff2 was preloaded using link preload but not used within a few seconds/

async function newWindow(browser: Browser, look: Look): Promise<Window> {
  const context = await browser.newContext({
    baseURL: look.baseUrl,
    viewport: look.size ?? desktop,
    colorScheme: look.dark ? 'dark' : 'light',
    reducedMotion: look.motion ? 'no-preference' : 'reduce',
    isMobile: look.touch ?? false,
    hasTouch: look.touch ?? false,
    locale: 'en-US',
    timezoneId: look.timeZone ?? 'America/New_York',
  })
  context.setDefaultTimeout(15_000)
  if (look.now !== undefined) await context.clock.install({ time: look.now })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !slowness.test(message.text()))
      complaints.push(`${message.type()}: ${message.text()}`)
  })
  return { page, context, complaints, close: async () => await context.close() }
}

/** Takes everything out of a window that a test left in it: requests on their way, cookies, storage, history, routes, listeners. */
async function empty({ page, context, complaints }: Window, look: Look): Promise<void> {
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
    colorScheme: look.dark ? 'dark' : 'light',
    reducedMotion: look.motion ? 'no-preference' : 'reduce',
  })
  await page.setViewportSize(look.size ?? desktop)
  // A page of the same origin that does nothing: what the app wrote as it was left is there by now.
  await page.goto('/robots.txt')
  await page.evaluate(() => {
    localStorage.clear()
    sessionStorage.clear()
  })
  const wire = await context.newCDPSession(page)
  await wire.send('Storage.clearDataForOrigin', { origin: new URL(look.baseUrl).origin, storageTypes: 'all' })
  await wire.send('Page.resetNavigationHistory')
  await wire.detach()
  await page.mouse.move(0, 0)
  complaints.length = 0
}

/**
 * Waits for what a page says when it has asked in vain often enough; the seconds between its tries pass at once. The page's
 * clock has to be the test's by then (`page.clock.install()`).
 */
export async function untilGivenUp(page: Page, said: Locator): Promise<void> {
  // Until the screen is drawn nothing was asked in vain.
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await expect
    .poll(async () => {
      await page.clock.fastForward(2_000)
      return await said.isVisible()
    })
    .toBe(true)
}

/**
 * Waits until React has taken over a page made at build, with what was typed and pressed before. What is ticked while it does so can
 * be set back; the scripts are asked for after the first paint, so the network can be idle before.
 */
export async function untilHydrated(page: Page): Promise<void> {
  await page.waitForFunction(
    () => (globalThis as unknown as { __earlySubmit?: { over: boolean } }).__earlySubmit?.over === true,
  )
}

/** Waits until this has the focus, which many components give a frame or a render after what they show. */
export async function untilFocused(target: Locator): Promise<void> {
  await expect.poll(async () => await target.evaluate((element) => element === document.activeElement)).toBe(true)
}

/**
 * Takes up with Enter what is moved by this handle. The next key moves it only once a place to drop it has the focus, which comes
 * a frame later.
 */
export async function liftByKey(page: Page, handle: Locator): Promise<void> {
  await handle.focus()
  await page.keyboard.press('Enter')
  await page.locator('[aria-roledescription="drop indicator"]:focus').waitFor({ state: 'attached' })
}

/** Where something is once it has stopped moving: two looks, a frame apart, find it in the same place. */
export async function settledBox(target: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  await target.waitFor()
  return await target.evaluate(async (element) => {
    const look = async () =>
      await new Promise<DOMRect>((resolve) => requestAnimationFrame(() => resolve(element.getBoundingClientRect())))
    let [before, { x, y, width, height }] = [await look(), await look()]
    while (before.x !== x || before.y !== y || before.width !== width || before.height !== height)
      [before, { x, y, width, height }] = [new DOMRect(x, y, width, height), await look()]
    return { x, y, width, height }
  })
}

/** Puts an artist's session into a window, as if they had logged in before. */
export async function takeSession(
  window: Window,
  baseUrl: string,
  cookies: ReadonlyMap<string, string>,
): Promise<void> {
  await window.context.addCookies(
    [...cookies].map(([name, value]) => ({ name, value, url: baseUrl, httpOnly: true, sameSite: 'Lax' as const })),
  )
}
