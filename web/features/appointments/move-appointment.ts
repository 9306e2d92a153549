import { slotMinutes } from '@flashsheet/contracts/appointments/rules'
import { type TimeSlot, timeSlots } from '@flashsheet/contracts/appointments/limits'
import { CalendarDateTime, parseDate, toZoned } from '@internationalized/date'
import type { DropPlace } from '../calendar/calendar-drag.ts'

/** A day of the studio and one of its hours. */
export type Place = { day: string; timeSlot: TimeSlot }

const slotOf = (index: number): TimeSlot =>
  timeSlots[Math.min(timeSlots.length - 1, Math.max(0, index))] ?? timeSlots[0]

/** Where an appointment stands that was dropped there: at its own hour unless another was meant, then at the one that was begun. */
export function droppedAt(from: Place, { day, minutes }: DropPlace): Place {
  if (minutes === null) return { day, timeSlot: from.timeSlot }
  return { day, timeSlot: slotAround(minutes) }
}

/** The slot in which a time of day lies, else the nearest. */
export const slotAround = (minutes: number): TimeSlot => slotOf(Math.floor((minutes - slotMinutes(timeSlots[0])) / 60))

/** A key moves by days, or by one hour up or down. */
export function nudgedAt(from: Place, by: { days: number; minutes: number }): Place {
  const day = parseDate(from.day).add({ days: by.days }).toString()
  return { day, timeSlot: slotOf(timeSlots.indexOf(from.timeSlot) + Math.sign(by.minutes)) }
}

/** The instant of a place, in the studio's zone. */
export function instantAt({ day, timeSlot }: Place, timeZone: string): number {
  const { year, month, day: date } = parseDate(day)
  return toZoned(new CalendarDateTime(year, month, date, slotMinutes(timeSlot) / 60), timeZone)
    .toDate()
    .getTime()
}
