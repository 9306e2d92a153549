import { type BookingType, closingHour, type TimeSlot, timeSlots } from '@flashsheet/contracts/appointments/limits'
import { slotMinutes } from '@flashsheet/contracts/appointments/rules'
import type { Availability, DayHours } from '@flashsheet/contracts/appointments/schema'
import type { Temporal } from 'temporal-polyfill'
import { clockOf, dayNumber, zonedDay, zonedDayAt, type ZonedDay } from './clock.ts'

/** When an artist can be booked, and in which zone that is meant. */
export type Hours = Availability & { timeZone: string }

/** Milliseconds; `to` is the first that no longer belongs. */
export type Span = { from: number; to: number }

/** A time for an appointment: `freeAt` is when the artist is free again. */
export type Slot = { day: string; timeSlot: TimeSlot; startsAt: number; endsAt: number; freeAt: number }

const minute = 60_000
const hour = 60 * minute

const overlaps = (a: Span, b: Span) => a.from < b.to && b.from < a.to

const zoned = (hours: Hours, day: Temporal.PlainDate): ZonedDay => zonedDay(dayNumber(day), hours.timeZone)
const hoursOn = (hours: Hours, day: ZonedDay): DayHours | null => hours.weekly[day.weekday] ?? null

/** The minutes of its day that a booking takes: as long as its type, cut where the day closes, at 9 pm at the latest. */
function minutesTaken(hours: Hours, open: DayHours | null, timeSlot: TimeSlot, type: BookingType): Span {
  const from = slotMinutes(timeSlot)
  const closing = open && from < open.to ? open.to : closingHour * 60
  return { from, to: Math.min(from + hours.lengths[type], closing) }
}

/** The time of a slot, whether or not it is free or offered. Undefined: the zone never had that hour. */
export function slotAt(hours: Hours, day: Temporal.PlainDate, timeSlot: TimeSlot, type: BookingType): Slot | undefined {
  const on = zoned(hours, day)
  return slotOn(
    hours,
    on,
    clockOf(on, hours.timeZone),
    minutesTaken(hours, hoursOn(hours, on), timeSlot, type),
    timeSlot,
  )
}

function slotOn(
  hours: Hours,
  day: ZonedDay,
  clock: (minutes: number) => number | undefined,
  taken: Span,
  timeSlot: TimeSlot,
): Slot | undefined {
  const startsAt = clock(taken.from)
  const endsAt = clock(taken.to)
  if (startsAt === undefined || endsAt === undefined || endsAt <= startsAt) return undefined
  return { day: day.name, timeSlot, startsAt, endsAt, freeAt: endsAt + hours.bufferMinutes * minute }
}

/**
 * Whether the hours of a day allow a booking. An hour keeps clear of every break; half and full days run through them, as
 * a day in a studio does, but do not begin in one. Nothing touches what is blocked.
 */
function isOpen(hours: Hours, open: DayHours, day: string, taken: Span, type: BookingType): boolean {
  if (taken.from < open.from || taken.from >= open.to) return false
  const kept = type === '1 Hour Booking' ? taken : { from: taken.from, to: taken.from + 1 }
  if (open.breaks.some((one) => overlaps(one, kept))) return false
  return !hours.blocks.some((block) => block.firstDay <= day && day <= block.lastDay && overlaps(block, taken))
}

/**
 * The times of a day at which a client can book: the ONE function behind everything that is offered and everything that
 * is accepted. `busy` holds what is taken around that day.
 */
export function offeredSlots(
  hours: Hours,
  day: Temporal.PlainDate,
  type: BookingType,
  busy: readonly Span[],
  now: number,
): Slot[] {
  return offeredOn(hours, zoned(hours, day), type, busy, now)
}

function offeredOn(hours: Hours, day: ZonedDay, type: BookingType, busy: readonly Span[], now: number): Slot[] {
  const open = hoursOn(hours, day)
  if (!open) return []
  if (hours.horizonDays !== null && day.number > zonedDayAt(now, hours.timeZone).number + hours.horizonDays) return []
  const earliest = now + hours.noticeHours * hour
  const clock = clockOf(day, hours.timeZone)
  return timeSlots.flatMap((timeSlot) => {
    const taken = minutesTaken(hours, open, timeSlot, type)
    if (!isOpen(hours, open, day.name, taken, type)) return []
    const slot = slotOn(hours, day, clock, taken, timeSlot)
    if (!slot || slot.startsAt <= now || slot.startsAt < earliest) return []
    return busy.some((one) => overlaps(one, { from: slot.startsAt, to: slot.freeAt })) ? [] : [slot]
  })
}

/** The labels a new 1 Hour Booking could not take on a day. */
export function bookedSlots(hours: Hours, day: Temporal.PlainDate, busy: readonly Span[], now: number): TimeSlot[] {
  const free = new Set(offeredSlots(hours, day, '1 Hour Booking', busy, now).map((slot) => slot.timeSlot))
  return timeSlots.filter((slot) => !free.has(slot))
}

/** Days ahead in which the next free times are looked for. */
export const searchDays = 90

/** The next `count` times a client could book from a day on, at `from` or later. */
export function nextSlots(
  hours: Hours,
  day: Temporal.PlainDate,
  type: BookingType,
  busy: readonly Span[],
  now: number,
  from: number,
  count: number,
): Slot[] {
  const found: Slot[] = []
  const first = Math.max(dayNumber(day), zonedDayAt(now, hours.timeZone).number)
  const sorted = busy.toSorted((a, b) => a.from - b.from)
  for (let ahead = 0; ahead < searchDays && found.length < count; ahead++) {
    const date = zonedDay(first + ahead, hours.timeZone)
    found.push(...offeredOn(hours, date, type, nearDay(sorted, date), now).filter((slot) => slot.startsAt >= from))
  }
  return found.slice(0, count)
}

/** Of a year of appointments only those near a day matter to it. */
function nearDay(sorted: readonly Span[], day: ZonedDay): readonly Span[] {
  const window = windowOfDay(day)
  return sorted.filter((one) => overlaps(one, window))
}

/** Everything that can matter to bookings on these days, last one included. */
export function windowOf(first: Temporal.PlainDate, last: Temporal.PlainDate, timeZone: string): Span {
  return { from: zonedDay(dayNumber(first), timeZone).from, to: windowOfDay(zonedDay(dayNumber(last), timeZone)).to }
}

// A buffer may reach into the next day.
const windowOfDay = (day: ZonedDay): Span => ({ from: day.from, to: day.to + 4 * hour })

/** Everything that can matter to a day, or to several, wherever the studio is: wide enough for any zone, so that nobody waits to learn which. */
export function windowAnywhere(day: string, days = 1): Span {
  const midnight = Date.parse(`${day.slice(0, 10)}T00:00:00Z`)
  return { from: midnight - 40 * hour, to: midnight + 44 * hour + days * 24 * hour }
}

/** For each day of a month, how many times a client could book. */
export function freeDays(
  hours: Hours,
  month: Temporal.PlainYearMonth,
  type: BookingType,
  busy: readonly Span[],
  now: number,
): { day: string; free: number }[] {
  const first = dayNumber(month.toPlainDate({ day: 1 }))
  const days = Array.from({ length: month.daysInMonth }, (_, index) => zonedDay(first + index, hours.timeZone))
  const byDay = spansByDay(days, busy)
  return days.map((day, index) => ({
    day: day.name,
    free: offeredOn(hours, day, type, byDay[index] ?? [], now).length,
  }))
}

/** What is taken near each of several days in a row, found in one pass. */
function spansByDay(days: readonly ZonedDay[], busy: readonly Span[]): Span[][] {
  const windows = days.map(windowOfDay)
  const found: Span[][] = windows.map(() => [])
  const [first] = windows
  if (!first) return found
  const day = 24 * hour
  for (const span of busy) {
    const guess = Math.floor((span.from - first.from) / day)
    const last = Math.floor((span.to - first.from) / day)
    // Clocks that change shift midnights, and a window is longer than its day: look at the neighbours too.
    for (let index = Math.max(0, guess - 1); index <= Math.min(windows.length - 1, last + 1); index++) {
      const window = windows[index]
      if (window && overlaps(span, window)) found[index]?.push(span)
    }
  }
  return found
}
