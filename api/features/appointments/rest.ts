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
import { row, rowFor, type RestRow } from '../../core/rest.ts'
import { deleteAppointment, pageOfAppointments, updateAppointment } from './service/change.ts'
import { createAppointment } from './service/create.ts'
import { getAvailability, saveAvailability } from './service/hours.ts'
import { listBookedSlots } from './service/free-slots.ts'

const studioToRead = rowFor('studio', 'bookings:read')
const studioToWrite = rowFor('studio', 'bookings:write')

export const appointmentRest: readonly RestRow[] = [
  studioToRead('GET /api/availability', { answer: OwnHours, run: getAvailability }),
  studioToWrite('PUT /api/availability', { input: SaveAvailabilityInput, answer: OwnHours, run: saveAvailability }),
  row('GET /api/appointments/booked', 'public', 'any', {
    input: BookedInput,
    answer: z.array(z.string()),
    run: listBookedSlots,
  }),
  studioToRead('GET /api/appointments', {
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
  studioToWrite('PUT /api/appointments/:id', {
    input: UpdateAppointmentInput,
    answer: Appointment,
    run: updateAppointment,
  }),
  studioToWrite('DELETE /api/appointments/:id', { input: IdParam, answer: Message, run: deleteAppointment }),
]
