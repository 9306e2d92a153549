import { appointmentLimits, type BookingType, type TimeSlot } from '@flashsheet/contracts/appointments/limits'
import { appointmentMessages } from '@flashsheet/contracts/appointments/messages'
import type { BookedInput, FreeTime } from '@flashsheet/contracts/appointments/schema'
import type { Tx } from '@flashsheet/db/client'
import type { Temporal } from 'temporal-polyfill'
import type { RequestCtx, System } from '../../../core/context.ts'
import { notFound } from '../../../core/errors.ts'
import type { OwnerId, PublicSite } from '../../../core/scope.ts'
import { openSite } from '../../website/service/public-site.ts'
import { listBusy } from '../queries/appointments.ts'
import { dayOf, readDay } from '../rules/clock.ts'
import {
  bookedSlots,
  nextSlots,
  offeredSlots,
  searchDays,
  windowAnywhere,
  windowOf,
  type Hours,
  type Slot,
} from '../rules/slots.ts'
import { freeTimeView } from '../view.ts'
import { hoursAndBusyTimes } from './hours.ts'

/** The slots of a day that a new 1 Hour Booking cannot take. Throws notFound for a site that is not open. */
export async function listBookedSlots(ctx: RequestCtx, input: BookedInput): Promise<TimeSlot[]> {
  const site = await openSite(ctx, input.domainName)
  if (!site) throw notFound(appointmentMessages.siteUnknown)
  const { hours, busy } = await hoursAndBusyTimes(ctx.db, site, windowAnywhere(input.date))
  return bookedSlots(hours, readDay(input.date, hours.timeZone), busy, ctx.now().getTime())
}

/** The offered slots of a day; `except` is an appointment that may overlap its own new time. */
export async function slotsOfDay(
  db: Tx,
  artist: OwnerId | PublicSite,
  hours: Hours,
  query: { day: Temporal.PlainDate; type: BookingType; now: Date; except?: string },
): Promise<Slot[]> {
  const busy = await listBusy(db, artist, windowOf(query.day, query.day, hours.timeZone), query.except)
  return offeredSlots(hours, query.day, query.type, busy, query.now.getTime())
}

/** The next three free times from `from` on, for a conflict answer. */
export async function findNextFreeSlots(
  system: System,
  artist: OwnerId | PublicSite,
  hours: Hours,
  { from, type, except }: { from: number; type: BookingType; except?: string | undefined },
): Promise<FreeTime[]> {
  const now = system.now().getTime()
  const first = dayOf(Math.max(from, now), hours.timeZone)
  const span = windowOf(first, first.add({ days: searchDays }), hours.timeZone)
  const busy = await listBusy(system.db, artist, span, except)
  return nextSlots(hours, type, busy, now, from, appointmentLimits.nextFree).map(freeTimeView)
}
