import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createArtist, type Artist } from '../api/testing/actors.ts'
import { startTestApp, type TestApp } from '../api/testing/app.ts'
import { openWindow, phone, setSession, type Page, type Window } from './browser.ts'

let app: TestApp
let artist: Artist
let window: Window
let page: Page
beforeAll(async () => {
  app = await startTestApp({ role: 'web' })
  artist = await createArtist(app, { name: 'Ada Inkwell' })
})
afterAll(async () => {
  await app?.stop()
})
beforeEach(async () => {
  window = await openWindow({ reuse: true, baseUrl: app.url })
  page = window.page
})
afterEach(async () => await window.close())

async function openAs(who: Artist, path: string): Promise<void> {
  await setSession(window, app.url, who.cookies)
  await page.goto(path)
}

const followLink = async (name: string) =>
  await page.getByRole('navigation', { name: 'App' }).getByRole('link', { name, exact: true }).click()
const untilTitle = async (name: string) =>
  await page.locator('header').getByRole('heading', { level: 1, name, exact: true }).waitFor()

describe('navigation between screens', () => {
  /** The right ends of the header and of the page, without their padding. */
  const ends = async () =>
    await page.evaluate(() => {
      const end = (selector: string) => {
        const element = document.querySelector(selector)
        if (!element) return Number.NaN
        const { right } = element.getBoundingClientRect()
        return Math.round(right - parseFloat(getComputedStyle(element).paddingRight))
      }
      return [end('header > div'), end('main > div')]
    })

  test('the signed-in header shrinks past 50 px and ends with the pages, which all have the same width, the shell does not shift, a new page starts at the top with its title announced, and Back restores the scroll position', async () => {
    await page.setViewportSize({ width: 1920, height: 1000 })
    await page.addInitScript(() => {
      const moved: string[] = []
      Object.assign(globalThis, { moved })
      type Shift = PerformanceEntry & { sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[] }
      new PerformanceObserver((list) => {
        for (const { node, previousRect: from, currentRect: to } of (list.getEntries() as Shift[]).flatMap(
          (entry) => entry.sources,
        )) {
          const element = node instanceof Element ? node : node?.parentElement
          // Vertical moves are allowed: the header is higher at the top of a page, and the sidebar follows it.
          if (from.x !== to.x && element?.closest('header, aside')) moved.push(element.outerHTML.slice(0, 80))
        }
      }).observe({ type: 'layout-shift', buffered: true })
    })
    await openAs(artist, '/help')
    await page.getByRole('button', { name: 'Send message' }).waitFor()
    const height = async () =>
      await page.evaluate(() => Math.round(document.querySelector('header')?.getBoundingClientRect().height ?? 0))
    await expect.poll(height).toBe(100)
    await page.evaluate(() => scrollTo(0, 51))
    await expect.poll(height).toBe(70)
    await page.evaluate(() => scrollTo(0, 600))
    for (const [link, heading] of [
      ['Settings', 'Settings'],
      ['Media', 'Media'],
      ['Scheduled Posts', 'Scheduled Posts'],
      ['New Post', 'New Posts'],
    ] as const) {
      await followLink(link)
      await untilTitle(heading)
      await page
        .locator('output')
        .filter({ hasText: `${heading} · Flashsheet` })
        .waitFor({ state: 'attached' })
      await expect.poll(async () => await page.evaluate(() => scrollY)).toBe(0)
      await expect.poll(ends).toEqual([248 + 76 * 16 - 32, 248 + 76 * 16 - 32])
    }
    // The pressed link keeps the focus.
    await expect.poll(async () => await page.evaluate(() => document.activeElement?.textContent)).toBe('New Post')
    for (let steps = 0; steps < 4; steps++) await page.goBack()
    await untilTitle('Help')
    await expect.poll(async () => await page.evaluate(() => scrollY)).toBe(600)
    expect(await page.evaluate(() => (globalThis as unknown as { moved: string[] }).moved)).toEqual([])
    expect(window.pageErrors).toEqual([])
  })
})

test.each([
  ['/settings', 'Appearance'],
  ['/website-builder', 'Look'],
])(
  'what gets the focus on %s is scrolled out from under the header, and from under the bar of buttons',
  async (path, heading) => {
    await page.setViewportSize({ width: phone.width, height: 480 })
    await openAs(artist, path)
    await page.getByRole('heading', { name: heading, exact: true }).waitFor()
    const covered = async () =>
      await page.evaluate(() => {
        const target = document.activeElement?.closest('label') ?? document.activeElement
        if (!target || target === document.body) return []
        const { x, y, width, height } = target.getBoundingClientRect()
        // Of a card that is higher than the window, the upper end counts.
        return [4, Math.min(height / 2, 22)].some((from) => {
          const above = document.elementFromPoint(x + width / 2, y + from)
          return above === null || (!target.contains(above) && !above.contains(target))
        })
          ? [target.outerHTML]
          : []
      })
    const faults: string[] = []
    for (const key of ['Tab', 'Shift+Tab'])
      for (let presses = 0; presses < 25; presses++) {
        await page.keyboard.press(key)
        faults.push(...(await covered()))
      }
    expect(faults).toEqual([])
  },
)

describe('animations', () => {
  /** The number of transitions and animations with a duration while the drawer opens and a link of it is followed. */
  const countAnimations = async (reducedMotion: 'reduce' | 'no-preference', link: string): Promise<number> => {
    await page.emulateMedia({ reducedMotion })
    await page.evaluate(() => {
      const seen = { count: 0 }
      Object.assign(globalThis, { seen })
      for (const kind of ['transitionrun', 'animationstart']) {
        document.addEventListener(kind, (event) => {
          if (
            event.target instanceof Element &&
            event.target.getAnimations().some((one) => Number(one.effect?.getComputedTiming().duration) > 0)
          )
            seen.count += 1
        })
      }
    })
    await page.getByRole('button', { name: 'Menu', exact: true }).click()
    await page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: link }).click()
    await page.getByRole('dialog', { name: 'Menu' }).waitFor({ state: 'detached' })
    return await page.evaluate(() => (globalThis as unknown as { seen: { count: number } }).seen.count)
  }

  test('animates the drawer, except with reduced motion', async () => {
    await page.setViewportSize(phone)
    await openAs(artist, '/help')
    await page.getByRole('button', { name: 'Send message' }).waitFor()
    expect(await countAnimations('no-preference', 'Settings')).toBeGreaterThan(0)
    await untilTitle('Settings')
    expect(await countAnimations('reduce', 'Help')).toBe(0)
  })
})
