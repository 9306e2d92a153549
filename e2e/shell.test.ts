import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createArtist, type Artist } from '../api/testing/actors.ts'
import { startTestApp, type TestApp } from '../api/testing/app.ts'
import { renameArtist } from '../api/testing/records.ts'
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
  test('in a wide window all pages have the same width, and the header ends with them', async () => {
    await page.setViewportSize({ width: 1920, height: 1000 })
    await openAs(artist, '/media')
    for (const [link, heading] of [
      ['Media', 'Media'],
      ['Scheduled Posts', 'Scheduled Posts'],
      ['New Post', 'New Posts'],
    ] as const) {
      await followLink(link)
      await untilTitle(heading)
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
      await expect.poll(ends).toEqual([248 + 76 * 16 - 32, 248 + 76 * 16 - 32])
    }
  })

  test('the signed-in header shrinks past 50 px, the shell does not shift, a new page starts at the top with its title announced, and Back restores the scroll position', async () => {
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
      ['Appointments', 'Appointments'],
      ['New Post', 'New Posts'],
    ] as const) {
      await followLink(link)
      await untilTitle(heading)
      await page
        .locator('output')
        .filter({ hasText: `${heading} · Flashsheet` })
        .waitFor({ state: 'attached' })
      await expect.poll(async () => await page.evaluate(() => scrollY)).toBe(0)
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

describe('the signed-in user in the header', () => {
  test('an artist without a name is shown as User', async () => {
    const nobody = await createArtist(app)
    await renameArtist(app, nobody, '')
    await openAs(nobody, '/help')
    const account = page.getByRole('button', { name: 'Account of User' })
    await account.getByText('U', { exact: true }).waitFor()
    await account.click()
    await expect
      .poll(async () => await page.getByRole('menuitem').allTextContents())
      .toEqual(['Edit Profile', 'Subscription', 'Logout'])
  })

  test('an admin has a badge, and a menu with a link to the user dashboard', async () => {
    await openAs(await createArtist(app, { admin: true, name: 'Sam Staff' }), '/admin')
    await page.locator('header').getByText('ADMIN', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Account of Sam Staff' }).click()
    await expect
      .poll(async () => await page.getByRole('menuitem').allTextContents())
      .toEqual(['Admin Profile', 'User Dashboard', 'Logout'])
    await page.getByRole('menuitem', { name: 'User Dashboard' }).click()
    await untilTitle('New Posts')
  })
})

describe('animations', () => {
  /** The number of transitions and animations with a duration while the drawer opens. */
  const countAnimations = async (reducedMotion: 'reduce' | 'no-preference'): Promise<number> => {
    await page.emulateMedia({ reducedMotion })
    await page.goto('/help')
    await page.getByRole('button', { name: 'Send message' }).waitFor()
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
    await page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('dialog', { name: 'Menu' }).waitFor({ state: 'detached' })
    return await page.evaluate(() => (globalThis as unknown as { seen: { count: number } }).seen.count)
  }

  test('animates the drawer, except with reduced motion', async () => {
    await page.setViewportSize(phone)
    await setSession(window, app.url, artist.cookies)
    expect(await countAnimations('no-preference')).toBeGreaterThan(0)
    expect(await countAnimations('reduce')).toBe(0)
  })
})
