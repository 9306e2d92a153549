import type { Appointment } from '@flashsheet/contracts/appointments/schema'
import type { SubscriberCtx } from '../../../core/context.ts'
import { listRows } from '../queries/appointments.ts'
import { appointmentView } from '../view.ts'

/** What stands and is still to come, for an artist on a plan without bookings: promised to clients, and here to be looked at. */
export async function keptAppointments(ctx: SubscriberCtx): Promise<Appointment[]> {
  const rows = await listRows(ctx.db, ctx.owner, { from: ctx.now() })
  return rows.filter(({ status }) => status === 'pending' || status === 'confirmed').map(appointmentView)
}
