import { expect, test } from 'vitest'
import { formatClock, slotMinutes } from './rules.ts'

test.each([
  [0, '12:00am'],
  [9 * 60, '9:00am'],
  [12 * 60, '12:00pm'],
  [13 * 60 + 30, '1:30pm'],
  [24 * 60, '12:00am'],
])('%i minutes after midnight is %s', (minutes, clock) => {
  expect(formatClock(minutes)).toBe(clock)
})

test('a slot begins at its hour', () => {
  expect(slotMinutes('9:00am-10:00am')).toBe(9 * 60)
  expect(slotMinutes('12:00pm-1:00pm')).toBe(12 * 60)
})
