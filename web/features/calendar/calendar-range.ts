import {
  endOfMonth,
  endOfWeek,
  getLocalTimeZone,
  parseDate,
  startOfMonth,
  startOfWeek,
  today,
  type CalendarDate,
} from '@internationalized/date'

export const calendarViews = ['month', 'week', 'day', 'agenda'] as const
export type CalendarView = (typeof calendarViews)[number]

const agendaDays = 30
/** Entries of a day that the month shows before '+n more'. */
export const entriesPerDay = 5
/** Minutes from line to line, and that a moment is high. */
export const stepMinutes = 30

/** Weeks begin on Sunday, as dates are written the American way all over the product. */
const locale = 'en-US'

/** Whole days, `to` being the first one that no longer belongs. */
export type DayRange = { from: CalendarDate; to: CalendarDate }

/** Today in the viewer's zone, unless another is given. */
export const currentDay = (timeZone: string = getLocalTimeZone()): CalendarDate => today(timeZone)

/** The days a view shows around a day: a month with the ends of its first and last week. */
export function visibleDays(view: CalendarView, day: CalendarDate): DayRange {
  if (view === 'month')
    return { from: startOfWeek(startOfMonth(day), locale), to: endOfWeek(endOfMonth(day), locale).add({ days: 1 }) }
  if (view === 'week') return { from: startOfWeek(day, locale), to: startOfWeek(day, locale).add({ weeks: 1 }) }
  return { from: day, to: day.add({ days: view === 'day' ? 1 : agendaDays }) }
}

/** The day that Back (-1) and Next (1) lead to. */
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

/** A range as instants of a zone, for the server. A day that begins at 1:00, where clocks jump at midnight, begins there. */
export function instantsOf({ from, to }: DayRange, timeZone: string): { from: string; to: string } {
  return { from: from.toDate(timeZone).toISOString(), to: to.toDate(timeZone).toISOString() }
}

const words = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
const monthWords = words({ month: 'long', year: 'numeric' })
const dayWords = words({ weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' })
const shortDayWords = words({ weekday: 'long', month: 'long', day: 'numeric' })
const weekdayWords = words({ weekday: 'short' })
const spanWords = words({ month: 'short', day: 'numeric', year: 'numeric' })

/** "Sat". */
export const weekdayOf = (day: CalendarDate): string => weekdayWords.format(day.toDate('UTC'))

/** What the toolbar says is on screen: "November 2026", "Nov 15 – 21, 2026", "Saturday, November 21, 2026"; `short`: "Nov 21, 2026". */
export function periodTitle(view: CalendarView, day: CalendarDate, short = false): string {
  if (view === 'month') return monthWords.format(day.toDate('UTC'))
  if (view === 'day') return (short ? spanWords : dayWords).format(day.toDate('UTC'))
  const { from, to } = visibleDays(view, day)
  // U+2009 around the dash is a plain space, as in every other date of the product.
  return spanWords.formatRange(from.toDate('UTC'), to.subtract({ days: 1 }).toDate('UTC')).replaceAll('\u2009', ' ')
}

/** "Saturday, November 21"; with its year when that is another than this one's. */
export function dayTitle(day: CalendarDate, now: CalendarDate = currentDay()): string {
  return (day.year === now.year ? shortDayWords : dayWords).format(day.toDate('UTC'))
}

/** A stored day, or undefined when it is none. */
export function readDay(stored: unknown): CalendarDate | undefined {
  if (typeof stored !== 'string') return undefined
  try {
    return parseDate(stored)
  } catch {
    return undefined
  }
}
