import { accessibilityFaults } from './accessibility.ts'
import { desktop, phone, type Page } from './browser.ts'

const appearances = [
  { name: 'a narrow phone', size: { width: 320, height: 700 }, colorScheme: 'light' },
  { name: 'a phone in the dark', size: phone, colorScheme: 'dark' },
  { name: 'a desktop', size: desktop, colorScheme: 'light' },
] as const

/**
 * The faults of a page, or of the part that `within` matches, on a narrow phone, on a phone in the dark and on a desktop: sideways
 * scrolling and accessibility faults. The page is not reloaded in between.
 */
export async function faultsInEachAppearance(page: Page, within?: string): Promise<string[]> {
  const faults: string[] = []
  for (const { name, size, colorScheme } of appearances) {
    await page.setViewportSize(size)
    await page.emulateMedia({ colorScheme })
    // Waits until the page is rendered for the new size and its animations have ended.
    await page.evaluate(async () => {
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
      await Promise.all(
        document
          .getAnimations()
          .filter((one) => Number.isFinite(one.effect?.getComputedTiming().endTime))
          .map(async (one) => await one.finished.catch(() => {})),
      )
    })
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    if (overflow > 0) faults.push(`on ${name}: it scrolls ${overflow} px sideways`)
    for (const fault of await accessibilityFaults(page, within)) faults.push(`on ${name}: ${fault}`)
  }
  return faults
}
