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
import { countAgainst, countOrWait } from '../../../core/limits.ts'
import { ownerScope, type OwnerId, type PublicSite } from '../../../core/scope.ts'
import { openSite, siteOf } from '../../website/service/public-site.ts'
import {
  countOpenRequests,
  findByRequest,
  findRow,
  insertRow,
  listBusy,
  lockBookings,
  type AppointmentRow,
  type NewAppointment,
} from '../queries/appointments.ts'
import { readDay } from '../rules/clock.ts'
import { answerDeadline } from '../rules/changes.ts'
import { offeredSlots, slotAt, windowOf, type Slot } from '../rules/slots.ts'
import { appointmentView } from '../view.ts'
import { nextFree } from './free-slots.ts'
import { hoursOf, type ArtistHours } from './hours.ts'
import { emitAppointment, notifyScreens, notifyClient, notifyOwner } from './notify.ts'

/**
 * Books a time (`POST /api/appointments`): the artist at their own site, anybody else as a client of an open one.
 * Throws notFound for a site that is not theirs or not open, conflict with the next free times, tooMany.
 */
export async function createAppointment(ctx: RequestCtx, input: CreateAppointmentInput): Promise<Appointment> {
  if (!ctx.caller) return appointmentView(await bookAsClient(ctx, input, { isSuspectedSpam: false }))
  const own = await siteOf(ctx.db, ownerScope(ctx.caller.user.id))
  if (!own || own.domainName !== input.domainName.toLowerCase()) throw notFound(appointmentMessages.siteUnknown)
  const { owner } = requireStudio(ctx)
  return appointmentView(await book(ctx, owner, input, { madeBy: 'artist', isSuspectedSpam: false }))
}

/**
 * A client's request, from the REST API or the site's form. Suspected spam blocks no time and notifies nobody.
 */
export async function bookAsClient(
  ctx: RequestCtx,
  input: CreateAppointmentInput,
  { isSuspectedSpam }: { isSuspectedSpam: boolean },
): Promise<AppointmentRow> {
  const site = await openSite(ctx, input.domainName)
  if (!site) throw notFound(appointmentMessages.siteUnknown)
  return await book(ctx, site, input, { madeBy: 'client', isSuspectedSpam })
}

type Making = { madeBy: 'client' | 'artist'; isSuspectedSpam: boolean }

async function book(
  ctx: RequestCtx,
  artist: OwnerId | PublicSite,
  input: CreateAppointmentInput,
  making: Making,
): Promise<AppointmentRow> {
  const { requestId, ...asked } = input
  // All of it: a repeat that differs in any field is another booking. A parsed request has its fields in the contract's
  // order.
  const requestHash = sha256(JSON.stringify(asked))
  const known = await madeBefore(ctx, artist, requestId, requestHash)
  if (known) return known
  if (making.madeBy === 'client') {
    await countAgainst(ctx, 'bookingsPerIp', `${ctx.ip}:${artist}`)
    if (asked.contact.email !== '' && !making.isSuspectedSpam)
      await countAgainst(ctx, 'mailsPerAddress', asked.contact.email.toLowerCase())
  }
  const hours = await hoursOf(ctx.db, artist)
  const day = readDay(asked.date, hours.timeZone)
  const slot = slotAt(hours, day, asked.timeSlot, asked.bookingType)
  if (!slot) throw invalid(appointmentMessages.noSuchTime, { timeSlot: appointmentMessages.noSuchTime })
  const row = rowOf(ctx, artist, asked, {
    ...making,
    slot,
    hours,
    request: requestId === undefined ? null : { requestId, requestHash },
  })
  try {
    return await retryOnDeadlock(ctx.db, async (tx) => await insertBooking(ctx, tx, row, { hours, day, slot }))
  } catch (error) {
    // A concurrent repetition of this call may have been faster. Its booking is committed by now and causes the
    // violation.
    const duplicate = await madeBefore(ctx, artist, requestId, requestHash)
    if (duplicate) return duplicate
    if (!(error instanceof Refused) && !violatesExclusion(error)) throw error
    const message = error instanceof Refused ? error.message : appointmentMessages.taken
    throw conflict(message, {
      next: await nextFree(ctx, artist, hours, { day, from: slot.startsAt, type: asked.bookingType }),
    })
  }
}

/** The time cannot be booked, with the reason; the next free times are added outside the transaction. */
class Refused extends Error {}

async function insertBooking(
  ctx: RequestCtx,
  tx: Tx,
  row: NewAppointment,
  asked: { hours: ArtistHours; day: Temporal.PlainDate; slot: Slot },
): Promise<AppointmentRow> {
  const { hours, day, slot } = asked
  const owner = ownerScope(row.userId)
  if (row.isSuspectedSpam !== true) {
    await lockBookings(tx, owner)
    if (row.madeBy === 'client') {
      const busy = await listBusy(tx, owner, windowOf(day, day, hours.timeZone))
      const offered = offeredSlots(hours, day, row.bookingType, busy, ctx.now().getTime())
      if (!offered.some((one) => one.timeSlot === slot.timeSlot)) {
        if (!hours.takesBookings) throw new Refused(appointmentMessages.bookingsClosed)
        const isTaken = busy.some((one) => one.from < slot.freeAt && slot.startsAt < one.to)
        throw new Refused(isTaken ? appointmentMessages.taken : appointmentMessages.notOffered)
      }
      if ((await countOpenRequests(tx, owner, row)) >= appointmentLimits.openPerContact)
        throw conflict(appointmentMessages.tooManyOpen)
    }
  }
  await insertRow(tx, row)
  const made = await findRow(tx, owner, row.id)
  if (!made) throw new Error('an appointment was written and is not there')
  await notifyScreens(tx, made)
  if (!made.isSuspectedSpam) await emitAppointment(ctx, tx, made, 'appointment.created')
  if (made.madeBy === 'client' && !made.isSuspectedSpam) await notifyOfRequest(ctx, tx, made)
  return made
}

/** Notifies client and artist of a request. */
export async function notifyOfRequest(system: System, tx: Tx, row: AppointmentRow): Promise<void> {
  // Counted but never limited here, or strangers could suppress an artist's mails; requests have a rate limit of their
  // own.
  if (row.email !== '')
    await countOrWait({ ...system, db: tx }, [
      ['clientMailsPerBooking', row.id],
      ['clientMailsPerAddress', row.email.toLowerCase()],
    ])
  await notifyClient(system, tx, row, 'requested')
  await notifyOwner(system, tx, row, 'requested')
}

function rowOf(
  ctx: RequestCtx,
  artist: OwnerId | PublicSite,
  asked: Omit<CreateAppointmentInput, 'requestId'>,
  making: Making & { slot: Slot; hours: ArtistHours; request: { requestId: string; requestHash: string } | null },
): NewAppointment {
  const { slot, hours, madeBy, isSuspectedSpam, request } = making
  const { domainName, date: _read, contact, ...content } = asked
  const now = ctx.now()
  const startsAt = new Date(slot.startsAt)
  return {
    id: newId(),
    userId: artist,
    ...content,
    domainName: domainName.toLowerCase(),
    status: 'pending',
    startsAt,
    endsAt: new Date(slot.endsAt),
    freeAt: new Date(slot.freeAt),
    timeZone: hours.timeZone,
    clientName: contact.name,
    email: contact.email,
    phone: contact.phone,
    madeBy,
    isSuspectedSpam,
    answerBy: madeBy === 'client' && !isSuspectedSpam ? answerDeadline(now, startsAt) : null,
    ...request,
    createdAt: now,
    updatedAt: now,
  }
}

async function madeBefore(
  ctx: RequestCtx,
  artist: OwnerId | PublicSite,
  requestId: string | undefined,
  requestHash: string,
): Promise<AppointmentRow | undefined> {
  if (requestId === undefined) return undefined
  const known = await findByRequest(ctx.db, artist, requestId)
  if (known && known.requestHash !== requestHash) throw conflict(appointmentMessages.requestReused)
  return known
}
