import { Temporal } from 'temporal-polyfill'

/** Milliseconds of a wall time of a day, `minutes` after its midnight. A gap moves forward, an overlap takes the first. */
export function instantOf(day: Temporal.PlainDate, minutes: number, timeZone: string): number {
  const time = day.toPlainDateTime().add({ minutes })
  return time.toZonedDateTime(timeZone, { disambiguation: 'compatible' }).epochMilliseconds
}

/** The day an instant falls on in a zone. */
export function dayOf(at: number, timeZone: string): Temporal.PlainDate {
  return zoned(at, timeZone).toPlainDate()
}

/** Minutes since midnight that a clock of the zone shows. */
export function minutesOf(at: number, timeZone: string): number {
  const { hour, minute } = zoned(at, timeZone)
  return hour * 60 + minute
}

function zoned(at: number, timeZone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone)
}

/** A day of a zone: what is asked of it again and again. */
export type ZonedDay = {
  /** Days since 1970, so that days can be counted. */
  number: number
  /** `2026-11-21`. */
  name: string
  /** Sunday is 0. */
  weekday: number
  /** Its first moment; where clocks jump at midnight that is a later hour. */
  from: number
  /** The first moment of the next. */
  to: number
}

/** Days that were asked for before: a conversion costs a tenth of a millisecond, and a month needs dozens. */
const known = new Map<string, Map<number, ZonedDay>>()
const mostKnown = 20_000
let knownDays = 0

const dayMs = 86_400_000

/** The days since 1970 of a day, the same in every zone. */
export function dayNumber(day: Temporal.PlainDate): number {
  return Date.parse(day.toString({ calendarName: 'never' })) / dayMs
}

/** A day by its number, in a zone. */
export function zonedDay(number: number, timeZone: string): ZonedDay {
  const found = known.get(timeZone)?.get(number)
  if (found) return found
  const [name = ''] = new Date(number * dayMs).toISOString().split('T')
  const date = Temporal.PlainDate.from(name)
  const day = {
    number,
    name,
    weekday: date.dayOfWeek % 7,
    from: instantOf(date, 0, timeZone),
    to: instantOf(date, 1440, timeZone),
  }
  if (knownDays >= mostKnown) {
    known.clear()
    knownDays = 0
  }
  knownDays += 1
  known.set(timeZone, (known.get(timeZone) ?? new Map<number, ZonedDay>()).set(number, day))
  return day
}

/** The day an instant falls on in a zone, without a conversion where the days around it are known. */
export function zonedDayAt(at: number, timeZone: string): ZonedDay {
  let day = zonedDay(Math.floor(at / dayMs), timeZone)
  while (at < day.from) day = zonedDay(day.number - 1, timeZone)
  while (at >= day.to) day = zonedDay(day.number + 1, timeZone)
  return day
}

/**
 * The wall clock of one day: minutes since midnight to milliseconds; undefined where the zone never had that day.
 * Its beginning serves a day on which no clock is changed, which is nearly every one; the others are converted one by one.
 */
export function clockOf(day: ZonedDay, timeZone: string): (minutes: number) => number | undefined {
  if (day.to - day.from === dayMs) return (minutes) => day.from + minutes * 60_000
  const date = Temporal.PlainDate.from(day.name)
  return (minutes) => {
    const at = instantOf(date, minutes, timeZone)
    return minutes < 1440 && !dayOf(at, timeZone).equals(date) ? undefined : at
  }
}

/** The day of `2026-11-21`, of a date-time with an offset as the zone sees it, or of a wall time. Throws RangeError. */
export function readDay(text: string, timeZone: string): Temporal.PlainDate {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return Temporal.PlainDate.from(text)
  if (/(?:Z|[+-]\d\d:?\d\d)$/i.test(text)) return dayOf(Temporal.Instant.from(text).epochMilliseconds, timeZone)
  return Temporal.PlainDateTime.from(text).toPlainDate()
}
