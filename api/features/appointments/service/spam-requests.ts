import { retryOnDeadlock } from '@flashsheet/db/retry-on-deadlock'
import { hasPassed } from '@flashsheet/contracts/time'
import { appointmentMessages } from '@flashsheet/contracts/appointments/messages'
import type { IdParam } from '@flashsheet/contracts/input'
import type { Appointment } from '@flashsheet/contracts/appointments/schema'
import { violatesExclusion } from '@flashsheet/db/client'
import type { StudioCtx } from '../../../core/context.ts'
import { conflict, notFound } from '../../../core/errors.ts'
import { findRow, listSpamRequests, updateRow } from '../queries/appointments.ts'
import { answerDeadline } from '../rules/changes.ts'
import { appointmentView } from '../view.ts'
import { lockForChange } from './change.ts'
import { notifyOfRequest } from './create.ts'
import { findNextFreeSlots } from './free-slots.ts'
import { hoursOf } from './hours.ts'
import { emitAppointment, notifyScreens } from './notify.ts'

/** Booking requests that are suspected spam. They block no time, and were not notified. */
export async function listSuspectedSpam(ctx: StudioCtx): Promise<Appointment[]> {
  return (await listSpamRequests(ctx.db, ctx.owner)).map((row) => appointmentView(row, ctx.user.timeZone))
}

/**
 * Restores a request that was mistaken for spam: it blocks its time, and client and artist are notified. Throws conflict
 * when its time has passed or, with the next free times, was booked since.
 */
export async function markAsNotSpam(ctx: StudioCtx, { id }: IdParam): Promise<Appointment> {
  try {
    return await retryOnDeadlock(ctx.db, async (tx) => {
      const row = await lockForChange(tx, ctx.owner, id)
      if (!row) throw notFound(appointmentMessages.gone)
      // A repeated request.
      if (!row.isSuspectedSpam) return appointmentView(row, ctx.user.timeZone)
      const now = ctx.now()
      if (hasPassed(row.startsAt, now)) throw conflict(appointmentMessages.over)
      const request = await updateRow(tx, ctx.owner, id, {
        isSuspectedSpam: false,
        answerBy: answerDeadline(now, row.startsAt),
        updatedAt: now,
      })
      if (!request) throw notFound(appointmentMessages.gone)
      await notifyScreens(tx, request)
      await emitAppointment(ctx, tx, request, 'appointment.created')
      await notifyOfRequest(ctx, tx, request)
      return appointmentView(request, ctx.user.timeZone)
    })
  } catch (error) {
    const row = violatesExclusion(error) ? await findRow(ctx.db, ctx.owner, id) : undefined
    if (!row) throw error
    const hours = await hoursOf(ctx.db, ctx.owner)
    const query = { from: row.startsAt.getTime(), type: row.bookingType }
    throw conflict(appointmentMessages.taken, { next: await findNextFreeSlots(ctx, ctx.owner, hours, query) })
  }
}
