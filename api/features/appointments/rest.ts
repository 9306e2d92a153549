import { Message } from '@flashsheet/contracts/auth/schema'
import { IdParam } from '@flashsheet/contracts/input'
import {
  Appointment,
  OwnHours,
  BookedInput,
  CreateAppointmentInput,
  ListAppointmentsInput,
  SaveAvailabilityInput,
  UpdateAppointmentInput,
} from '@flashsheet/contracts/appointments/schema'
import { z } from 'zod'
import { row, type RestRow } from '../../core/rest.ts'
import { deleteAppointment, pageOfAppointments, updateAppointment } from './service/change.ts'
import { createAppointment } from './service/create.ts'
import { getAvailability, saveAvailability } from './service/hours.ts'
import { listBookedSlots } from './service/free-slots.ts'

export const appointmentRest: readonly RestRow[] = [
  row('GET /api/availability', 'studio', 'bookings:read', { answer: OwnHours, run: getAvailability }),
  row('PUT /api/availability', 'studio', 'bookings:write', {
    input: SaveAvailabilityInput,
    answer: OwnHours,
    run: saveAvailability,
  }),
  row('GET /api/appointments/booked', 'public', 'any', {
    input: BookedInput,
    answer: z.array(z.string()),
    run: listBookedSlots,
  }),
  row('GET /api/appointments', 'studio', 'bookings:read', {
    input: ListAppointmentsInput,
    answer: z.array(Appointment),
    isPaged: true,
    run: pageOfAppointments,
  }),
  row('POST /api/appointments', 'public', 'bookings:write', {
    input: CreateAppointmentInput,
    answer: Appointment,
    status: 201,
    creates: true,
    run: createAppointment,
  }),
  row('PUT /api/appointments/:id', 'studio', 'bookings:write', {
    input: UpdateAppointmentInput,
    answer: Appointment,
    run: updateAppointment,
  }),
  row('DELETE /api/appointments/:id', 'studio', 'bookings:write', {
    input: IdParam,
    answer: Message,
    run: deleteAppointment,
  }),
]
