import type { Availability, OwnHours } from '@flashsheet/contracts/appointments/schema'
import type { Tx } from '@flashsheet/db/client'
import { notifyLive } from '@flashsheet/db/live'
import type { StudioCtx } from '../../../core/context.ts'
import { notFound } from '../../../core/errors.ts'
import type { OwnerId, PublicSite } from '../../../core/scope.ts'
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
  const { artistName: _name, artistEmail: _email, ...own } = await hoursOf(ctx.db, ctx.owner)
  return own
}

/** Replaces the artist's rules (`PUT /api/availability`). Existing appointments stay. */
export async function saveAvailability(ctx: StudioCtx, input: Availability): Promise<OwnHours> {
  await ctx.db.transaction(async (tx) => {
    await saveHours(tx, ctx.owner, input, ctx.now())
    await notifyLive(tx, { owner: ctx.owner, topic: 'appointments' })
    // Pages of the site link to its form only while bookings are taken.
    await notifyLive(tx, { owner: ctx.owner, topic: 'website' })
  })
  return await getAvailability(ctx)
}
