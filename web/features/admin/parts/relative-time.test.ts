import { expect, test } from 'vitest'
import { daysUntil, levelOfAge, levelOfDisk, relativeTime } from './relative-time.ts'

const now = Date.parse('2026-06-30T12:00:00Z')

test.each([
  ['2026-06-30T11:59:40Z', 'just now'],
  ['2026-06-30T11:59:00Z', '1 minute ago'],
  ['2026-06-30T09:30:00Z', '2 hours ago'],
  ['2026-06-27T12:00:00Z', '3 days ago'],
  [null, '—'],
])('%s reads %s', (iso, words) => {
  expect(relativeTime(iso, now)).toBe(words)
})

test('an item that has waited too long is a warning from the limit on, and an error from ten times the limit on', () => {
  const limit = 5 * 60_000
  expect(
    [null, '2026-06-30T11:56:00Z', '2026-06-30T11:50:00Z', '2026-06-30T11:00:00Z'].map((iso) =>
      levelOfAge(iso, now, limit),
    ),
  ).toEqual(['good', 'good', 'warning', 'error'])
  expect([daysUntil('2026-07-10', now), daysUntil(null, now)]).toEqual([9.5, Infinity])
})

test('free disk space is good, a warning below twice the reserve, and an error below the reserve', () => {
  expect([21, 20, 19, 10, 9].map((freeBytes) => levelOfDisk({ freeBytes, reserveBytes: 10 }))).toEqual([
    'good',
    'good',
    'warning',
    'warning',
    'error',
  ])
})
