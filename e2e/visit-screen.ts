import { afterAll, beforeAll } from 'vitest'
import { accessibilityFaults } from './accessibility.ts'
import { desktop, openWindow, phone, setSession, type Page } from './browser.ts'
import { type Person, type ScreenFixture } from './screen-fixture.ts'

export type Screen = {
  name: string
  who: Person
  path: string | ((fixture: ScreenFixture) => string)
  /** A text that is visible once the screen has loaded. */
  shows: string | RegExp
  /** Actions that lead to the tested state, such as opening a dialog. */
  does?: (page: Page) => Promise<unknown>
  /** The title of the dialog or popover that is open at the end. */
  dialog?: string | RegExp
  /** Allows the browser's messages about failed requests. `fails` aborts the calls of this procedure, and allows the messages too. */
  refused?: true
  fails?: string
}

/** The four appearances in which every screen is tested. */
export const appearances = [
  { name: 'light phone', size: phone, dark: false },
  { name: 'dark desktop', size: desktop, dark: true },
  { name: 'dark phone', size: phone, dark: true },
  { name: 'light desktop', size: desktop, dark: false },
] as const
/** With animations, which are reduced in the others. */
export const moving = { name: 'moving phone', size: phone, dark: false, motion: true, touch: true } as const
export const movingDesktop = {
  name: 'moving desktop',
  size: { width: 1280, height: 800 },
  dark: false,
  motion: true,
} as const
/** The smallest phone, or a window of 640 pixels at a zoom of 200 %. */
export const narrow = { name: 'narrow', size: { width: 320, height: 640 }, dark: false } as const
/** With a font twice as large as usual, as set in the browser's settings. */
export const largeFont = { name: 'large font on a phone', size: phone, dark: false, fontSize: 32 } as const
export const largeFontDesktop = {
  name: 'large font on a desktop',
  size: { width: 1280, height: 800 },
  dark: false,
  fontSize: 32,
} as const
export type Appearance =
  | (typeof appearances)[number]
  | typeof narrow
  | typeof moving
  | typeof movingDesktop
  | typeof largeFont
  | typeof largeFontDesktop

/** The tolerated layout shift: rounding, sub-pixels of a loaded font, a second button at the bottom of a sheet. */
const maxShift = 0.02

type Shift = { value: number; what: string }

/** Starts the app for the file, by `createFixture`. The returned function visits a screen and returns its faults. */
export function visitor(
  createFixture: () => Promise<ScreenFixture>,
): (screen: Screen, appearance: Appearance, takeScreenshot?: (page: Page) => Promise<unknown>) => Promise<string[]> {
  let fixture: ScreenFixture
  beforeAll(async () => {
    fixture = await createFixture()
  })
  afterAll(async () => {
    await fixture?.app.stop()
  })
  return async (screen, appearance, takeScreenshot) => await visit(fixture, screen, appearance, takeScreenshot)
}

/**
 * Opens a screen in a new window and returns its faults: accessibility faults, console errors, sideways scrolling, layout shifts, a
 * missing title or heading, a dialog without the focus.
 */
async function visit(
  fixture: ScreenFixture,
  screen: Screen,
  appearance: Appearance,
  takeScreenshot?: (page: Page) => Promise<unknown>,
): Promise<string[]> {
  const { app } = fixture
  const { name: _name, ...view } = appearance
  const window = await openWindow({ baseUrl: app.url, ...view })
  const { page } = window
  try {
    if ('fontSize' in appearance) {
      const session = await window.context.newCDPSession(page)
      await session.send('Page.setFontSizes', { fontSizes: { standard: appearance.fontSize } })
    }
    const person = fixture.people[screen.who]
    if (!person) throw new Error(`The sample has no ${screen.who}: add them to createSampleFixture.`)
    await setSession(window, app.url, person.cookies)
    await page.addInitScript(watchShifts)
    await page.addInitScript(watchWidth)
    if (screen.fails !== undefined) {
      const cut = screen.fails
      await page.route(
        (url) => url.pathname.startsWith('/trpc/') && url.pathname.includes(cut),
        async (route) => await route.abort(),
      )
    }
    await page.goto(typeof screen.path === 'string' ? screen.path : screen.path(fixture))
    await page.getByText(screen.shows).filter({ visible: true }).first().waitFor()
    await settle(page)
    await screen.does?.(page)
    await settle(page)
    const problems = [
      ...(await pageFaults(page, screen, appearance)),
      ...(screen.dialog === undefined ? [] : await dialogFaults(page, screen.dialog)),
    ]
    const consoleFaults = window.pageErrors.filter(
      (line) => !((screen.refused ?? screen.fails !== undefined) && /Failed to load resource/.test(line)),
    )
    await takeScreenshot?.(page)
    return [...problems, ...consoleFaults.map((line) => `console: ${line}`)]
  } finally {
    await window.close()
  }
}

/** Waits until no skeleton, font, visible picture or animation is pending. */
async function settle(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('[class*="_skeleton_"]') === null)
  await page.evaluate(async () => {
    await document.fonts.ready
    const visibleImages = [...document.images].filter(
      (image) => image.loading !== 'lazy' || image.getBoundingClientRect().top < innerHeight,
    )
    await Promise.all(visibleImages.map(async (image) => await image.decode().catch(() => {})))
    // A dialog that has just opened begins its transition in a later frame.
    const nextFrames = async () =>
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    const running = () =>
      document
        .getAnimations()
        .filter((one) => one.playState !== 'finished' && Number.isFinite(one.effect?.getComputedTiming().endTime))
    do {
      await Promise.all(running().map(async (one) => await one.finished.catch(() => {})))
      await nextFrames()
    } while (running().length > 0)
  })
}

async function pageFaults(page: Page, screen: Screen, appearance: Appearance): Promise<string[]> {
  const problems: string[] = []
  const seen = await page.evaluate(() => ({
    title: document.title,
    headings: [...document.querySelectorAll('h1')].filter((one) => one.getClientRects().length > 0).length,
    overflow: Math.max(
      (globalThis as unknown as { widest: number }).widest,
      document.documentElement.scrollWidth - document.documentElement.clientWidth,
    ),
    shifts: (globalThis as unknown as { shifts: Shift[] }).shifts,
  }))
  if (seen.title.trim() === '') problems.push('the page has no title')
  if (seen.headings !== 1) problems.push(`there are ${seen.headings} first headings`)
  if (seen.overflow > 0) problems.push(`it scrolls ${seen.overflow} px sideways`)
  const shift = seen.shifts.reduce((sum, shift) => sum + shift.value, 0)
  // An error message in place of content that failed to load may shift what is below it. In the narrow window and with a large font
  // only the width is checked: so little of a page is visible that the footer moves in and out of it.
  const still = screen.fails === undefined && appearance !== narrow && !('fontSize' in appearance)
  if (still && shift > maxShift)
    problems.push(
      `it shifted by ${shift.toFixed(3)} after it was painted: ${seen.shifts.map((shift) => `${shift.value.toFixed(3)} ${shift.what}`).join('; ')}`,
    )
  // With an open dialog the rest of the page cannot be reached, so content outside of landmarks is no fault.
  const rules = { region: { enabled: screen.dialog === undefined } }
  return [...problems, ...(await accessibilityFaults(page, 'html', { rules }))]
}

async function dialogFaults(page: Page, name: string | RegExp): Promise<string[]> {
  const dialog = page
    .getByRole('dialog', { name })
    .or(page.getByRole('alertdialog', { name }))
    .or(page.getByRole('menu', { name }))
  await dialog.last().waitFor()
  const where = await dialog.last().evaluate(async (element) => {
    // A dialog takes the focus some frames after it is rendered.
    const latest = performance.now() + 5000
    while (!element.contains(document.activeElement) && performance.now() < latest)
      await new Promise((resolve) => requestAnimationFrame(resolve))
    return element.contains(document.activeElement)
      ? ''
      : (document.activeElement?.outerHTML.slice(0, 100) ?? 'nothing')
  })
  return where === '' ? [] : [`the focus is not in the dialog but on ${where}`]
}

/** Runs in the page from its start: records by how many pixels the page was wider than the window, at most, in any frame. */
function watchWidth(): void {
  const seen = globalThis as unknown as { widest: number }
  seen.widest = 0
  const measure = () => {
    const { scrollWidth, clientWidth } = document.documentElement
    seen.widest = Math.max(seen.widest, scrollWidth - clientWidth)
    requestAnimationFrame(measure)
  }
  requestAnimationFrame(measure)
}

/** Runs in the page from its start: records layout shifts that were not caused by input. */
function watchShifts(): void {
  const shifts: { value: number; what: string }[] = []
  ;(globalThis as unknown as { shifts: typeof shifts }).shifts = shifts
  type Entry = PerformanceEntry & {
    value: number
    hadRecentInput: boolean
    sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[]
  }
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as Entry[]) {
      if (entry.hadRecentInput) continue
      const what = entry.sources.map(({ node, previousRect: from, currentRect: to }) => {
        const element = node instanceof Element ? node : node?.parentElement
        return `${element?.tagName.toLowerCase() ?? '?'}.${element?.className.toString().split(' ')[0] ?? ''} ${from.x},${from.y},${from.width}x${from.height} → ${to.x},${to.y},${to.width}x${to.height}`
      })
      shifts.push({ value: entry.value, what: what.slice(0, 3).join(', ') })
    }
  }).observe({ type: 'layout-shift', buffered: true })
}
