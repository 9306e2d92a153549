import { expect, test } from 'vitest'
import { closedSpans, shadeOf } from './closed-hours.ts'

const hours = { from: 11 * 60, to: 19 * 60, breaks: [{ from: 14 * 60, to: 15 * 60 }] }
const rules = {
  weekly: [null, null, hours, hours, hours, hours, hours],
  blocks: [{ firstDay: '2026-11-19', lastDay: '2026-11-20', from: 1020, to: 1440, reason: 'Guest spot' }],
}

test('shades the time outside of working hours, the breaks, and the blocked hours of that day', () => {
  const ordinary = [
    { from: 0, to: 660 },
    { from: 840, to: 900 },
    { from: 1140, to: 1440 },
  ]
  expect(closedSpans('2026-11-18', rules)).toEqual(ordinary)
  expect(closedSpans('2026-11-20', rules)).toEqual([...ordinary, { from: 1020, to: 1440 }])
})

test('shades a whole day off', () => {
  expect(closedSpans('2026-11-15', rules)).toEqual([{ from: 0, to: 1440 }])
  expect(shadeOf('2026-11-15', rules)).toBe(
    'linear-gradient(transparent 0.000%, var(--shaded) 0.000% 100.000%, transparent 100.000%)',
  )
})
