import { appointmentLimits } from '@flashsheet/contracts/appointments/limits'
import type { Appointment } from '@flashsheet/contracts/appointments/schema'
import type { SubscriberCtx } from '../../../core/context.ts'
import { listRows } from '../queries/appointments.ts'
import { blocksTime } from '../rules/changes.ts'
import { appointmentView } from '../view.ts'

/** Upcoming appointments for an artist whose plan no longer has bookings, since clients still expect them. */
export async function listUpcomingReadOnly(ctx: SubscriberCtx): Promise<Appointment[]> {
  const rows = await listRows(ctx.db, ctx.owner, {
    from: ctx.now(),
    limit: appointmentLimits.listMax,
    after: undefined,
  })
  return rows.filter(({ status }) => blocksTime(status)).map(appointmentView)
}
