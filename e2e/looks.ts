import { accessibilityFaults } from './accessibility.ts'
import { desktop, phone, type Page } from './browser.ts'

const looks = [
  { name: 'a narrow phone', size: { width: 320, height: 700 }, colorScheme: 'light' },
  { name: 'a phone in the dark', size: phone, colorScheme: 'dark' },
  { name: 'a desktop', size: desktop, colorScheme: 'light' },
] as const

/**
 * What is wrong with a page, or a part of it, on a narrow phone, on a phone in the dark and on a desktop: it scrolls sideways, or
 * axe finds something. The page is loaded once for all three.
 */
export async function faultsInEachLook(page: Page, within?: string): Promise<string[]> {
  const faults: string[] = []
  for (const { name, size, colorScheme } of looks) {
    await page.setViewportSize(size)
    await page.emulateMedia({ colorScheme })
    // What depends on the width is rendered anew by then, and what moves to its new place has come there.
    await page.evaluate(async () => {
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
      await Promise.all(
        document
          .getAnimations()
          .filter((one) => Number.isFinite(one.effect?.getComputedTiming().endTime))
          .map(async (one) => await one.finished.catch(() => {})),
      )
    })
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    if (wide > 0) faults.push(`on ${name}: it scrolls ${wide} px sideways`)
    for (const fault of await accessibilityFaults(page, within)) faults.push(`on ${name}: ${fault}`)
  }
  return faults
}
