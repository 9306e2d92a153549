import { retryOnDeadlock } from '@flashsheet/db/retry-on-deadlock'
import { appointmentLimits } from '@flashsheet/contracts/appointments/limits'
import { appointmentMessages } from '@flashsheet/contracts/appointments/messages'
import type { Appointment, CreateAppointmentInput } from '@flashsheet/contracts/appointments/schema'
import { violatesExclusion, type Tx } from '@flashsheet/db/client'
import type { Temporal } from 'temporal-polyfill'
import type { RequestCtx, System } from '../../../core/context.ts'
import { sha256 } from '../../../core/crypto.ts'
import { conflict, invalid, notFound } from '../../../core/errors.ts'
import { requireStudio } from '../../../core/guards.ts'
import { newId } from '../../../core/ids.ts'
import { consumeRateLimit, consumeRateLimits } from '../../../core/limits.ts'
import { ownerScope, type OwnerId, type PublicSite } from '../../../core/scope.ts'
import { openSite, siteOf } from '../../website/service/public-site.ts'
import {
  countOpenRequests,
  findByRequest,
  insertRow,
  listBusy,
  lockBookings,
  type AppointmentRow,
  type NewAppointment,
} from '../queries/appointments.ts'
import type { StoredHours } from '../queries/hours.ts'
import { readDay } from '../rules/clock.ts'
import { answerDeadline } from '../rules/changes.ts'
import { offeredSlots, slotAt, timesOf, windowOf, type Slot } from '../rules/slots.ts'
import { appointmentView } from '../view.ts'
import { findNextFreeSlots } from './free-slots.ts'
import { hoursOf } from './hours.ts'
import { emitAppointment, notifyScreens, notifyClient, notifyOwner } from './notify.ts'

/**
 * Books a time (`POST /api/appointments`). An artist books at their own site, anybody else as a client of an open one.
 * Throws notFound for another artist's or a closed site, conflict with the next free times, or tooMany.
 */
export async function createAppointment(ctx: RequestCtx, input: CreateAppointmentInput): Promise<Appointment> {
  if (!ctx.caller) {
    const row = await bookAsClient(ctx, input, { isSuspectedSpam: false })
    return appointmentView(row, (await hoursOf(ctx.db, ownerScope(row.userId))).timeZone)
  }
  const ownSite = await siteOf(ctx.db, ownerScope(ctx.caller.user.id))
  if (!ownSite || ownSite.domainName !== input.domainName.toLowerCase()) throw notFound(appointmentMessages.siteUnknown)
  const { owner, user } = requireStudio(ctx)
  const row = await book(ctx, owner, input, { madeBy: 'artist', isSuspectedSpam: false })
  return appointmentView(row, user.timeZone)
}

/** Books as a client, from the REST API or the site's form. Suspected spam blocks no time and notifies nobody. */
export async function bookAsClient(
  ctx: RequestCtx,
  input: CreateAppointmentInput,
  { isSuspectedSpam }: { isSuspectedSpam: boolean },
): Promise<AppointmentRow> {
  const site = await openSite(ctx, input.domainName)
  if (!site) throw notFound(appointmentMessages.siteUnknown)
  return await book(ctx, site, input, { madeBy: 'client', isSuspectedSpam })
}

type Origin = { madeBy: 'client' | 'artist'; isSuspectedSpam: boolean }

async function book(
  ctx: RequestCtx,
  artist: OwnerId | PublicSite,
  input: CreateAppointmentInput,
  origin: Origin,
): Promise<AppointmentRow> {
  const { requestId, ...request } = input
  // The hash covers every field, since a repeat that differs is another booking. Parsed fields are in a fixed order.
  const requestHash = sha256(JSON.stringify(request))
  const existing = await findRepeated(ctx, artist, requestId, requestHash)
  if (existing) return existing
  if (origin.madeBy === 'client') {
    await consumeRateLimit(ctx, 'bookingsPerIp', `${ctx.ip}:${artist}`)
    if (request.contact.email !== '' && !origin.isSuspectedSpam)
      await consumeRateLimit(ctx, 'mailsPerAddress', request.contact.email.toLowerCase())
  }
  const hours = await hoursOf(ctx.db, artist)
  const day = readDay(request.date, hours.timeZone)
  const slot = slotAt(hours, day, request.timeSlot, request.bookingType)
  if (!slot) throw invalid(appointmentMessages.noSuchTime, { timeSlot: appointmentMessages.noSuchTime })
  const row = rowOf(ctx, artist, input, { ...origin, requestHash, slot, timeZone: hours.timeZone })
  try {
    return await retryOnDeadlock(ctx.db, async (tx) => await insertBooking(ctx, tx, row, { hours, day, slot }))
  } catch (error) {
    // A concurrent repeat of this call may have committed the same booking, which then causes the violation.
    const repeated = await findRepeated(ctx, artist, requestId, requestHash)
    if (repeated) return repeated
    if (!(error instanceof SlotRefused) && !violatesExclusion(error)) throw error
    const message = error instanceof SlotRefused ? error.message : appointmentMessages.taken
    throw conflict(message, {
      next: await findNextFreeSlots(ctx, artist, hours, { from: slot.startsAt, type: request.bookingType }),
    })
  }
}

/** The slot cannot be booked; its message is the reason. The caller adds the next free times after the rollback. */
class SlotRefused extends Error {}

async function insertBooking(
  ctx: RequestCtx,
  tx: Tx,
  row: NewAppointment,
  { hours, day, slot }: { hours: StoredHours; day: Temporal.PlainDate; slot: Slot },
): Promise<AppointmentRow> {
  const owner = ownerScope(row.userId)
  if (row.isSuspectedSpam !== true) {
    await lockBookings(tx, owner)
    if (row.madeBy === 'client') {
      const busy = await listBusy(tx, owner, windowOf(day, day, hours.timeZone))
      const offered = offeredSlots(hours, day, row.bookingType, busy, ctx.now().getTime())
      if (!offered.some((one) => one.timeSlot === slot.timeSlot)) {
        if (!hours.takesBookings) throw new SlotRefused(appointmentMessages.bookingsClosed)
        const isTaken = busy.some((one) => one.from < slot.freeAt && slot.startsAt < one.to)
        throw new SlotRefused(isTaken ? appointmentMessages.taken : appointmentMessages.notOffered)
      }
      if ((await countOpenRequests(tx, owner, row)) >= appointmentLimits.openPerContact)
        throw conflict(appointmentMessages.tooManyOpen)
    }
  }
  const booking = await insertRow(tx, row)
  await notifyScreens(tx, booking)
  if (!booking.isSuspectedSpam) await emitAppointment(ctx, tx, booking, 'appointment.created')
  if (booking.madeBy === 'client' && !booking.isSuspectedSpam) await notifyOfRequest(ctx, tx, booking)
  return booking
}

/** Notifies client and artist of a request. */
export async function notifyOfRequest(system: System, tx: Tx, row: AppointmentRow): Promise<void> {
  // Counted but never limited, since strangers could otherwise suppress an artist's mails. Requests are rate limited.
  if (row.email !== '')
    await consumeRateLimits({ ...system, db: tx }, [
      ['clientMailsPerBooking', row.id],
      ['clientMailsPerAddress', row.email.toLowerCase()],
    ])
  await notifyClient(system, tx, row, 'requested')
  await notifyOwner(system, tx, row, 'requested')
}

function rowOf(
  ctx: RequestCtx,
  artist: OwnerId | PublicSite,
  { requestId, domainName, date: _date, contact, ...content }: CreateAppointmentInput,
  { slot, requestHash, ...origin }: Origin & { slot: Slot; timeZone: string; requestHash: string },
): NewAppointment {
  const now = ctx.now()
  const times = timesOf(slot)
  return {
    id: newId(),
    userId: artist,
    ...content,
    ...origin,
    domainName: domainName.toLowerCase(),
    status: 'pending',
    ...times,
    clientName: contact.name,
    email: contact.email,
    phone: contact.phone,
    answerBy: origin.madeBy === 'client' && !origin.isSuspectedSpam ? answerDeadline(now, times.startsAt) : null,
    ...(requestId !== undefined && { requestId, requestHash }),
    createdAt: now,
    updatedAt: now,
  }
}

/** The booking of an earlier call with this request id. Throws conflict if its content was different. */
async function findRepeated(
  ctx: RequestCtx,
  artist: OwnerId | PublicSite,
  requestId: string | undefined,
  requestHash: string,
): Promise<AppointmentRow | undefined> {
  if (requestId === undefined) return undefined
  const existing = await findByRequest(ctx.db, artist, requestId)
  if (existing && existing.requestHash !== requestHash) throw conflict(appointmentMessages.requestReused)
  return existing
}
