import { retryOnDeadlock } from '@flashsheet/db/retry-on-deadlock'
import { appointmentMessages } from '@flashsheet/contracts/appointments/messages'
import type { IdParam } from '@flashsheet/contracts/input'
import type {
  Appointment,
  ListAppointmentsInput,
  UpdateAppointmentInput,
} from '@flashsheet/contracts/appointments/schema'
import { appointmentLimits, type TimeSlot } from '@flashsheet/contracts/appointments/limits'
import { violatesExclusion, type Tx } from '@flashsheet/db/client'
import type { StudioCtx, SubscriberCtx, System } from '../../../core/context.ts'
import { cursorsOf, type Page } from '../../../core/cursor.ts'
import { conflict, invalid, notFound } from '../../../core/errors.ts'
import { ownerScope, type OwnerId } from '../../../core/scope.ts'
import {
  deleteRow,
  findRow,
  listRows,
  lockBookings,
  lockRow,
  updateRow,
  type AppointmentPatch,
  type AppointmentRow,
} from '../queries/appointments.ts'
import { deleteNoticesAbout } from '../../notices/service.ts'
import { blocksTime } from '../rules/changes.ts'
import { dayOf, readDay } from '../rules/clock.ts'
import { slotAt, slotOf, timesOf, type Hours, type Slot } from '../rules/slots.ts'
import { appointmentView } from '../view.ts'
import { findNextFreeSlots } from './free-slots.ts'
import { hoursOf } from './hours.ts'
import { markAsNotified, notifyClientOfChange, notifyClientOfDeletion } from './notifications.ts'
import { emitAppointment, noticeLinkOf, notifyScreens } from './notify.ts'

/** The artist's appointments by their start, without suspected spam. */
export async function pageOfAppointments(ctx: StudioCtx, input: ListAppointmentsInput): Promise<Page<Appointment>> {
  const cursors = cursorsOf('appointments', ctx.owner)
  const rows = await listRows(ctx.db, ctx.owner, {
    ...(input.from ? { from: new Date(input.from) } : {}),
    ...(input.to ? { to: new Date(input.to) } : {}),
    limit: input.limit + 1,
    after: cursors.anchorOf(input.cursor),
  })
  const { items, next } = cursors.pageOf(rows, input.limit, ({ startsAt, id }) => ({ at: startsAt, id }))
  return { items: items.map((row) => appointmentView(row, ctx.user.timeZone)), next }
}

/** Upcoming appointments for an artist whose plan no longer has bookings, since clients still expect them. */
export async function listUpcomingReadOnly(ctx: SubscriberCtx): Promise<Appointment[]> {
  const range = { from: ctx.now(), limit: appointmentLimits.listMax, after: undefined }
  const rows = await listRows(ctx.db, ctx.owner, range)
  return rows.filter(({ status }) => blocksTime(status)).map((row) => appointmentView(row, ctx.user.timeZone))
}

/** One of the artist's appointments. Throws notFound. */
export async function getAppointment(ctx: StudioCtx, { id }: IdParam): Promise<Appointment> {
  const row = await findRow(ctx.db, ctx.owner, id)
  if (!row || row.isSuspectedSpam) throw notFound(appointmentMessages.gone)
  return appointmentView(row, ctx.user.timeZone)
}

/**
 * Changes day, hour, status or notes (`PUT /api/appointments/{id}`) and notifies the client. The new time may be outside the
 * artist's own hours, but may not overlap another booking: throws conflict with the next free times.
 */
export async function updateAppointment(ctx: StudioCtx, input: UpdateAppointmentInput): Promise<Appointment> {
  const hours = await hoursOf(ctx.db, ctx.owner)
  let requested: Parameters<typeof findNextFreeSlots>[3] | undefined
  try {
    return await retryOnDeadlock(ctx.db, async (tx) => {
      const row = await lockForChange(tx, ctx.owner, input.id)
      if (!row || row.isSuspectedSpam) throw notFound(appointmentMessages.gone)
      const { id: _id, date, timeSlot, ...content } = input
      const slot = newSlot(hours, row, { date, timeSlot })
      requested = { from: slot?.startsAt ?? row.startsAt.getTime(), type: row.bookingType, except: row.id }
      const { timeZone } = hours
      const changed = await applyChange(ctx, tx, row, { ...content, slot, timeZone })
      return appointmentView(changed, timeZone)
    })
  } catch (error) {
    if (!violatesExclusion(error) || !requested) throw error
    throw conflict(appointmentMessages.taken, { next: await findNextFreeSlots(ctx, ctx.owner, hours, requested) })
  }
}

/** Deletes an appointment with the artist's notices about it, and notifies a client who expects it. Throws notFound. */
export async function deleteAppointment(ctx: StudioCtx, { id }: IdParam): Promise<{ message: string }> {
  await retryOnDeadlock(ctx.db, async (tx) => {
    const row = await lockRow(tx, ctx.owner, id)
    if (!row) throw notFound(appointmentMessages.gone)
    if (!row.isSuspectedSpam) await notifyClientOfDeletion(ctx, tx, row)
    await deleteRow(tx, ctx.owner, id)
    await deleteNoticesAbout(tx, ctx.owner, noticeLinkOf(row))
    await notifyScreens(tx, row)
    if (!row.isSuspectedSpam) await emitAppointment(ctx, tx, { ...row, status: 'cancelled' }, 'appointment.cancelled')
  })
  return { message: appointmentMessages.deleted }
}

type Change = Omit<UpdateAppointmentInput, 'id' | 'date' | 'timeSlot'> & {
  slot?: Slot | undefined
  timeZone: string
  by?: 'client'
}

/**
 * Writes a change of a locked appointment and notifies its client. Throws the exclusion violation when the time is
 * taken.
 */
export async function applyChange(
  system: System,
  tx: Tx,
  row: AppointmentRow,
  change: Change,
): Promise<AppointmentRow> {
  const { slot, timeZone, status = row.status, by = 'artist', ...content } = change
  const isMoved = slot !== undefined && slot.startsAt !== row.startsAt.getTime()
  const patch: AppointmentPatch = {
    ...content,
    status,
    updatedAt: system.now(),
    ...(slot && { ...timesOf(slot), timeZone }),
    ...(status !== 'pending'
      ? { answerBy: null }
      : slot && row.answerBy
        ? { answerBy: new Date(Math.min(row.answerBy.getTime(), slot.startsAt)) }
        : {}),
    ...(isMoved || status !== row.status ? { sequence: row.sequence + 1 } : {}),
  }
  const changed = await updateRow(tx, ownerScope(row.userId), row.id, patch)
  if (!changed) throw notFound(appointmentMessages.gone)
  await notifyScreens(tx, changed)
  const isCancelled = status === 'cancelled' && row.status !== 'cancelled'
  await emitAppointment(system, tx, changed, isCancelled ? 'appointment.cancelled' : 'appointment.updated')
  if (by === 'artist') await markAsNotified(tx, changed, 'artist')
  return await notifyClientOfChange(system, tx, row, changed, by)
}

/** The requested slot; undefined if the time does not change. A date alone changes the day only. */
function newSlot(
  hours: Hours,
  row: AppointmentRow,
  input: { date?: string | undefined; timeSlot?: TimeSlot | undefined },
): Slot | undefined {
  const currentDay = dayOf(row.startsAt.getTime(), hours.timeZone)
  const day = input.date === undefined ? currentDay : readDay(input.date, hours.timeZone)
  const currentSlot = slotOf(row, hours.timeZone)
  const timeSlot = input.timeSlot ?? currentSlot
  if (day.equals(currentDay) && timeSlot === currentSlot) return undefined
  const slot = slotAt(hours, day, timeSlot, row.bookingType)
  if (!slot) throw invalid(appointmentMessages.noSuchTime, { date: appointmentMessages.noSuchTime })
  return slot
}

/** Locks the artist's bookings, then the row of one appointment. */
export async function lockForChange(tx: Tx, owner: OwnerId, id: string): Promise<AppointmentRow | undefined> {
  await lockBookings(tx, owner)
  return await lockRow(tx, owner, id)
}
