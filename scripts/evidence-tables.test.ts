import { platforms } from '@flashsheet/contracts/networks'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { pathOf, tablesOf, withTables } from './evidence-tables.ts'

test.each(platforms)(
  'docs/networks/%s.md equals what its adapter declares (if not: node scripts/evidence-tables.ts)',
  (platform) => {
    const page = readFileSync(pathOf(platform), 'utf8')
    expect(page).toBe(withTables(page, platform))
    expect(page).toContain(tablesOf(platform))
  },
)

test('adds tables at the end of a page without any, and replaces outdated ones', () => {
  const page = withTables('# TikTok\n\nFacts.\n', 'tiktok')
  expect(page).toMatch(/^# TikTok\n\nFacts\.\n\n## Evidence/)
  const stale = page.replace('5 min, and two', '4 min, and two')
  expect(stale).not.toBe(page)
  expect(withTables(stale, 'tiktok')).toBe(page)
})
