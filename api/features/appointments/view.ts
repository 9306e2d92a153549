import type { Appointment, FreeTime } from '@flashsheet/contracts/appointments/schema'
import type { TimeSlot } from '@flashsheet/contracts/appointments/limits'
import type { AppointmentRow } from './queries/appointments.ts'
import { slotOf } from './rules/slots.ts'

/** As of the studio's current zone. */
export function appointmentView(row: AppointmentRow, timeZone: string): Appointment {
  return {
    _id: row.id,
    domainName: row.domainName,
    bookingType: row.bookingType,
    timeSlot: slotOf(row, timeZone),
    date: row.startsAt.toISOString(),
    endsAt: row.endsAt.toISOString(),
    status: row.status,
    notes: row.notes,
    contact: { name: row.clientName, email: row.email, phone: row.phone },
    answerBy: row.answerBy?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  }
}

/** A free time in a conflict answer. */
export function freeTimeView(slot: { startsAt: number; timeSlot: TimeSlot }): FreeTime {
  return { date: new Date(slot.startsAt).toISOString(), timeSlot: slot.timeSlot }
}
