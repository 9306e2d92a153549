import { hasPassed } from '@flashsheet/contracts/time'
import { type BookingType, closingHour, type TimeSlot, timeSlots } from '@flashsheet/contracts/appointments/limits'
import { slotAround, slotMinutes } from '@flashsheet/contracts/appointments/rules'
import type { Availability, DayHours } from '@flashsheet/contracts/appointments/schema'
import type { Temporal } from 'temporal-polyfill'
import { clockOf, dayNumber, minutesOf, zonedDay, zonedDayAt, type ZonedDay } from './clock.ts'

/** An artist's bookable hours, and their zone. */
export type Hours = Availability & { timeZone: string }

/** Milliseconds; `to` is exclusive. */
export type Span = { from: number; to: number }

/** A bookable time: `freeAt` is when the artist is available again. */
export type Slot = { day: string; timeSlot: TimeSlot; startsAt: number; endsAt: number; freeAt: number }

/** The fields of an appointment in a slot. */
export const timesOf = ({ timeSlot, startsAt, endsAt, freeAt }: Slot) => ({
  timeSlot,
  startsAt: new Date(startsAt),
  endsAt: new Date(endsAt),
  freeAt: new Date(freeAt),
})

/** An appointment's slot in the studio's zone, which may have changed since the appointment was made. */
export function slotOf(row: { startsAt: Date; timeSlot: TimeSlot; timeZone: string }, timeZone: string): TimeSlot {
  return row.timeZone === timeZone ? row.timeSlot : slotAround(minutesOf(row.startsAt.getTime(), timeZone))
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs

const overlaps = (a: Span, b: Span) => a.from < b.to && b.from < a.to

const zonedDayOf = (hours: Hours, day: Temporal.PlainDate): ZonedDay => zonedDay(dayNumber(day), hours.timeZone)
const hoursOn = (hours: Hours, day: ZonedDay): DayHours | null => hours.weekly[day.weekday] ?? null

/**
 * The minutes of the day that a booking takes: the length of its type, cut at closing time, 9 pm at the latest.
 */
function minutesTaken(hours: Hours, open: DayHours | null, timeSlot: TimeSlot, type: BookingType): Span {
  const from = slotMinutes(timeSlot)
  const closing = open && from < open.to ? open.to : closingHour * 60
  return { from, to: Math.min(from + hours.lengths[type], closing) }
}

/** The time of a slot, whether or not it is free or offered. Undefined if the zone skipped that hour. */
export function slotAt(hours: Hours, day: Temporal.PlainDate, timeSlot: TimeSlot, type: BookingType): Slot | undefined {
  const on = zonedDayOf(hours, day)
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
  return { day: day.name, timeSlot, startsAt, endsAt, freeAt: endsAt + hours.bufferMinutes * minuteMs }
}

/**
 * Whether the hours of a day allow a booking. A booking of one hour may not overlap a break; half and full days may
 * continue through breaks but not begin in one. No booking may overlap a blocked time.
 */
function isOpen(hours: Hours, open: DayHours, day: string, taken: Span, type: BookingType): boolean {
  if (taken.from < open.from || taken.from >= open.to) return false
  const outsideBreaks = type === '1 Hour Booking' ? taken : { from: taken.from, to: taken.from + 1 }
  if (open.breaks.some((one) => overlaps(one, outsideBreaks))) return false
  return !hours.blocks.some((block) => block.firstDay <= day && day <= block.lastDay && overlaps(block, taken))
}

/**
 * The slots of a day that a client can book. The only place that decides this, for offers and for requests. `busy` has
 * the blocked times around that day.
 */
export function offeredSlots(
  hours: Hours,
  day: Temporal.PlainDate,
  type: BookingType,
  busy: readonly Span[],
  now: number,
): Slot[] {
  return offeredOn(hours, zonedDayOf(hours, day), type, busy, now)
}

function offeredOn(hours: Hours, day: ZonedDay, type: BookingType, busy: readonly Span[], now: number): Slot[] {
  const open = hours.takesBookings ? hoursOn(hours, day) : null
  if (!open) return []
  if (hours.horizonDays !== null && day.number > zonedDayAt(now, hours.timeZone).number + hours.horizonDays) return []
  const earliest = now + hours.noticeHours * hourMs
  const clock = clockOf(day, hours.timeZone)
  return timeSlots.flatMap((timeSlot) => {
    const taken = minutesTaken(hours, open, timeSlot, type)
    if (!isOpen(hours, open, day.name, taken, type)) return []
    const slot = slotOn(hours, day, clock, taken, timeSlot)
    if (!slot || hasPassed(slot.startsAt, now) || slot.startsAt < earliest) return []
    return busy.some((one) => overlaps(one, { from: slot.startsAt, to: slot.freeAt })) ? [] : [slot]
  })
}

/** The labels that a new 1 Hour Booking could not take on a day. */
export function bookedSlots(hours: Hours, day: Temporal.PlainDate, busy: readonly Span[], now: number): TimeSlot[] {
  const free = new Set(offeredSlots(hours, day, '1 Hour Booking', busy, now).map((slot) => slot.timeSlot))
  return timeSlots.filter((slot) => !free.has(slot))
}

/** How many days ahead to search for the next free times. */
export const searchDays = 90

/** The next `count` times a client could book, at `from` or later. */
export function nextSlots(
  hours: Hours,
  type: BookingType,
  busy: readonly Span[],
  now: number,
  from: number,
  count: number,
): Slot[] {
  const slots: Slot[] = []
  const first = zonedDayAt(Math.max(from, now), hours.timeZone).number
  for (let ahead = 0; ahead < searchDays && slots.length < count; ahead++) {
    const date = zonedDay(first + ahead, hours.timeZone)
    const window = windowOfDay(date)
    const near = busy.filter((one) => overlaps(one, window))
    slots.push(...offeredOn(hours, date, type, near, now).filter((slot) => slot.startsAt >= from))
  }
  return slots.slice(0, count)
}

/** The span of all appointments that can affect these days, `last` included. */
export function windowOf(first: Temporal.PlainDate, last: Temporal.PlainDate, timeZone: string): Span {
  return { from: zonedDay(dayNumber(first), timeZone).from, to: windowOfDay(zonedDay(dayNumber(last), timeZone)).to }
}

// A buffer may reach into the next day.
const windowOfDay = (day: ZonedDay): Span => ({ from: day.from, to: day.to + 4 * hourMs })

/** The span that can affect some days in any zone, so that hours (with the zone) and bookings are read in one query. */
export function windowAnywhere(day: string, days = 1): Span {
  const midnight = Date.parse(`${day.slice(0, 10)}T00:00:00Z`)
  return { from: midnight - 40 * hourMs, to: midnight + 44 * hourMs + days * 24 * hourMs }
}

/** The number of bookable times on each day of a month. */
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

/** The blocked times near each of several consecutive days, found in one pass. */
function spansByDay(days: readonly ZonedDay[], busy: readonly Span[]): Span[][] {
  const windows = days.map(windowOfDay)
  const byDay: Span[][] = windows.map(() => [])
  const [first] = windows
  if (!first) return byDay
  const dayMs = 24 * hourMs
  for (const span of busy) {
    const firstIndex = Math.floor((span.from - first.from) / dayMs)
    const lastIndex = Math.floor((span.to - first.from) / dayMs)
    // Clock changes shift midnights, and a window is longer than its day, so the neighbouring days are checked too.
    for (let index = Math.max(0, firstIndex - 1); index <= Math.min(windows.length - 1, lastIndex + 1); index++) {
      const window = windows[index]
      if (window && overlaps(span, window)) byDay[index]?.push(span)
    }
  }
  return byDay
}
