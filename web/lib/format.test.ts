import { afterEach, expect, test, vi } from 'vitest'
import { formatBytes, formatDay, formatMoment, formatScheduled, formatShortDay, formatStamp } from './format.ts'
import { formatDollars } from './money.ts'

const local = new Date(2026, 10, 5, 14, 7, 9).toISOString()

test('formats dates as M/d/yyyy, h:mm a, with plain spaces', () => {
  expect(formatScheduled(local)).toBe('11/5/2026, 2:07 PM')
  expect(formatStamp(local)).toBe('11/5/2026, 2:07:09 PM')
  expect(formatDay(local)).toBe('November 5, 2026')
  expect(formatShortDay(local)).toBe('11/5/2026')
  expect(formatScheduled('2026-11-05T14:07:00Z', 'Asia/Kolkata')).toBe('11/5/2026, 7:37 PM')
})

afterEach(() => void vi.useRealTimers())

test('names the year of a moment unless it is the current year of the zone', () => {
  vi.useFakeTimers({ now: new Date('2026-12-31T23:30:00Z') })
  expect(formatMoment('2026-11-28T00:00:00Z', 'America/New_York')).toBe('Friday, Nov 27 at 7:00 PM')
  expect(formatMoment('2025-11-28T00:00:00Z', 'America/New_York')).toBe('Thursday, Nov 27, 2025 at 7:00 PM')
  expect(formatMoment('2027-01-01T12:00:00Z', 'America/New_York')).toBe('Friday, Jan 1, 2027 at 7:00 AM')
  expect(formatMoment('2027-01-01T12:00:00Z', 'Asia/Tokyo')).toBe('Friday, Jan 1 at 9:00 PM')
})

test('formats cents as dollars', () => {
  expect(formatDollars(1900)).toBe('$19')
  expect(formatDollars(123_456)).toBe('$1,234.56')
  expect(formatDollars(-250)).toBe('-$2.50')
})

test('formats bytes in the largest fitting unit', () => {
  expect(formatBytes(999)).toBe('999 B')
  expect(formatBytes(9_960)).toBe('10 KB')
  expect(formatBytes(999_999)).toBe('1.0 MB')
  expect(formatBytes(1_234_567)).toBe('1.2 MB')
  expect(formatBytes(314_572_800)).toBe('315 MB')
})
