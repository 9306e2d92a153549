import { retryOnDeadlock } from '@flashsheet/db/retry-on-deadlock'
import { appointmentMessages } from '@flashsheet/contracts/appointments/messages'
import { type BookingType, timeSlots } from '@flashsheet/contracts/appointments/limits'
import type { FreeTime } from '@flashsheet/contracts/appointments/schema'
import { violatesExclusion } from '@flashsheet/db/client'
import type { Temporal } from 'temporal-polyfill'
import type { System } from '../../../core/context.ts'
import { sha256 } from '../../../core/crypto.ts'
import { conflict, invalid, notFound } from '../../../core/errors.ts'
import { ownerScope, type OwnerId } from '../../../core/scope.ts'
import { findRow, type AppointmentRow } from '../queries/appointments.ts'
import { findByLink } from '../queries/links.ts'
import { blocksTime, mayCancel, mayMove } from '../rules/changes.ts'
import { whenWords } from '../rules/words.ts'
import { applyChange, lockForChange } from './change.ts'
import { nextFree, slotsOfDay } from './free-slots.ts'
import { hoursOf } from './hours.ts'
import { monthOf, slotsFor, type DayPage, type MonthPage } from './site-form.ts'
import { notifyOwnerOfChange } from './notifications.ts'

/** What a private link shows: one booking, without address or number. */
export type OwnBooking = {
  artist: string
  domainName: string
  bookingType: BookingType
  when: string
  status: 'pending' | 'confirmed' | 'cancelled' | 'completed'
  isOver: boolean
  mayMove: boolean
  mayCancel: boolean
  /** Until how many hours before it may be moved; null: never by the client. */
  moveNoticeHours: number | null
}

type LinkedBooking = { row: AppointmentRow; owner: OwnerId }

/** The booking of a link. Throws notFound for an unknown or expired one. */
async function bookingOfLink(system: System, token: string): Promise<LinkedBooking> {
  const found = /^[\w-]{22}$/.test(token) ? await findByLink(system.db, sha256(token), system.now()) : undefined
  const owner = found && ownerScope(found.userId)
  const row = found && owner && (await findRow(system.db, owner, found.id))
  if (!row || !owner) throw notFound()
  return { row, owner }
}

/** Shows a booking to its client. Mail scanners open links, so this changes nothing. */
export async function getBookingByLink(system: System, token: string): Promise<OwnBooking> {
  const { row, owner } = await bookingOfLink(system, token)
  const hours = await hoursOf(system.db, owner)
  const now = system.now()
  return {
    artist: hours.artistName,
    domainName: row.domainName,
    bookingType: row.bookingType,
    when: whenWords(row),
    status: row.status,
    isOver: row.endsAt <= now,
    mayMove: mayMove(row, hours.moveNoticeHours, now),
    mayCancel: mayCancel(row, now),
    moveNoticeHours: hours.moveNoticeHours,
  }
}

/** The free days of a month for moving a booking, which does not block itself. */
export async function daysToMove(system: System, token: string, month: string | undefined): Promise<MonthPage> {
  const { row, owner } = await bookingOfLink(system, token)
  return await monthOf(system, owner, { type: row.bookingType, month, except: row.id })
}

/** The free times of a day for moving a booking. */
export async function slotsToMove(
  system: System,
  token: string,
  day: Temporal.PlainDate,
): Promise<Pick<DayPage, 'day' | 'slots' | 'zone' | 'timeZone' | 'type'>> {
  const { row, owner } = await bookingOfLink(system, token)
  return await slotsFor(system, owner, { type: row.bookingType, day, except: row.id })
}

/**
 * Moves a booking by the artist's rules, early enough and to an offered time, and notifies the artist. Throws conflict,
 * with the next free times when the requested one is taken.
 */
export async function moveBooking(
  system: System,
  token: string,
  wanted: { day: Temporal.PlainDate; timeSlot: string },
): Promise<void> {
  const { row: seen, owner } = await bookingOfLink(system, token)
  const hours = await hoursOf(system.db, owner)
  const timeSlot = timeSlots.find((one) => one === wanted.timeSlot)
  if (!timeSlot) throw invalid(appointmentMessages.timeSlotRequired, { timeSlot: appointmentMessages.timeSlotRequired })
  const gone = async (): Promise<FreeTime[]> => {
    const from = wanted.day.toZonedDateTime({ timeZone: hours.timeZone }).epochMilliseconds
    return await nextFree(system, owner, hours, { day: wanted.day, from, type: seen.bookingType, except: seen.id })
  }
  const moved = await retryOnDeadlock(system.db, async (tx) => {
    const row = await lockForChange(tx, owner, seen.id)
    if (!row) throw notFound()
    const now = system.now()
    if (!blocksTime(row.status)) throw conflict(appointmentMessages.cancelled)
    if (!mayMove(row, hours.moveNoticeHours, now)) throw conflict(appointmentMessages.movesClosed)
    const offered = await slotsOfDay(tx, owner, hours, {
      day: wanted.day,
      type: row.bookingType,
      now,
      except: row.id,
    })
    const slot = offered.find((one) => one.timeSlot === timeSlot)
    if (!slot) return false
    // The repeated request finds the booking moved already.
    if (slot.startsAt === row.startsAt.getTime()) return true
    const changed = await applyChange(system, tx, row, { slot, timeZone: hours.timeZone, by: 'client' })
    await notifyOwnerOfChange(system, tx, row, changed, 'moved')
    return true
  }).catch((error: unknown) => {
    if (violatesExclusion(error)) return false
    throw error
  })
  if (!moved) throw conflict(appointmentMessages.taken, { next: await gone() })
}

/** Cancels a booking and notifies the artist. Cancelling again changes nothing. Throws conflict for a past one. */
export async function cancelBooking(system: System, token: string): Promise<void> {
  const { row: seen, owner } = await bookingOfLink(system, token)
  await retryOnDeadlock(system.db, async (tx) => {
    const row = await lockForChange(tx, owner, seen.id)
    if (!row || row.status === 'cancelled') return
    if (!mayCancel(row, system.now())) throw conflict(appointmentMessages.over)
    const cancelled = await applyChange(system, tx, row, { status: 'cancelled', timeZone: row.timeZone, by: 'client' })
    await notifyOwnerOfChange(system, tx, row, cancelled, 'cancelled')
  })
}
