import { IdParam } from '@flashsheet/contracts/input'
import {
  BookedInput,
  CreateAppointmentInput,
  ListAppointmentsInput,
  SaveAvailabilityInput,
  UpdateAppointmentInput,
} from '@flashsheet/contracts/appointments/schema'
import { watchTopic } from '../../core/live.ts'
import {
  call,
  callForItems,
  publicProcedure,
  router,
  studioProcedure,
  subscriberProcedure,
} from '../../core/procedures.ts'
import {
  deleteAppointment,
  getAppointment,
  pageOfAppointments,
  listUpcomingReadOnly,
  updateAppointment,
} from './service/change.ts'
import { createAppointment } from './service/create.ts'
import { listBookedSlots } from './service/free-slots.ts'
import { getAvailability, saveAvailability } from './service/hours.ts'
import { markAsNotSpam, listSuspectedSpam } from './service/spam-requests.ts'

const studioToRead = studioProcedure('bookings:read')
const studioToWrite = studioProcedure('bookings:write')

export const appointmentsRouter = router({
  list: studioToRead.input(ListAppointmentsInput).query(callForItems(pageOfAppointments)),
  get: studioToRead.input(IdParam).query(call(getAppointment)),
  /** Upcoming appointments, read-only, for a plan without bookings. */
  kept: subscriberProcedure('bookings:read').query(call(listUpcomingReadOnly)),
  create: publicProcedure('bookings:write', { creates: true })
    .input(CreateAppointmentInput)
    .mutation(call(createAppointment)),
  update: studioToWrite.input(UpdateAppointmentInput).mutation(call(updateAppointment)),
  remove: studioToWrite.input(IdParam).mutation(call(deleteAppointment)),
  booked: publicProcedure('any').input(BookedInput).query(call(listBookedSlots)),
  availability: studioToRead.query(call(getAvailability)),
  saveAvailability: studioToWrite.input(SaveAvailabilityInput).mutation(call(saveAvailability)),
  setAside: studioToRead.query(call(listSuspectedSpam)),
  notSpam: studioToWrite.input(IdParam).mutation(call(markAsNotSpam)),
  /** Changes of appointments or bookable hours. */
  watch: studioToRead.subscription(({ ctx, signal }) =>
    watchTopic(ctx, 'appointments', { appointments: 'changed' }, signal),
  ),
})
