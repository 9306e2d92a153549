import { expect, test } from 'vitest'
import { windowAt } from './figures.ts'

test.each([
  ['2026-06-30T00:00:00.000Z', '2026-06-01', '2026-06-30'],
  ['2026-03-01T23:59:59.999Z', '2026-01-31', '2026-03-01'],
])('at %s the window is the thirty UTC days from %s to %s', (now, from, today) => {
  expect(windowAt(new Date(now))).toEqual({ from, fromInstant: new Date(from), today })
})
