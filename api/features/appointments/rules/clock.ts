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

/** Beginnings of days that were asked for before: a conversion costs a tenth of a millisecond, and a month needs dozens. */
const beginnings = new Map<string, number>()
const mostBeginnings = 20_000

/** The first moment of a day in a zone; where clocks jump at midnight it is a later hour. */
export function beginningOf(day: Temporal.PlainDate, timeZone: string): number {
  const key = `${day.toString()} ${timeZone}`
  let at = beginnings.get(key)
  if (at === undefined) {
    at = instantOf(day, 0, timeZone)
    if (beginnings.size >= mostBeginnings) beginnings.clear()
    beginnings.set(key, at)
  }
  return at
}

/**
 * The wall clock of one day: minutes since midnight to milliseconds; undefined where the zone never had that day.
 * Two conversions serve a day on which no clock is changed, which is nearly every one; the others are converted one by one.
 */
export function clockOfDay(day: Temporal.PlainDate, timeZone: string): (minutes: number) => number | undefined {
  const midnight = beginningOf(day, timeZone)
  const whole = beginningOf(day.add({ days: 1 }), timeZone) - midnight
  if (whole === 1440 * 60_000) return (minutes) => midnight + minutes * 60_000
  return (minutes) => {
    const at = instantOf(day, minutes, timeZone)
    return minutes < 1440 && !dayOf(at, timeZone).equals(day) ? undefined : at
  }
}

/** The day of `2026-11-21`, of a date-time with an offset as the zone sees it, or of a wall time. Throws RangeError. */
export function readDay(text: string, timeZone: string): Temporal.PlainDate {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return Temporal.PlainDate.from(text)
  if (/(?:Z|[+-]\d\d:?\d\d)$/i.test(text)) return dayOf(Temporal.Instant.from(text).epochMilliseconds, timeZone)
  return Temporal.PlainDateTime.from(text).toPlainDate()
}
