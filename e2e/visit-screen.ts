import { afterAll, beforeAll } from 'vitest'
import { accessibilityFaults } from './accessibility.ts'
import { desktop, openWindow, phone, setSession, type Page } from './browser.ts'
import { setStage, type Person, type Stage } from './screen-stage.ts'

export type Screen = {
  name: string
  who: Person
  path: string | ((stage: Stage) => string)
  /** A text that stands there once the screen has arrived. */
  shows: string | RegExp
  /** What a person does on the way to what is looked at, a dialog for example. */
  does?: (page: Page) => Promise<unknown>
  /** The dialog or popover that stands open at the end, by its title. */
  dialog?: string | RegExp
  /** A request the server refuses: the browser's own word about it is no fault. `fails` also cuts the procedure's line. */
  refused?: true
  fails?: string
}

/** The four ways in which every screen is looked at. */
export const looks = [
  { name: 'light phone', size: phone, dark: false },
  { name: 'dark desktop', size: desktop, dark: true },
  { name: 'dark phone', size: phone, dark: true },
  { name: 'light desktop', size: desktop, dark: false },
] as const
/** With all that moves, which the others do without. */
export const moving = { name: 'moving phone', size: phone, dark: false, motion: true, touch: true } as const
export const movingDesktop = {
  name: 'moving desktop',
  size: { width: 1280, height: 800 },
  dark: false,
  motion: true,
} as const
/** What is left of a window of 640 pixels at 200 %, and the smallest phone there is. */
export const narrow = { name: 'narrow', size: { width: 320, height: 640 }, dark: false } as const
export type Look = (typeof looks)[number] | typeof narrow | typeof moving | typeof movingDesktop

/** What may move: rounding, the sub-pixels of a font that takes over, a second button at the foot of a sheet. */
const stillness = 0.02

type Shift = { value: number; what: string }

/** For a whole file: a stage and a browser, taken down at its end. Answers `visit` on them. */
export function visitor(): (
  screen: Screen,
  look: Look,
  photograph?: (page: Page) => Promise<unknown>,
) => Promise<string[]> {
  let stage: Stage
  beforeAll(async () => {
    stage = await setStage()
  })
  afterAll(async () => {
    await stage?.app.stop()
  })
  return async (screen, look, photograph) => await visit(stage, screen, look, photograph)
}

/**
 * Goes to a screen as a person would for the first time, and answers what is wrong with it: what axe finds, what the console says,
 * what scrolls sideways, what moved after it was painted, a missing title or heading, a dialog without the focus.
 */
async function visit(
  stage: Stage,
  screen: Screen,
  look: Look,
  photograph?: (page: Page) => Promise<unknown>,
): Promise<string[]> {
  const { app } = stage
  const { name: _name, ...view } = look
  const window = await openWindow({ baseUrl: app.url, ...view })
  const { page } = window
  try {
    await setSession(window, app.url, stage.people[screen.who].cookies)
    await page.addInitScript(watchShifts)
    await page.addInitScript(watchWidth)
    if (screen.fails !== undefined) {
      const cut = screen.fails
      await page.route(
        (url) => url.pathname.startsWith('/trpc/') && url.pathname.includes(cut),
        async (route) => await route.abort(),
      )
    }
    await page.goto(typeof screen.path === 'string' ? screen.path : screen.path(stage))
    await page.getByText(screen.shows).filter({ visible: true }).first().waitFor()
    await settle(page)
    await screen.does?.(page)
    await settle(page)
    const problems = [
      ...(await lookAround(page, screen, look)),
      ...(screen.dialog === undefined ? [] : await lookAtDialog(page, screen.dialog)),
    ]
    const noise = window.pageErrors.filter(
      (line) => !((screen.refused ?? screen.fails !== undefined) && /Failed to load resource/.test(line)),
    )
    await photograph?.(page)
    return [...problems, ...noise.map((line) => `console: ${line}`)]
  } finally {
    await window.close()
  }
}

/** Waits until nothing is on its way any more: no skeleton, no font, no picture in sight, no animation. */
async function settle(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('[class*="_skeleton_"]') === null)
  await page.evaluate(async () => {
    await document.fonts.ready
    const inSight = [...document.images].filter(
      (image) => image.loading !== 'lazy' || image.getBoundingClientRect().top < innerHeight,
    )
    await Promise.all(inSight.map(async (image) => await image.decode().catch(() => {})))
    await Promise.all(
      document
        .getAnimations()
        .filter((one) => Number.isFinite(one.effect?.getComputedTiming().endTime))
        .map(async (one) => await one.finished.catch(() => {})),
    )
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  })
}

async function lookAround(page: Page, screen: Screen, look: Look): Promise<string[]> {
  const problems: string[] = []
  const seen = await page.evaluate(() => ({
    title: document.title,
    headings: [...document.querySelectorAll('h1')].filter((one) => one.getClientRects().length > 0).length,
    wide: Math.max(
      (globalThis as unknown as { widest: number }).widest,
      document.documentElement.scrollWidth - document.documentElement.clientWidth,
    ),
    shifts: (globalThis as unknown as { shifts: Shift[] }).shifts,
  }))
  if (seen.title.trim() === '') problems.push('the page has no title')
  if (seen.headings !== 1) problems.push(`there are ${seen.headings} first headings`)
  if (seen.wide > 0) problems.push(`it scrolls ${seen.wide} px sideways`)
  const moved = seen.shifts.reduce((sum, shift) => sum + shift.value, 0)
  // A message in the place of what could not be loaded may move what stands below it. The narrow window is looked at for what
  // does not fit: so little of a page is in it that its foot comes and goes.
  const still = screen.fails === undefined && look !== narrow
  if (still && moved > stillness)
    problems.push(
      `it moved by ${moved.toFixed(3)} after it was painted: ${seen.shifts.map((shift) => `${shift.value.toFixed(3)} ${shift.what}`).join('; ')}`,
    )
  // Landmarks are for finding one's way through a page; with a dialog open the page is out of reach, and the dialog has its name.
  const rules = { region: { enabled: screen.dialog === undefined } }
  return [...problems, ...(await accessibilityFaults(page, 'html', { rules }))]
}

async function lookAtDialog(page: Page, name: string | RegExp): Promise<string[]> {
  const dialog = page
    .getByRole('dialog', { name })
    .or(page.getByRole('alertdialog', { name }))
    .or(page.getByRole('menu', { name }))
  await dialog.last().waitFor()
  const where = await dialog.last().evaluate(async (element) => {
    // A dialog takes the focus some frames after it is there.
    const latest = performance.now() + 5000
    while (!element.contains(document.activeElement) && performance.now() < latest)
      await new Promise((resolve) => requestAnimationFrame(resolve))
    return element.contains(document.activeElement)
      ? ''
      : (document.activeElement?.outerHTML.slice(0, 100) ?? 'nothing')
  })
  return where === '' ? [] : [`the focus is not in the dialog but on ${where}`]
}

/** Runs in the page from its beginning: how many pixels the page was wider than the window at most, in any frame. */
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

/** Runs in the page from its beginning: whatever moves without a person having pressed anything. */
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
