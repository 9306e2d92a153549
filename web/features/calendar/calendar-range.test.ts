import { parseDate } from '@internationalized/date'
import { describe, expect, test } from 'vitest'
import {
  daysOf,
  dayTitle,
  instantsOf,
  periodTitle,
  readDay,
  adjacentDay,
  visibleDays,
  weeksOver,
  type CalendarView,
} from './calendar-range.ts'

const day = parseDate('2026-11-21')
const shown = (view: CalendarView, date = day) => {
  const { from, to } = visibleDays(view, date)
  return [from.toString(), to.toString()]
}

describe('the days of a view', () => {
  test('a month includes its first and last week completely, Sunday to Saturday', () => {
    expect(shown('month')).toEqual(['2026-11-01', '2026-12-06'])
    expect(shown('month', parseDate('2026-05-31'))).toEqual(['2026-04-26', '2026-06-07'])
    expect(shown('month', parseDate('2026-02-14'))).toEqual(['2026-02-01', '2026-03-01'])
  })

  test('are a week, a day, or thirty days in the other views', () => {
    expect(shown('week')).toEqual(['2026-11-15', '2026-11-22'])
    expect(shown('day')).toEqual(['2026-11-21', '2026-11-22'])
    expect(shown('agenda')).toEqual(['2026-11-21', '2026-12-21'])
    expect(daysOf(visibleDays('agenda', day))).toHaveLength(30)
  })

  test('are requested in whole weeks, so that views share loaded data', () => {
    expect(weeksOver(visibleDays('month', day))).toHaveLength(5)
    const weeks = weeksOver(visibleDays('agenda', day))
    expect(weeks[0]?.from.toString()).toBe('2026-11-15')
    expect(weeks.at(-1)?.to.toString()).toBe('2026-12-27')
    for (const [index, week] of weeks.entries())
      if (index > 0) expect(week.from.toString()).toBe(weeks[index - 1]?.to.toString())
  })
})

test('back and next move by the range of the view', () => {
  expect(adjacentDay('month', parseDate('2026-01-31'), 1).toString()).toBe('2026-02-28')
  expect(adjacentDay('week', day, -1).toString()).toBe('2026-11-14')
  expect(adjacentDay('day', day, 1).toString()).toBe('2026-11-22')
  expect(adjacentDay('agenda', day, 1).toString()).toBe('2026-12-21')
})

test('converts days to instants of the time zone across daylight saving changes', () => {
  const week = { from: parseDate('2026-10-25'), to: parseDate('2026-11-08') }
  expect(instantsOf(week, 'Europe/Berlin')).toEqual({
    from: '2026-10-24T22:00:00.000Z',
    to: '2026-11-07T23:00:00.000Z',
  })
  expect(instantsOf(week, 'America/New_York')).toEqual({
    from: '2026-10-25T04:00:00.000Z',
    to: '2026-11-08T05:00:00.000Z',
  })
  // On this day Cairo had no midnight: clocks jumped to 1:00.
  expect(instantsOf({ from: parseDate('2026-04-24'), to: parseDate('2026-04-25') }, 'Africa/Cairo').from).toBe(
    '2026-04-23T22:00:00.000Z',
  )
})

test('formats ranges and days in American English', () => {
  expect(periodTitle('month', day)).toBe('November 2026')
  expect(periodTitle('week', day)).toBe('Nov 15 – 21, 2026')
  expect(periodTitle('week', parseDate('2026-12-30'))).toBe('Dec 27, 2026 – Jan 2, 2027')
  expect(periodTitle('day', day)).toBe('Saturday, November 21, 2026')
  expect(periodTitle('day', day, true)).toBe('Nov 21, 2026')
  expect(periodTitle('agenda', day)).toBe('Nov 21 – Dec 20, 2026')
  expect(dayTitle(day, day)).toBe('Saturday, November 21')
  expect(dayTitle(parseDate('2027-01-01'), day)).toBe('Friday, January 1, 2027')
})

test.each([null, '', 'yesterday', '2026-13-01', 7])('%s is not read as a stored day', (stored) => {
  expect(readDay(stored)).toBeUndefined()
})
