import { chromium, type Browser, type BrowserContext, type Locator, type Page } from 'playwright-core'
import { expect, inject } from 'vitest'

export type { BrowserContext, Page }

export const phone = { width: 390, height: 844 }
export const desktop = { width: 1440, height: 900 }

export type Window = { page: Page; context: BrowserContext; complaints: string[]; close: () => Promise<void> }

/** Joins the browser that all files share (`setup.ts`): closing it closes this file's windows, and the browser stays. */
export async function launch(): Promise<Browser> {
  return await chromium.connect(inject('browserUrl'))
}

type Look = { baseUrl: string; size?: { width: number; height: number }; dark?: boolean; timeZone?: string }

/** Windows that were put away, by the browser they belong to and how they look. */
const putAway = new WeakMap<Browser, Map<string, Window[]>>()

/**
 * A window with storage of its own. What the page complains about (errors, failed requests to the app) is collected:
 * noise is a fault (`complaints` should be empty at the end). With `again` a window of the same look is taken that was closed before,
 * as empty as a new one: that costs half, as its process need not learn the app's scripts anew. Not for tests that
 * add scripts to a page, or slow its connection: those stay with it.
 */
export async function openWindow(browser: Browser, options: Look & { again?: boolean }): Promise<Window> {
  const { again = false, ...look } = options
  if (!again) return await newWindow(browser, look)
  const kept = putAway.get(browser) ?? new Map<string, Window[]>()
  putAway.set(browser, kept)
  const key = JSON.stringify(look)
  const window = kept.get(key)?.pop() ?? (await newWindow(browser, look))
  return {
    ...window,
    async close() {
      try {
        await empty(window, look)
        kept.set(key, [...(kept.get(key) ?? []), window])
      } catch {
        await window.close()
      }
    },
  }
}

async function newWindow(browser: Browser, look: Look): Promise<Window> {
  const context = await browser.newContext({
    baseURL: look.baseUrl,
    viewport: look.size ?? desktop,
    colorScheme: look.dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    locale: 'en-US',
    timezoneId: look.timeZone ?? 'America/New_York',
  })
  context.setDefaultTimeout(15_000)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(`${message.type()}: ${message.text()}`)
  })
  return { page, context, complaints, close: async () => await context.close() }
}

/** Takes everything out of a window that a test left in it: requests on their way, cookies, storage, history, routes, listeners. */
async function empty({ page, context, complaints }: Window, look: Look): Promise<void> {
  for (const other of context.pages()) if (other !== page) await other.close()
  for (const kind of ['request', 'requestfailed', 'response', 'dialog', 'download', 'filechooser', 'popup']) page.removeAllListeners(kind)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  await context.setOffline(false)
  await context.clearCookies()
  await context.clearPermissions()
  await page.emulateMedia({ forcedColors: null })
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
  await expect
    .poll(async () => {
      await page.clock.fastForward(2_000)
      return await said.isVisible()
    })
    .toBe(true)
}

/** Puts an artist's session into a window, as if they had logged in before. */
export async function takeSession(window: Window, baseUrl: string, cookies: ReadonlyMap<string, string>): Promise<void> {
  await window.context.addCookies([...cookies].map(([name, value]) => ({ name, value, url: baseUrl, httpOnly: true, sameSite: 'Lax' as const })))
}
