import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { inject } from 'vitest'

export type { BrowserContext, Page }

export const phone = { width: 390, height: 844 }
export const desktop = { width: 1440, height: 900 }

export type Window = { page: Page; context: BrowserContext; complaints: string[]; close: () => Promise<void> }

/** Joins the browser that all files share (`setup.ts`): closing it closes this file's windows, and the browser stays. */
export async function launch(): Promise<Browser> {
  return await chromium.connect(inject('browserUrl'))
}

/**
 * A window with storage of its own. What the page complains about (errors, failed requests to the app) is collected:
 * noise is a fault (`complaints` should be empty at the end).
 */
export async function openWindow(
  browser: Browser,
  options: { baseUrl: string; size?: { width: number; height: number }; dark?: boolean; timeZone?: string },
): Promise<Window> {
  const context = await browser.newContext({
    baseURL: options.baseUrl,
    viewport: options.size ?? desktop,
    colorScheme: options.dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    locale: 'en-US',
    timezoneId: options.timeZone ?? 'America/New_York',
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

/** Puts an artist's session into a window, as if they had logged in before. */
export async function takeSession(window: Window, baseUrl: string, cookies: ReadonlyMap<string, string>): Promise<void> {
  await window.context.addCookies([...cookies].map(([name, value]) => ({ name, value, url: baseUrl, httpOnly: true, sameSite: 'Lax' as const })))
}
