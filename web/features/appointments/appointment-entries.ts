import { statusNames } from '@flashsheet/contracts/appointments/messages'
import type { Appointment } from '@flashsheet/contracts/appointments/schema'
import type { AppointmentStatus, BookingType, TimeSlot } from '@flashsheet/contracts/appointments/limits'
import { byTime, timeOf, type Dated } from '../calendar/calendar-entry.ts'
import { entryHtml } from '../calendar/calendar-entry-html.ts'

/** An appointment as the calendar shows it, in the studio's zone. */
export type AppointmentEntry = Dated & {
  status: AppointmentStatus
  until: number
  timeSlot: TimeSlot
  bookingType: BookingType
  hours: string
  waits: boolean
}

export const appointmentNouns = { one: 'appointment', many: 'appointments', plan: 'Add an appointment' }

/** The name under which the calendar of appointments keeps its view and day. */
export const appointmentsCalendar = 'appointments'

const days = new Map<string, Intl.DateTimeFormat>()

/** `2026-11-21` of an instant, in a zone. */
export function dayIn(at: number | string, timeZone: string): string {
  let day = days.get(timeZone)
  if (!day)
    days.set(
      timeZone,
      (day = new Intl.DateTimeFormat('en-CA', { year: 'numeric', month: '2-digit', day: '2-digit', timeZone })),
    )
  return day.format(new Date(at))
}

/** Who comes: by name, else by what is known. */
export const clientOf = ({ contact }: Pick<Appointment, 'contact'>) => contact.name || contact.email || contact.phone

function entryOf(appointment: Appointment, timeZone: string): AppointmentEntry {
  const at = Date.parse(appointment.date)
  const until = Date.parse(appointment.endsAt)
  return {
    id: appointment._id,
    status: appointment.status,
    at,
    until,
    day: dayIn(at, timeZone),
    title: clientOf(appointment),
    timeSlot: appointment.timeSlot,
    bookingType: appointment.bookingType,
    hours: `${timeOf(at, timeZone)} – ${timeOf(until, timeZone)}`,
    waits: appointment.answerBy !== null,
  }
}

/** By time; those of one time in one order. */
export const entriesOf = (list: readonly Appointment[], timeZone: string): AppointmentEntry[] =>
  list.map((one) => entryOf(one, timeZone)).sort(byTime)

/** What stands inside an appointment's entry of the grid. */
export function appointmentMarkup(entry: AppointmentEntry): string {
  const time = entry.hours.split(' – ')[0] ?? ''
  return entryHtml({
    sign: entry.status,
    time,
    title: entry.title,
    spoken: [entry.hours, entry.title, entry.bookingType, statusNames[entry.status]],
    picture: null,
  })
}
