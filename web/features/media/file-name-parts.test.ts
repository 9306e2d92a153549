import { expect, test } from 'vitest'
import { fileNameParts } from './file-name-parts.ts'

test.each([
  ['a.jpg', '', 'a.jpg'],
  ['exactly-twenty-1.jpg', '', 'exactly-twenty-1.jpg'],
  ['studio-session-mara-2026-11-21-take-17.jpeg', 'studio-session-mara-2026-11-21-t', 'ake-17.jpeg'],
  ['a-name-that-has-no-kind-at-all', 'a-name-that-has-no-kind-', 'at-all'],
  ['a.very.long.name.with.a.long.last.part', 'a.very.long.name.with.a.lon', 'g.last.part'],
  ['🐍🐍🐍🐍🐍🐍🐍🐍🐍🐍🐍🐍🐍🐍🐍🐍🐍🐍🐍🐍.png', '🐍🐍🐍🐍🐍🐍🐍🐍🐍🐍🐍🐍🐍🐍', '🐍🐍🐍🐍🐍🐍.png'],
  [
    'Entwürfe-für-Frau-Müllers.jpg'.normalize('NFD'),
    'Entwürfe-für-Frau-M'.normalize('NFD'),
    'üllers.jpg'.normalize('NFD'),
  ],
])('%s is split into "%s" and "%s"', (name, start, end) => {
  expect(fileNameParts(name)).toEqual({ start, end })
})
