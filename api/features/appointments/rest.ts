import { Message } from '@flashsheet/contracts/auth/schema'
import {
  Appointment,
  AppointmentParam,
  Availability,
  OwnHours,
  BookedInput,
  CreateAppointmentInput,
  ListAppointmentsInput,
  UpdateAppointmentInput,
} from '@flashsheet/contracts/appointments/schema'
import { z } from 'zod'
import { row, type RestRow } from '../../core/rest.ts'
import { deleteAppointment, pageOfAppointments, updateAppointment } from './service/change.ts'
import { createAppointment } from './service/create.ts'
import { getAvailability, saveAvailability } from './service/hours.ts'
import { bookedOn } from './service/free-slots.ts'

const nothing = z.object({})

export const appointmentRest: readonly RestRow[] = [
  row({
    method: 'GET',
    path: '/api/availability',
    guard: 'studio',
    key: 'bookings:read',
    input: nothing,
    answer: OwnHours,
    run: getAvailability,
  }),
  row({
    method: 'PUT',
    path: '/api/availability',
    guard: 'studio',
    key: 'bookings:write',
    input: Availability,
    answer: OwnHours,
    run: saveAvailability,
  }),
  row({
    method: 'GET',
    path: '/api/appointments/booked',
    guard: 'public',
    key: 'any',
    answer: z.array(z.string()),
    input: BookedInput,
    run: bookedOn,
  }),
  row({
    method: 'GET',
    path: '/api/appointments',
    guard: 'studio',
    key: 'bookings:read',
    answer: z.array(Appointment),
    input: ListAppointmentsInput,
    isPaged: true,
    run: pageOfAppointments,
  }),
  row({
    method: 'POST',
    path: '/api/appointments',
    guard: 'public',
    key: 'bookings:write',
    creates: true,
    answer: Appointment,
    input: CreateAppointmentInput,
    status: 201,
    run: createAppointment,
  }),
  row({
    method: 'PUT',
    path: '/api/appointments/:id',
    guard: 'studio',
    key: 'bookings:write',
    answer: Appointment,
    input: UpdateAppointmentInput,
    run: updateAppointment,
  }),
  row({
    method: 'DELETE',
    path: '/api/appointments/:id',
    guard: 'studio',
    key: 'bookings:write',
    answer: Message,
    input: AppointmentParam,
    run: deleteAppointment,
  }),
]
