import { platforms } from '@flashsheet/contracts/networks'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { evidenceTables } from './evidence-tables.ts'

test.each(platforms)(
  'docs/networks/%s.md equals what its adapter declares (if not: pnpm docs:generate)',
  (platform) => {
    const page = readFileSync(new URL(`../docs/networks/${platform}.md`, import.meta.url), 'utf8')
    expect(page).toContain(`: evidence -->\n\n${evidenceTables(platform)}\n\n<!-- /evidence -->`)
  },
)
