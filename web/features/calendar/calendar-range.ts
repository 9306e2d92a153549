import {
  endOfMonth,
  endOfWeek,
  parseDate,
  startOfMonth,
  startOfWeek,
  today,
  type CalendarDate,
} from '@internationalized/date'
import { viewerZone } from '../../lib/format.ts'
import { tryStorage } from '../../lib/try-storage.ts'

export const calendarViews = ['month', 'week', 'day', 'agenda'] as const
export type CalendarView = (typeof calendarViews)[number]

/** The views that show days in a grid. */
export type GridView = Exclude<CalendarView, 'agenda'>

const agendaDays = 30
/** Entries of a day that the month shows before '+n more'. */
export const entriesPerDay = 5
/** Minutes between two lines of the week and day view, and the height of an entry without a duration. */
export const stepMinutes = 30

/** American: weeks begin on Sunday. */
const locale = 'en-US'
export const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const

/** Whole days; `to` is exclusive. */
export type DayRange = { from: CalendarDate; to: CalendarDate }

/** Today, by default in the viewer's time zone. */
export const currentDay = (timeZone: string = viewerZone()): CalendarDate => today(timeZone)

/** The days of a view that contains `day`. A month includes its first and last week completely. */
export function visibleDays(view: CalendarView, day: CalendarDate): DayRange {
  if (view === 'month')
    return { from: startOfWeek(startOfMonth(day), locale), to: endOfWeek(endOfMonth(day), locale).add({ days: 1 }) }
  if (view === 'week') return { from: startOfWeek(day, locale), to: startOfWeek(day, locale).add({ weeks: 1 }) }
  return { from: day, to: day.add({ days: view === 'day' ? 1 : agendaDays }) }
}

/** The day to show after Back (-1) or Next (1). */
export function adjacentDay(view: CalendarView, day: CalendarDate, by: -1 | 1): CalendarDate {
  if (view === 'month') return day.add({ months: by })
  if (view === 'week') return day.add({ weeks: by })
  return day.add({ days: view === 'day' ? by : by * agendaDays })
}

/** The whole weeks that cover a range, in order. */
export function weeksOver({ from, to }: DayRange): DayRange[] {
  const weeks: DayRange[] = []
  for (let start = startOfWeek(from, locale); start.compare(to) < 0; start = start.add({ weeks: 1 }))
    weeks.push({ from: start, to: start.add({ weeks: 1 }) })
  return weeks
}

/** Every day of a range, in order. */
export function daysOf({ from, to }: DayRange): CalendarDate[] {
  const days: CalendarDate[] = []
  for (let day = from; day.compare(to) < 0; day = day.add({ days: 1 })) days.push(day)
  return days
}

/** A range as instants of a time zone. Where clocks jump at midnight, a day begins at 1:00. */
export function instantsOf({ from, to }: DayRange, timeZone: string): { from: string; to: string } {
  return { from: from.toDate(timeZone).toISOString(), to: to.toDate(timeZone).toISOString() }
}

const formatter = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
const monthFormat = formatter({ month: 'long', year: 'numeric' })
const dayFormat = formatter({ weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' })
const shortDayFormat = formatter({ weekday: 'long', month: 'long', day: 'numeric' })
const weekdayFormat = formatter({ weekday: 'short' })
const spanFormat = formatter({ month: 'short', day: 'numeric', year: 'numeric' })

/** "Sat". */
export const weekdayOf = (day: CalendarDate): string => weekdayFormat.format(day.toDate('UTC'))

/** The toolbar's title: "November 2026", "Nov 15 – 21, 2026", "Saturday, November 21, 2026"; `short`: "Nov 21, 2026". */
export function periodTitle(view: CalendarView, day: CalendarDate, short = false): string {
  if (view === 'month') return monthFormat.format(day.toDate('UTC'))
  if (view === 'day') return (short ? spanFormat : dayFormat).format(day.toDate('UTC'))
  const { from, to } = visibleDays(view, day)
  // Intl puts U+2009 around the dash.
  return spanFormat.formatRange(from.toDate('UTC'), to.subtract({ days: 1 }).toDate('UTC')).replaceAll('\u2009', ' ')
}

/** "Saturday, November 21", with the year unless it is the current one. */
export function dayTitle(day: CalendarDate, now: CalendarDate = currentDay()): string {
  return (day.year === now.year ? shortDayFormat : dayFormat).format(day.toDate('UTC'))
}

/** Parses a stored day; undefined if it is invalid. */
export function readDay(stored: unknown): CalendarDate | undefined {
  return typeof stored === 'string' ? tryStorage(() => parseDate(stored)) : undefined
}
