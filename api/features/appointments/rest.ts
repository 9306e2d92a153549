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
  row({
    method: 'GET',
    path: '/api/appointments/booked',
    guard: 'public',
    key: 'any',
    input: BookedInput,
    run: bookedOn,
  }),
  row({
    method: 'GET',
    path: '/api/appointments',
    guard: 'studio',
    key: 'bookings:read',
    input: ListAppointmentsInput,
    run: listAppointments,
  }),
  row({
    method: 'POST',
    path: '/api/appointments',
    guard: 'public',
    key: 'bookings:write',
    creates: true,
    input: CreateAppointmentInput,
    status: 201,
    run: createAppointment,
  }),
  row({
    method: 'PUT',
    path: '/api/appointments/:id',
    guard: 'studio',
    key: 'bookings:write',
    input: UpdateAppointmentInput,
    run: updateAppointment,
  }),
  row({
    method: 'DELETE',
    path: '/api/appointments/:id',
    guard: 'studio',
    key: 'bookings:write',
    input: AppointmentParam,
    run: deleteAppointment,
  }),
]
