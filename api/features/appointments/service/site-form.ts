import { zoneLabel } from '@flashsheet/contracts/time'
import { appointmentMessages } from '@flashsheet/contracts/appointments/messages'
import { type BookingType, bookingTypes, timeSlots } from '@flashsheet/contracts/appointments/limits'
import type { CreateAppointmentInput, FreeTime } from '@flashsheet/contracts/appointments/schema'
import { Temporal } from 'temporal-polyfill'
import type { RequestCtx, System } from '../../../core/context.ts'
import { sha256 } from '../../../core/crypto.ts'
import { AppError, errorTable } from '../../../core/errors.ts'
import type { OwnerId, PublicSite } from '../../../core/scope.ts'
import { findByRequest, isBookedBy, listBusy } from '../queries/appointments.ts'
import { instantOf, minutesOf, zonedDayAt } from '../rules/clock.ts'
import { freeDays, offeredSlots, slotAt, windowAnywhere, windowOf } from '../rules/slots.ts'
import { bookAsClient } from './create.ts'
import { formTokenFor, readFormToken, honeypotName } from './form-token.ts'
import { findNextFreeSlots } from './free-slots.ts'
import { hoursAndBusyTimes, hoursOf } from './hours.ts'

/** How many months ahead the page navigates if the artist set no limit. */
const monthsAhead = 24

export type MonthPage = Awaited<ReturnType<typeof monthOf>>

/**
 * A month with its free days; without a month the current one, or the next one if the current one is full. The
 * appointment `except` blocks no time.
 */
export async function monthOf(
  system: System,
  artist: PublicSite | OwnerId,
  input: { type: BookingType; month: string | undefined; except?: string },
) {
  const now = system.now()
  const requested = readMonth(input.month)
  // The zone is unknown before the query, so the month is guessed. Another query is needed only if the guess is wrong:
  // near the end of a month, or beyond the artist's horizon.
  const guess = requested ?? Temporal.PlainYearMonth.from(now.toISOString().slice(0, 7))
  const { hours, busy } = await hoursAndBusyTimes(
    system.db,
    artist,
    windowAnywhere(`${guess.toString()}-01`, guess.daysInMonth),
    input.except,
  )
  const today = Temporal.PlainDate.from(zonedDayAt(now.getTime(), hours.timeZone).name)
  const first = today.toPlainYearMonth()
  const last =
    hours.horizonDays === null
      ? first.add({ months: monthsAhead })
      : today.add({ days: hours.horizonDays }).toPlainYearMonth()
  let month = clamp(requested ?? first, first, last)
  const daysIn = async (of: Temporal.PlainYearMonth) => {
    const window = windowOf(of.toPlainDate({ day: 1 }), of.toPlainDate({ day: of.daysInMonth }), hours.timeZone)
    const busyThen = of.equals(guess) ? busy : await listBusy(system.db, artist, window, input.except)
    return freeDays(hours, of, input.type, busyThen, now.getTime())
  }
  let days = await daysIn(month)
  if (
    input.month === undefined &&
    days.every((day) => day.free === 0) &&
    Temporal.PlainYearMonth.compare(month, last) < 0
  ) {
    // At the end of a month, or when it is full, the next one is shown.
    month = month.add({ months: 1 })
    days = await daysIn(month)
  }
  const isFull = days.every((day) => day.free === 0)
  const [next] = isFull
    ? await findNextFreeSlots(system, artist, hours, {
        from: instantOf(month.add({ months: 1 }).toPlainDate({ day: 1 }), 0, hours.timeZone),
        type: input.type,
        except: input.except,
      })
    : []
  return {
    types: bookingTypes.map((type) => ({ type, minutes: hours.lengths[type] })),
    type: input.type,
    month,
    /** The number of free times of each day. */
    days,
    /** Only for a month without a free day: the first free day after it; null if there is none in the search range. */
    next: isFull ? (next ? zonedDayAt(Date.parse(next.date), hours.timeZone).name : null) : undefined,
    before: Temporal.PlainYearMonth.compare(month, first) > 0 ? month.subtract({ months: 1 }).toString() : undefined,
    after: Temporal.PlainYearMonth.compare(month, last) < 0 ? month.add({ months: 1 }).toString() : undefined,
    zone: zoneLabel(hours.timeZone),
    today: today.toString(),
  }
}

const clamp = (month: Temporal.PlainYearMonth, first: Temporal.PlainYearMonth, last: Temporal.PlainYearMonth) =>
  Temporal.PlainYearMonth.compare(month, first) < 0
    ? first
    : Temporal.PlainYearMonth.compare(month, last) > 0
      ? last
      : month

function readMonth(text: string | undefined): Temporal.PlainYearMonth | undefined {
  return text !== undefined && /^[12]\d{3}-(?:0[1-9]|1[0-2])$/.test(text)
    ? Temporal.PlainYearMonth.from(text)
    : undefined
}

/** A day from the query; undefined when it is malformed. */
export function readFormDay(text: string | undefined): Temporal.PlainDate | undefined {
  if (text === undefined || !/^[12]\d{3}-\d\d-\d\d$/.test(text)) return undefined
  try {
    return Temporal.PlainDate.from(text)
  } catch {
    return undefined
  }
}

export type DayPage = Awaited<ReturnType<typeof dayPage>>

/** The free times of a day. The appointment `except` blocks no time. */
export async function slotsFor(
  system: System,
  artist: PublicSite | OwnerId,
  { type, day, except }: { type: BookingType; day: Temporal.PlainDate; except?: string },
) {
  const { hours, busy } = await hoursAndBusyTimes(system.db, artist, windowAnywhere(day.toString()), except)
  const { timeZone } = hours
  const offered = offeredSlots(hours, day, type, busy, system.now().getTime())
  return {
    type,
    day,
    slots: offered.map((slot) => ({
      timeSlot: slot.timeSlot,
      from: minutesOf(slot.startsAt, timeZone),
      to: minutesOf(slot.endsAt, timeZone),
    })),
    zone: zoneLabel(timeZone),
    timeZone,
  }
}

/** A day with its free times and the form's token. `token`: the one that was sent. */
export async function dayPage(
  ctx: RequestCtx,
  site: PublicSite,
  { type, day, token }: { type: BookingType; day: Temporal.PlainDate; token?: string },
) {
  return {
    ...(await slotsFor(ctx, site, { type, day })),
    token: formTokenFor(ctx, site, token),
    honeypotField: honeypotName(ctx, site),
  }
}

/** The result of a form: booked, or shown again with the reason. */
export type FormOutcome =
  | { state: 'booked'; startsAt: Date; endsAt: Date; timeZone: string; mailed: boolean }
  | {
      state: 'again'
      status: number
      message: string
      fields: Record<string, string>
      next: FreeTime[]
      /** In seconds. */
      retryAfter?: number | undefined
    }

const staleForm = 'This page was open for a long time. Please look at it once more and send it again.'

/** The token of another tab or of a reloaded page proves no booking of its own, and who took the time stays private. */
const perhapsOwn =
  'If you may have asked for it yourself, look for our email, or ask the studio, before you choose another.'

/**
 * Books from a form of the site. A form that was sent too fast or with the honeypot filled in is suspected spam: the
 * artist sees it in a separate list, and the sender sees no difference.
 */
export async function sendForm(
  ctx: RequestCtx,
  site: PublicSite,
  sent: { input: CreateAppointmentInput; token: string; isHoneypotFilled: boolean },
): Promise<FormOutcome> {
  const { input } = sent
  const token = readFormToken(ctx, site, sent.token)
  const form = `form ${token.name} `
  // A form that is sent twice is one booking, also when it is sent again much later after a lost answer.
  const requestId = `${form}${sha256(JSON.stringify(input)).slice(0, 16)}`
  if (token.state === 'stale' && !(await findByRequest(ctx.db, site, requestId)))
    return { state: 'again', status: 400, message: staleForm, fields: {}, next: [] }
  try {
    const row = await bookAsClient(
      ctx,
      { ...input, requestId },
      { isSuspectedSpam: sent.isHoneypotFilled || token.state === 'tooFast' },
    )
    return {
      state: 'booked',
      startsAt: row.startsAt,
      endsAt: row.endsAt,
      timeZone: row.timeZone,
      mailed: row.email !== '',
    }
  } catch (error) {
    if (!(error instanceof AppError) || error.kind === 'internal' || error.kind === 'notFound') throw error
    const { bookingType: type, date, timeSlot } = input
    const time = await requestedTime(ctx, site, { type, day: readFormDay(date), timeSlot })
    if (time && (await isBookedBy(ctx.db, site, form, time.startsAt)))
      return { state: 'again', status: 409, message: appointmentMessages.alreadyRequested, fields: {}, next: [] }
    return {
      state: 'again',
      status: errorTable[error.kind].status,
      message: error.message === appointmentMessages.taken ? `${error.message} ${perhapsOwn}` : error.message,
      fields: error.fields ?? {},
      next: (error.extra?.['next'] as FreeTime[] | undefined) ?? [],
      retryAfter: error.retryAfter,
    }
  }
}

/** The time that a client has requested, for the confirmation page; undefined if it is malformed. */
export async function requestedTime(
  ctx: RequestCtx,
  site: PublicSite,
  input: { type: BookingType; day: Temporal.PlainDate | undefined; timeSlot: string },
) {
  const hours = await hoursOf(ctx.db, site)
  const timeSlot = timeSlots.find((one) => one === input.timeSlot)
  const slot = input.day && timeSlot && slotAt(hours, input.day, timeSlot, input.type)
  return slot && { startsAt: new Date(slot.startsAt), endsAt: new Date(slot.endsAt), timeZone: hours.timeZone }
}
