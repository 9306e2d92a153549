import { retryOnDeadlock } from '@flashsheet/db/retry-on-deadlock'
import { appointmentMessages } from '@flashsheet/contracts/appointments/messages'
import { timeSlots } from '@flashsheet/contracts/appointments/limits'
import { violatesExclusion } from '@flashsheet/db/client'
import type { Temporal } from 'temporal-polyfill'
import type { System } from '../../../core/context.ts'
import { sha256 } from '../../../core/crypto.ts'
import { conflict, invalid, notFound } from '../../../core/errors.ts'
import { ownerScope } from '../../../core/scope.ts'
import { siteOf } from '../../website/service/public-site.ts'
import { findRow } from '../queries/appointments.ts'
import { findByLink } from '../queries/links.ts'
import { blocksTime, mayCancel, mayMove } from '../rules/changes.ts'
import { instantOf } from '../rules/clock.ts'
import { formatTime } from '../rules/format-time.ts'
import { slotAt } from '../rules/slots.ts'
import { applyChange, lockForChange } from './change.ts'
import { findNextFreeSlots, slotsOfDay } from './free-slots.ts'
import { hoursOf } from './hours.ts'
import { monthOf, slotsFor, type MonthPage } from './site-form.ts'
import { notifyOwnerOfChange } from './notifications.ts'

/** What a private link shows of its booking, without the client's address and number. */
export type OwnBooking = Awaited<ReturnType<typeof getBookingByLink>>

/** The booking of a link. Throws notFound for an unknown or expired one. */
async function bookingOfLink(system: System, token: string) {
  const linked = /^[\w-]{22}$/.test(token) ? await findByLink(system.db, sha256(token), system.now()) : undefined
  const owner = linked && ownerScope(linked.userId)
  const row = linked && owner && (await findRow(system.db, owner, linked.id))
  if (!row || !owner) throw notFound()
  return { row, owner }
}

/** The booking of a link, for its client. Changes nothing, since mail scanners open links. */
export async function getBookingByLink(system: System, token: string) {
  const { row, owner } = await bookingOfLink(system, token)
  const hours = await hoursOf(system.db, owner)
  const now = system.now()
  return {
    artist: hours.artistName,
    /** The current name of the artist's site; another artist may have a former one. */
    domainName: (await siteOf(system.db, owner))?.domainName,
    bookingType: row.bookingType,
    when: formatTime(row),
    status: row.status,
    isOver: row.endsAt <= now,
    mayMove: mayMove(row, hours.moveNoticeHours, now),
    mayCancel: mayCancel(row, now),
    /** Hours before the booking until which the client may move it; null: never. */
    moveNoticeHours: hours.moveNoticeHours,
  }
}

/** The free days of a month to which a booking can be moved. It does not block itself. */
export async function listDaysToMove(system: System, token: string, month: string | undefined): Promise<MonthPage> {
  const { row, owner } = await bookingOfLink(system, token)
  return await monthOf(system, owner, { type: row.bookingType, month, except: row.id })
}

/** The free times of a day to which a booking can be moved. */
export async function listSlotsToMove(system: System, token: string, day: Temporal.PlainDate) {
  const { row, owner } = await bookingOfLink(system, token)
  return await slotsFor(system, owner, { type: row.bookingType, day, except: row.id })
}

/**
 * Moves a booking to an offered time and notifies the artist. Throws conflict when the artist's rules do not allow it
 * any more, or, with the next free times, when the time is taken.
 */
export async function moveBooking(
  system: System,
  token: string,
  requested: { day: Temporal.PlainDate; timeSlot: string },
): Promise<void> {
  const { row: booking, owner } = await bookingOfLink(system, token)
  const hours = await hoursOf(system.db, owner)
  const { day } = requested
  const timeSlot = timeSlots.find((one) => one === requested.timeSlot)
  if (!timeSlot) throw invalid(appointmentMessages.timeSlotRequired, { timeSlot: appointmentMessages.timeSlotRequired })
  const isMoved = await retryOnDeadlock(system.db, async (tx) => {
    const row = await lockForChange(tx, owner, booking.id)
    if (!row) throw notFound()
    const now = system.now()
    if (!blocksTime(row.status)) throw conflict(appointmentMessages.cancelled)
    // A repeated request: the booking is already at this time, which may now be too close to be moved or offered.
    if (slotAt(hours, day, timeSlot, row.bookingType)?.startsAt === row.startsAt.getTime()) return true
    if (!mayMove(row, hours.moveNoticeHours, now)) throw conflict(appointmentMessages.movesClosed)
    const offered = await slotsOfDay(tx, owner, hours, { day, type: row.bookingType, now, except: row.id })
    const slot = offered.find((one) => one.timeSlot === timeSlot)
    if (!slot) return false
    const changed = await applyChange(system, tx, row, { slot, timeZone: hours.timeZone, by: 'client' })
    await notifyOwnerOfChange(system, tx, row, changed, 'moved')
    return true
  }).catch((error: unknown) => {
    if (violatesExclusion(error)) return false
    throw error
  })
  if (isMoved) return
  const query = { from: instantOf(day, 0, hours.timeZone), type: booking.bookingType, except: booking.id }
  throw conflict(appointmentMessages.taken, { next: await findNextFreeSlots(system, owner, hours, query) })
}

/** Cancels a booking and notifies the artist. Cancelling again changes nothing. Throws conflict for a past one. */
export async function cancelBooking(system: System, token: string): Promise<void> {
  const { row: booking, owner } = await bookingOfLink(system, token)
  await retryOnDeadlock(system.db, async (tx) => {
    const row = await lockForChange(tx, owner, booking.id)
    if (!row || row.status === 'cancelled') return
    if (!mayCancel(row, system.now())) throw conflict(appointmentMessages.over)
    const cancelled = await applyChange(system, tx, row, { status: 'cancelled', timeZone: row.timeZone, by: 'client' })
    await notifyOwnerOfChange(system, tx, row, cancelled, 'cancelled')
  })
}
