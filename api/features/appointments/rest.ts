import {
  AppointmentParam,
  BookedInput,
  CreateAppointmentInput,
  ListAppointmentsInput,
  UpdateAppointmentInput,
} from '@flashsheet/contracts/appointments/schema'
import { row, type RestRow } from '../../core/rest.ts'
import { deleteAppointment, listAppointments, updateAppointment } from './service/change.ts'
import { createAppointment } from './service/create.ts'
import { bookedOn } from './service/free-slots.ts'

export const appointmentRest: readonly RestRow[] = [
  row({ method: 'GET', path: '/api/appointments/booked', guard: 'public', input: BookedInput, run: bookedOn }),
  row({
    method: 'GET',
    path: '/api/appointments',
    guard: 'studio',
    input: ListAppointmentsInput,
    run: listAppointments,
  }),
  row({
    method: 'POST',
    path: '/api/appointments',
    guard: 'public',
    input: CreateAppointmentInput,
    status: 201,
    run: createAppointment,
  }),
  row({
    method: 'PUT',
    path: '/api/appointments/:id',
    guard: 'studio',
    input: UpdateAppointmentInput,
    run: updateAppointment,
  }),
  row({
    method: 'DELETE',
    path: '/api/appointments/:id',
    guard: 'studio',
    input: AppointmentParam,
    run: deleteAppointment,
  }),
]
