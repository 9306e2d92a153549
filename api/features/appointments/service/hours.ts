import { isDeepStrictEqual } from 'node:util'
import { appointmentMessages } from '@flashsheet/contracts/appointments/messages'
import type { Availability, OwnHours, SaveAvailabilityInput } from '@flashsheet/contracts/appointments/schema'
import type { Tx } from '@flashsheet/db/client'
import { notifyLive } from '@flashsheet/db/live'
import type { StudioCtx } from '../../../core/context.ts'
import { conflict, notFound } from '../../../core/errors.ts'
import type { OwnerId, PublicSite } from '../../../core/scope.ts'
import { lockBookings } from '../queries/appointments.ts'
import { findHoursAndBusyTimes, findHours, saveHours, type StoredHours } from '../queries/hours.ts'
import type { Span } from '../rules/slots.ts'

/** An artist's bookable hours. Throws notFound for a deleted artist. */
export async function hoursOf(db: Tx, artist: OwnerId | PublicSite): Promise<StoredHours> {
  const hours = await findHours(db, artist)
  if (!hours) throw notFound()
  return hours
}

/**
 * An artist's bookable hours and the blocked times in a span, without `except`. Throws notFound for a deleted artist.
 */
export async function hoursAndBusyTimes(db: Tx, artist: OwnerId | PublicSite, span: Span, except?: string) {
  const result = await findHoursAndBusyTimes(db, artist, span, except)
  if (!result) throw notFound()
  return result
}

/** The artist's own rules (`GET /api/availability`). */
export async function getAvailability(ctx: StudioCtx): Promise<OwnHours> {
  return await readOwnHours(ctx.db, ctx.owner)
}

/**
 * Replaces the artist's rules (`PUT /api/availability`). Existing appointments stay. Throws conflict with the `current` rules when they are
 * not `previous`. A repeated save succeeds.
 */
export async function saveAvailability(
  ctx: StudioCtx,
  { previous, ...rules }: SaveAvailabilityInput,
): Promise<OwnHours> {
  await ctx.db.transaction(async (tx) => {
    await lockBookings(tx, ctx.owner)
    const current = await readOwnHours(tx, ctx.owner)
    if (previous && !isSame(current, previous) && !isSame(current, rules))
      throw conflict(appointmentMessages.hoursStale, { current })
    await saveHours(tx, ctx.owner, rules, ctx.now())
    await notifyLive(tx, { owner: ctx.owner, topic: 'appointments' })
    // Pages of the site link to its form only while bookings are taken.
    await notifyLive(tx, { owner: ctx.owner, topic: 'website' })
  })
  return await getAvailability(ctx)
}

async function readOwnHours(db: Tx, owner: OwnerId): Promise<OwnHours> {
  const { artistName: _name, artistEmail: _email, ...own } = await hoursOf(db, owner)
  return own
}

/** The order of blocked times has no meaning. */
const withSortedBlocks = (rules: Availability) => ({
  ...rules,
  blocks: rules.blocks
    .map(({ firstDay, lastDay, from, to, reason }) => [firstDay, lastDay, from, to, reason].join(' '))
    .toSorted(),
})

function isSame({ timeZone: _zone, isSet: _isSet, ...stored }: OwnHours, rules: Availability): boolean {
  return isDeepStrictEqual(withSortedBlocks(stored), withSortedBlocks(rules))
}
