import { statusNames } from '@flashsheet/contracts/appointments/messages'
import type { Appointment } from '@flashsheet/contracts/appointments/schema'
import type { AppointmentStatus, BookingType, TimeSlot } from '@flashsheet/contracts/appointments/limits'
import { parseAbsolute, toCalendarDate } from '@internationalized/date'
import { byTime, timeOf, type BaseEntry } from '../calendar/calendar-entry.ts'
import { entryHtml } from '../calendar/calendar-entry-html.ts'

/** An appointment in the calendar. Its day and hours are in the studio's time zone. */
export type AppointmentEntry = BaseEntry & {
  status: AppointmentStatus
  until: number
  timeSlot: TimeSlot
  bookingType: BookingType
  hours: string
  isAwaitingAnswer: boolean
}

/** What the artist can edit, with day and hour in the studio's time zone. */
export type AppointmentEdit = { status: AppointmentStatus; date: string; timeSlot: TimeSlot; notes: string }

export const appointmentNouns = { one: 'appointment', many: 'appointments', plan: 'Add an appointment' }

/** The storage key of this calendar's view and day. */
export const appointmentsCalendar = 'appointments'

/** The day of an instant in a time zone, as `2026-11-21`. */
export const dayIn = (iso: string, timeZone: string): string => toCalendarDate(parseAbsolute(iso, timeZone)).toString()

export const editOf = (one: Appointment, timeZone: string): AppointmentEdit => ({
  status: one.status,
  date: dayIn(one.date, timeZone),
  timeSlot: one.timeSlot,
  notes: one.notes,
})

export const clientOf = ({ contact }: Pick<Appointment, 'contact'>) => contact.name || contact.email || contact.phone

function entryOf(appointment: Appointment, timeZone: string): AppointmentEntry {
  const at = Date.parse(appointment.date)
  const until = Date.parse(appointment.endsAt)
  return {
    id: appointment._id,
    status: appointment.status,
    at,
    until,
    day: dayIn(appointment.date, timeZone),
    title: clientOf(appointment),
    timeSlot: appointment.timeSlot,
    bookingType: appointment.bookingType,
    hours: `${timeOf(at, timeZone)} – ${timeOf(until, timeZone)}`,
    isAwaitingAnswer: appointment.answerBy !== null,
  }
}

export const entriesOf = (list: readonly Appointment[], timeZone: string): AppointmentEntry[] =>
  list.map((one) => entryOf(one, timeZone)).sort(byTime)

/** The HTML inside a grid entry. */
export function appointmentMarkup(entry: AppointmentEntry): string {
  const time = entry.hours.split(' – ')[0] ?? ''
  return entryHtml({
    sign: entry.status,
    time,
    title: entry.title,
    accessibleParts: [entry.hours, entry.title, entry.bookingType, statusNames[entry.status]],
    picture: null,
  })
}
