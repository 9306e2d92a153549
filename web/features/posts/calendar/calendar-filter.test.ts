import { expect, test } from 'vitest'
import type { CalendarEntry } from './calendar-entries.ts'
import { searchValidator } from '../../../lib/search.ts'
import { filterEntries, filterParams, type CalendarFilter } from './calendar-filter.ts'

const entry = (id: string, status: CalendarEntry['status'], platforms: CalendarEntry['platforms']): CalendarEntry => ({
  id,
  status,
  platforms,
  at: 0,
  day: '2026-11-21',
  title: id,
  thumbnail: null,
  isVideo: false,
  more: 0,
})
const entries = [
  entry('a', 'posted', ['facebook', 'instagram']),
  entry('b', 'failed', ['instagram']),
  entry('c', 'scheduled', ['linkedin']),
]
const shown = (filter: CalendarFilter) => filterEntries(entries, filter).map((one) => one.id)

test('filters posts by network and by status', () => {
  expect(filterEntries(entries, {})).toBe(entries)
  expect(shown({ network: 'instagram' })).toEqual(['a', 'b'])
  expect(shown({ status: 'failed' })).toEqual(['b'])
  expect(shown({ network: 'instagram', status: 'posted' })).toEqual(['a'])
  expect(shown({ network: 'tiktok' })).toEqual([])
})

test('ignores invalid filters in the URL', () => {
  expect(searchValidator(filterParams)({ network: 'myspace', status: 7 })).toEqual({})
  expect(searchValidator(filterParams)({ network: 'linkedin', status: 'failed' })).toEqual({
    network: 'linkedin',
    status: 'failed',
  })
})
