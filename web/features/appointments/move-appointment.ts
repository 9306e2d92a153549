import { slotAround, slotMinutes } from '@flashsheet/contracts/appointments/rules'
import type { TimeSlot } from '@flashsheet/contracts/appointments/limits'
import { CalendarDateTime, parseDate, toZoned } from '@internationalized/date'
import type { DropTarget } from '../calendar/calendar-drag.ts'

/** A day and a slot in the studio's time zone. */
export type DaySlot = { day: string; timeSlot: TimeSlot }

/** The slot of a dropped appointment: the one that contains the drop, or the same as before if only the day changes. */
export function droppedAt(from: DaySlot, { day, minutes }: DropTarget): DaySlot {
  if (minutes === null) return { day, timeSlot: from.timeSlot }
  return { day, timeSlot: slotAround(minutes) }
}

/** Moves by days, or by one slot in the direction of `minutes`. */
export function nudgedAt(from: DaySlot, by: { days: number; minutes: number }): DaySlot {
  const day = parseDate(from.day).add({ days: by.days }).toString()
  return { day, timeSlot: slotAround(slotMinutes(from.timeSlot) + 60 * Math.sign(by.minutes)) }
}

/** The start of a slot, in epoch milliseconds. */
export function instantAt({ day, timeSlot }: DaySlot, timeZone: string): number {
  const { year, month, day: date } = parseDate(day)
  return toZoned(new CalendarDateTime(year, month, date, slotMinutes(timeSlot) / 60), timeZone)
    .toDate()
    .getTime()
}
