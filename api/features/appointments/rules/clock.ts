import { Temporal } from 'temporal-polyfill'

/**
 * The instant, in milliseconds, of a wall time `minutes` after midnight. A time that the zone skips moves forward; of an
 * ambiguous one the earlier instant counts.
 */
export function instantOf(day: Temporal.PlainDate, minutes: number, timeZone: string): number {
  const time = day.toPlainDateTime().add({ minutes })
  return time.toZonedDateTime(timeZone, { disambiguation: 'compatible' }).epochMilliseconds
}

/** The date of an instant in a zone. */
export function dayOf(at: number, timeZone: string): Temporal.PlainDate {
  return zoned(at, timeZone).toPlainDate()
}

/** Minutes since midnight on a clock of the zone. */
export function minutesOf(at: number, timeZone: string): number {
  const { hour, minute } = zoned(at, timeZone)
  return hour * 60 + minute
}

function zoned(at: number, timeZone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone)
}

/** A day in a zone, with its computed bounds. */
export type ZonedDay = {
  /** Days since 1970-01-01. */
  number: number
  /** `2026-11-21`. */
  name: string
  /** Sunday is 0. */
  weekday: number
  /** Its first moment, in milliseconds; later than 00:00 where the zone skips midnight. */
  from: number
  /** The first moment of the next day. */
  to: number
}

/** By zone and day number. A conversion takes 0.1 ms, and a month needs dozens. */
const dayCache = new Map<string, Map<number, ZonedDay>>()
const maxCachedDays = 20_000
let cachedDays = 0

const dayMs = 86_400_000

/** Days since 1970-01-01, the same in every zone. */
export function dayNumber(day: Temporal.PlainDate): number {
  return Date.parse(day.toString({ calendarName: 'never' })) / dayMs
}

/** A day by its number, in a zone. */
export function zonedDay(number: number, timeZone: string): ZonedDay {
  const cached = dayCache.get(timeZone)?.get(number)
  if (cached) return cached
  const [name = ''] = new Date(number * dayMs).toISOString().split('T')
  const date = Temporal.PlainDate.from(name)
  const day = {
    number,
    name,
    weekday: date.dayOfWeek % 7,
    from: instantOf(date, 0, timeZone),
    to: instantOf(date, 1440, timeZone),
  }
  if (cachedDays >= maxCachedDays) {
    dayCache.clear()
    cachedDays = 0
  }
  cachedDays += 1
  dayCache.set(timeZone, (dayCache.get(timeZone) ?? new Map<number, ZonedDay>()).set(number, day))
  return day
}

/** The day of an instant in a zone, from the cache if possible. */
export function zonedDayAt(at: number, timeZone: string): ZonedDay {
  let day = zonedDay(Math.floor(at / dayMs), timeZone)
  while (at < day.from) day = zonedDay(day.number - 1, timeZone)
  while (at >= day.to) day = zonedDay(day.number + 1, timeZone)
  return day
}

/**
 * Converts minutes since midnight of a day to milliseconds; undefined where the zone skipped that time. Only days with a
 * clock change need the slow conversion.
 */
export function clockOf(day: ZonedDay, timeZone: string): (minutes: number) => number | undefined {
  if (day.to - day.from === dayMs) return (minutes) => day.from + minutes * 60_000
  const date = Temporal.PlainDate.from(day.name)
  return (minutes) => {
    const at = instantOf(date, minutes, timeZone)
    return minutes < 1440 && !dayOf(at, timeZone).equals(date) ? undefined : at
  }
}

/** The day of `2026-11-21`, of a date-time with an offset in the zone, or of a wall time. Throws RangeError. */
export function readDay(text: string, timeZone: string): Temporal.PlainDate {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return Temporal.PlainDate.from(text)
  if (/(?:Z|[+-]\d\d:?\d\d)$/i.test(text)) return dayOf(Temporal.Instant.from(text).epochMilliseconds, timeZone)
  return Temporal.PlainDateTime.from(text).toPlainDate()
}
