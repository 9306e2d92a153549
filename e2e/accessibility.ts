import type axe from 'axe-core'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from './browser.ts'

/** The minified build, because every tested page has to parse it. */
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The axe rules that a page violates, or the part of it that the selector `within` matches, each with its elements and reason. */
export async function accessibilityFaults(
  page: Page,
  within = 'html',
  options: axe.RunOptions = {},
): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source)
  const { violations } = await page.evaluate(
    async ([selector, axeOptions]) =>
      await (globalThis as unknown as { axe: typeof axe }).axe.run(selector, {
        resultTypes: ['violations'],
        ...axeOptions,
      }),
    [within, options] as const,
  )
  return violations.map(
    ({ id, nodes }) =>
      `axe ${id}: ${nodes
        .slice(0, 3)
        .map((node) => `${node.html.slice(0, 140)} (${node.any[0]?.message ?? node.failureSummary ?? ''})`)
        .join(' | ')}`,
  )
}
