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
import { keptAppointments } from './service/read-only.ts'
import { notSpam, setAsideRequests } from './service/spam-requests.ts'
import { watchAppointments } from './service/watch.ts'

export const appointmentsRouter = router({
  list: studioProcedure.input(ListAppointmentsInput).query(({ ctx, input }) => listAppointments(ctx, input)),
  get: studioProcedure.input(AppointmentParam).query(({ ctx, input }) => getAppointment(ctx, input)),
  /** For the smaller plan: what stands from before. */
  kept: subscriberProcedure.query(({ ctx }) => keptAppointments(ctx)),
  create: publicProcedure.input(CreateAppointmentInput).mutation(({ ctx, input }) => createAppointment(ctx, input)),
  update: studioProcedure.input(UpdateAppointmentInput).mutation(({ ctx, input }) => updateAppointment(ctx, input)),
  remove: studioProcedure.input(AppointmentParam).mutation(({ ctx, input }) => deleteAppointment(ctx, input)),
  booked: publicProcedure.input(BookedInput).query(({ ctx, input }) => bookedOn(ctx, input)),
  availability: studioProcedure.query(({ ctx }) => getAvailability(ctx)),
  saveAvailability: studioProcedure.input(Availability).mutation(({ ctx, input }) => saveAvailability(ctx, input)),
  setAside: studioProcedure.query(({ ctx }) => setAsideRequests(ctx)),
  notSpam: studioProcedure.input(AppointmentParam).mutation(({ ctx, input }) => notSpam(ctx, input)),
  watch: studioProcedure.subscription(({ ctx, signal }) =>
    watchAppointments(ctx, signal ?? new AbortController().signal),
  ),
})
