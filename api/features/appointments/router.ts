import {
  AppointmentParam,
  Availability,
  BookedInput,
  CreateAppointmentInput,
  ListAppointmentsInput,
  UpdateAppointmentInput,
} from '@flashsheet/contracts/appointments/schema'
import { publicProcedure, router, studioProcedure, subscriberProcedure } from '../../core/procedures.ts'
import { deleteAppointment, getAppointment, listAppointments, updateAppointment } from './service/change.ts'
import { createAppointment } from './service/create.ts'
import { bookedOn } from './service/free-slots.ts'
import { getAvailability, saveAvailability } from './service/hours.ts'
import { listUpcomingReadOnly } from './service/read-only.ts'
import { notSpam, listSuspectedSpam } from './service/spam-requests.ts'
import { watchAppointments } from './service/watch.ts'

export const appointmentsRouter = router({
  list: studioProcedure('bookings:read')
    .input(ListAppointmentsInput)
    .query(({ ctx, input }) => listAppointments(ctx, input)),
  get: studioProcedure('bookings:read')
    .input(AppointmentParam)
    .query(({ ctx, input }) => getAppointment(ctx, input)),
  /** Upcoming appointments, read-only, for a plan without bookings. */
  kept: subscriberProcedure('bookings:read').query(({ ctx }) => listUpcomingReadOnly(ctx)),
  create: publicProcedure('bookings:write', { creates: true })
    .input(CreateAppointmentInput)
    .mutation(({ ctx, input }) => createAppointment(ctx, input)),
  update: studioProcedure('bookings:write')
    .input(UpdateAppointmentInput)
    .mutation(({ ctx, input }) => updateAppointment(ctx, input)),
  remove: studioProcedure('bookings:write')
    .input(AppointmentParam)
    .mutation(({ ctx, input }) => deleteAppointment(ctx, input)),
  booked: publicProcedure('any')
    .input(BookedInput)
    .query(({ ctx, input }) => bookedOn(ctx, input)),
  availability: studioProcedure('bookings:read').query(({ ctx }) => getAvailability(ctx)),
  saveAvailability: studioProcedure('bookings:write')
    .input(Availability)
    .mutation(({ ctx, input }) => saveAvailability(ctx, input)),
  setAside: studioProcedure('bookings:read').query(({ ctx }) => listSuspectedSpam(ctx)),
  notSpam: studioProcedure('bookings:write')
    .input(AppointmentParam)
    .mutation(({ ctx, input }) => notSpam(ctx, input)),
  watch: studioProcedure('bookings:read').subscription(({ ctx, signal }) =>
    watchAppointments(ctx, signal ?? new AbortController().signal),
  ),
})
