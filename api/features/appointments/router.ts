import { IdParam } from '@flashsheet/contracts/input'
import {
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

const studioToRead = studioProcedure('bookings:read')
const studioToWrite = studioProcedure('bookings:write')

export const appointmentsRouter = router({
  list: studioToRead.input(ListAppointmentsInput).query(({ ctx, input }) => listAppointments(ctx, input)),
  get: studioToRead.input(IdParam).query(({ ctx, input }) => getAppointment(ctx, input)),
  /** Upcoming appointments, read-only, for a plan without bookings. */
  kept: subscriberProcedure('bookings:read').query(({ ctx }) => listUpcomingReadOnly(ctx)),
  create: publicProcedure('bookings:write', { creates: true })
    .input(CreateAppointmentInput)
    .mutation(({ ctx, input }) => createAppointment(ctx, input)),
  update: studioToWrite.input(UpdateAppointmentInput).mutation(({ ctx, input }) => updateAppointment(ctx, input)),
  remove: studioToWrite.input(IdParam).mutation(({ ctx, input }) => deleteAppointment(ctx, input)),
  booked: publicProcedure('any')
    .input(BookedInput)
    .query(({ ctx, input }) => bookedOn(ctx, input)),
  availability: studioToRead.query(({ ctx }) => getAvailability(ctx)),
  saveAvailability: studioToWrite.input(Availability).mutation(({ ctx, input }) => saveAvailability(ctx, input)),
  setAside: studioToRead.query(({ ctx }) => listSuspectedSpam(ctx)),
  notSpam: studioToWrite.input(IdParam).mutation(({ ctx, input }) => notSpam(ctx, input)),
  watch: studioToRead.subscription(({ ctx, signal }) => watchAppointments(ctx, signal ?? new AbortController().signal)),
})
