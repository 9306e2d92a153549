import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { startTestApp, type TestApp } from '../api/testing/app.ts'
import { holdRequests, launch, openWindow, phone, untilHydrated, type Window } from './browser.ts'

export let app: TestApp
export let window: Window

/** Starts the app for the file. */
export function useApp(): void {
  beforeAll(async () => {
    app = await startTestApp({ role: 'web' })
  })
  afterAll(async () => {
    await app?.stop()
  })
}

/** Opens a window for each test. `reuse` is for tests that hold back or refuse the scripts: those do not come from a cache. */
export function useWindows({ reuse = false } = {}): void {
  beforeEach(async () => {
    window = await openWindow({ baseUrl: app.url, reuse })
    return async () => await window.close()
  })
}

/** All scripts but theme.js, which runs before the first paint. */
export const scripts = /\/assets\/(?!theme-)[^/]+\.js$/

/** Holds back the scripts. The returned function releases them, and fails if the page is hydrated already. */
export async function holdScripts(): Promise<() => Promise<void>> {
  const release = await holdRequests(window.page, scripts)
  return async () => {
    expect(
      await window.page.evaluate(
        () => (globalThis as unknown as { __earlySubmit?: { over: boolean } }).__earlySubmit?.over,
      ),
    ).not.toBe(true)
    release()
  }
}

const entry = /\/assets\/index-[^/]+\.js$/

/** Answers the first `times` requests of the app's script with this status, once `after` is resolved. */
export async function failTimes(times: number, status: number, after?: Promise<void>): Promise<void> {
  let failed = 0
  // Without Playwright's `times`: a request that the page sends while the last use ends the interception may never be sent.
  await window.page.route(entry, async (route) => {
    if (failed >= times) return await route.continue()
    failed += 1
    await after
    await route.fulfill({ status, body: '' })
  })
}

export const notice = () => window.page.locator('#page-notice')

/** Screenshots of a page without scripts, with its critical CSS only and with the complete style sheet in place of it. */
export async function screenshotsOf(path: string): Promise<{ criticalOnly: Buffer; complete: Buffer }> {
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
  const criticalOnly = await screenshot()
  const [, sheet = ''] = /href="(\/assets\/style-[^"]+)"/.exec(await (await fetch(`${app.url}${path}`)).text()) ?? []
  const css = await (await fetch(`${app.url}${sheet}`)).text()
  let replaced = 0
  await withoutScripts.route('**/assets/first-*.css', async (route) => {
    replaced += 1
    await route.fulfill({ contentType: 'text/css', body: css })
  })
  const complete = await screenshot()
  await withoutScripts.close()
  expect(replaced).toBe(1)
  return { criticalOnly, complete }
}

/**
 * `early`: the scripts and style sheets that a page requests before it is painted, without those that it needs for that. `fonts`: those
 * that it loads. Waits until it uses `fontCount` of them.
 */
export async function paintOf(path: string, fontCount: number): Promise<{ early: object[]; fonts: string[] }> {
  // Disables hydration after two seconds, because a busy machine may paint later than that.
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
  }, fontCount)
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
  // A font face has the status `loaded` only if text uses it, not by a preload. Both style sheets have each face.
  const used = async () =>
    await window.page.evaluate(() => {
      const loaded = [...document.fonts].filter(({ status }) => status === 'loaded')
      return new Set(loaded.map(({ family, weight, unicodeRange }) => [family, weight, unicodeRange].join())).size
    })
  await expect.poll(used).toBe(fontCount)
  return {
    early: others.filter(({ startTime }) => startTime < painted),
    fonts: fonts.toSorted(),
  }
}

/** Opens a page in a browser that reports no paint, and that reports the tab as hidden or not. Waits until it is hydrated. */
export async function hydrateWithoutPaint({ isHidden }: { isHidden: boolean }): Promise<void> {
  await window.context.addInitScript(
    (unseen) => Object.defineProperty(Document.prototype, 'hidden', { get: () => unseen }),
    isHidden,
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
}
