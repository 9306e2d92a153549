import { type AppointmentStatus, type BookingType, timeSlots } from '@flashsheet/contracts/appointments/limits'
import type { Availability } from '@flashsheet/contracts/appointments/schema'

/** The rules of docs/product/bookings.md once more, as simply as possible and without the product's code. */

export const minute = 60_000
export const hour = 60 * minute
export const day = 24 * hour

/** What client and artist can know of an appointment. `deleted` exists only here. */
export type State = {
  status: AppointmentStatus | 'deleted'
  startsAt: number
  endsAt: number
  zone: string
  at: number
}
export type NoticeTitle = 'requested' | 'moved' | 'cancelled' | 'expired'
export type Booking = State & {
  /** Its notes, by which it is found. */
  key: string
  email: string
  phone: string
  type: BookingType
  timeSlot: string
  madeBy: 'client' | 'artist'
  isSpam: boolean
  freeAt: number
  answerBy: number | null
  requestId: string
  /** Every state since it is known to be no spam, oldest first. */
  states: State[]
  /** Whether the client made the last change. */
  byClient: boolean
  notices: NoticeTitle[]
}
export type StudioModel = {
  rules: Availability
  zone: string
  isPublished: boolean
  hasPlan: boolean
  bookings: Booking[]
}
export type Slot = { day: string; timeSlot: string; startsAt: number; endsAt: number; freeAt: number }
/** `next`: the free times that a refusal suggests. */
export type Answer = { status: number; next?: Slot[] }

const formats = new Map<string, Intl.DateTimeFormat>()
/** `2026-11-21 09:30` on a clock of the zone. */
export function wallClock(at: number, zone: string): string {
  const format =
    formats.get(zone) ?? new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone: zone })
  formats.set(zone, format)
  return format.format(at)
}
export const dayOf = (at: number, zone: string): string => wallClock(at, zone).slice(0, 10)
export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * day).toISOString().slice(0, 10)

/** The first instant at which the zone's clock shows this time; undefined if it never does. */
function instantOf(date: string, minutes: number, zone: string): number | undefined {
  const utc = Date.parse(date) + minutes * minute
  const wanted = wallClock(utc, 'UTC')
  const offsets = [-day, day].map((by) => Date.parse(`${wallClock(utc + by, zone).replace(' ', 'T')}Z`) - (utc + by))
  const found = offsets.map((offset) => utc - Math.round(offset / minute) * minute).toSorted((a, b) => a - b)
  return found.find((at) => wallClock(at, zone) === wanted)
}

export const isActive = ({ status }: State) => status === 'pending' || status === 'confirmed'
const blocks = (one: Booking) => isActive(one) && !one.isSpam
const isTaken = ({ bookings }: StudioModel, at: { startsAt: number; freeAt: number }, except?: Booking) =>
  bookings.some((one) => one !== except && blocks(one) && one.startsAt < at.freeAt && at.startsAt < one.freeAt)
export const isOpen = ({ isPublished, hasPlan }: StudioModel): boolean => isPublished && hasPlan

const hoursOn = ({ rules }: StudioModel, date: string) => rules.weekly[new Date(date).getUTCDay()] ?? null

function slotAt(
  studio: StudioModel,
  date: string,
  timeSlot: string,
  type: BookingType,
): (Slot & { to: number }) | undefined {
  const from = (9 + timeSlots.findIndex((one) => one === timeSlot)) * 60
  const open = hoursOn(studio, date)
  const to = Math.min(from + studio.rules.lengths[type], open && from < open.to ? open.to : 21 * 60)
  const [startsAt, endsAt] = [instantOf(date, from, studio.zone), instantOf(date, to, studio.zone)]
  if (startsAt === undefined || endsAt === undefined) return undefined
  return { day: date, timeSlot, startsAt, endsAt, freeAt: endsAt + studio.rules.bufferMinutes * minute, to }
}

/** The times that a client can choose on a day. */
export function offers(studio: StudioModel, date: string, type: BookingType, now: number, except?: Booking): Slot[] {
  const { rules, zone } = studio
  const open = hoursOn(studio, date)
  if (!rules.takesBookings || !open) return []
  if (rules.horizonDays !== null && date > addDays(dayOf(now, zone), rules.horizonDays)) return []
  return timeSlots.flatMap((timeSlot, index) => {
    const from = (9 + index) * 60
    if (from < open.from || from >= open.to) return []
    const slot = slotAt(studio, date, timeSlot, type)
    if (!slot || slot.startsAt <= now || slot.startsAt < now + rules.noticeHours * hour) return []
    const { to } = slot
    const inBreak = open.breaks.some((one) => one.from < (type === '1 Hour Booking' ? to : from + 1) && from < one.to)
    const isBlocked = rules.blocks.some(
      (one) => one.firstDay <= date && date <= one.lastDay && one.from < to && from < one.to,
    )
    return inBreak || isBlocked || isTaken(studio, slot, except) ? [] : [slot]
  })
}

function refused(studio: StudioModel, from: number, type: BookingType, now: number, except?: Booking): Answer {
  const first = dayOf(Math.max(from, now), studio.zone)
  const next: Slot[] = []
  for (let ahead = 0; ahead < 90 && next.length < 3; ahead++)
    next.push(...offers(studio, addDays(first, ahead), type, now, except).filter((one) => one.startsAt >= from))
  return { status: 409, next: next.slice(0, 3) }
}

export type Request = Pick<Booking, 'key' | 'email' | 'phone' | 'type' | 'madeBy' | 'requestId' | 'isSpam'> & {
  day: string
  timeSlot: string
}

export function book(studio: StudioModel, request: Request, now: number): Answer {
  const { day: date, ...content } = request
  if (request.madeBy === 'client' && !isOpen(studio)) return { status: 404 }
  if (!studio.hasPlan) return { status: 403 }
  if (studio.bookings.some((one) => one.requestId === request.requestId)) return { status: 201 }
  const slot = slotAt(studio, date, request.timeSlot, request.type)
  if (!slot) return { status: 400 }
  if (!request.isSpam) {
    if (
      request.madeBy === 'client'
        ? !offers(studio, date, request.type, now).some((one) => one.timeSlot === request.timeSlot)
        : isTaken(studio, slot)
    )
      return refused(studio, slot.startsAt, request.type, now)
    const open = studio.bookings.filter(
      (one) => blocks(one) && one.status === 'pending' && one.madeBy === 'client' && one.phone === request.phone,
    )
    if (request.madeBy === 'client' && open.length >= 2) return { status: 409 }
  }
  const { day: _day, to: _to, ...times } = slot
  const booking: Booking = {
    ...content,
    ...times,
    zone: studio.zone,
    status: 'pending',
    at: now,
    answerBy: null,
    states: [],
    byClient: false,
    notices: [],
  }
  studio.bookings.push(booking)
  if (booking.isSpam) return { status: 201 }
  if (booking.madeBy === 'client') beginRequest(booking, now)
  else setState(booking, {}, now)
  return { status: 201 }
}

function beginRequest(booking: Booking, now: number): void {
  booking.isSpam = false
  booking.notices.push('requested')
  setState(booking, { byClient: true }, now)
  booking.answerBy = Math.min(now + 72 * hour, booking.startsAt)
}

function setState(booking: Booking, change: Partial<Booking>, now: number): void {
  Object.assign(booking, change, { at: now })
  const { status, startsAt, endsAt, zone, at } = booking
  const last = booking.states.at(-1)
  if (last?.status === status && last.startsAt === startsAt) Object.assign(last, { endsAt, zone })
  else booking.states.push({ status, startsAt, endsAt, zone, at })
}

export const find = ({ bookings }: StudioModel, key: string): Booking | undefined =>
  bookings.find((one) => one.key === key && one.status !== 'deleted')

/** The slot of a booking as the studio sees it: after a change of zone, the one at that hour of the day or the nearest. */
export function slotIn({ zone }: StudioModel, booking: Booking): string {
  if (booking.zone === zone) return booking.timeSlot
  const hour = Number(wallClock(booking.startsAt, zone).slice(11, 13))
  return timeSlots.find((_slot, index) => hour <= 9 + index) ?? timeSlots[timeSlots.length - 1]!
}

export type Change = { status?: AppointmentStatus; date?: string; timeSlot?: string }

export function change(studio: StudioModel, key: string, asked: Change, now: number): Answer {
  if (!studio.hasPlan) return { status: 403 }
  const booking = find(studio, key)
  if (!booking || booking.isSpam) return { status: 404 }
  const today = dayOf(booking.startsAt, studio.zone)
  const current = slotIn(studio, booking)
  const { date = today, timeSlot = current, status = booking.status } = asked
  const isMove = date !== today || timeSlot !== current
  const slot = isMove ? slotAt(studio, date, timeSlot, booking.type) : undefined
  if (isMove && !slot) return { status: 400 }
  const after = { ...booking, ...slot, status }
  if (isActive(after) && isTaken(studio, after, booking))
    return refused(studio, after.startsAt, booking.type, now, booking)
  move(studio, booking, slot, { status, byClient: false }, now)
  return { status: 200 }
}

function move(studio: StudioModel, booking: Booking, slot: Slot | undefined, rest: Partial<Booking>, now: number) {
  const { timeSlot, startsAt, endsAt, freeAt } = slot ?? booking
  setState(booking, { ...rest, timeSlot, startsAt, endsAt, freeAt, ...(slot && { zone: studio.zone }) }, now)
  if (booking.status !== 'pending') booking.answerBy = null
  else if (booking.answerBy !== null) booking.answerBy = Math.min(booking.answerBy, booking.startsAt)
}

export function remove(studio: StudioModel, key: string, now: number): Answer {
  const booking = find(studio, key)
  if (!studio.hasPlan) return { status: 403 }
  if (!booking) return { status: 404 }
  if (booking.isSpam) studio.bookings.splice(studio.bookings.indexOf(booking), 1)
  else setState(booking, { status: 'deleted', answerBy: null, byClient: false }, now)
  booking.requestId = ''
  return { status: 200 }
}

export function notSpam(studio: StudioModel, key: string, now: number): Answer {
  const booking = find(studio, key)
  if (!studio.hasPlan) return { status: 403 }
  if (!booking) return { status: 404 }
  if (!booking.isSpam) return { status: 200 }
  if (booking.startsAt <= now) return { status: 409 }
  if (isTaken(studio, booking)) return refused(studio, booking.startsAt, booking.type, now)
  beginRequest(booking, now)
  return { status: 200 }
}

export function moveByLink(studio: StudioModel, key: string, date: string, timeSlot: string, now: number): Answer {
  const booking = find(studio, key)
  if (!booking) return { status: 404 }
  if (!isActive(booking)) return { status: 409 }
  if (slotAt(studio, date, timeSlot, booking.type)?.startsAt === booking.startsAt) return { status: 303 }
  const { moveNoticeHours } = studio.rules
  if (moveNoticeHours === null || booking.startsAt - now <= moveNoticeHours * hour) return { status: 409 }
  const slot = offers(studio, date, booking.type, now, booking).find((one) => one.timeSlot === timeSlot)
  if (!slot) return { status: 409 }
  move(studio, booking, slot, { byClient: true }, now)
  booking.notices.push('moved')
  return { status: 303 }
}

export function cancelByLink(studio: StudioModel, key: string, now: number): Answer {
  const booking = find(studio, key)
  if (!booking) return { status: 404 }
  if (booking.status === 'cancelled') return { status: 303 }
  if (!isActive(booking) || booking.startsAt <= now) return { status: 409 }
  setState(booking, { status: 'cancelled', answerBy: null, byClient: true }, now)
  booking.notices.push('cancelled')
  return { status: 303 }
}

export function sweep(studios: readonly StudioModel[], now: number): Answer {
  for (const booking of studios.flatMap(({ bookings }) => bookings)) {
    if (booking.answerBy === null || booking.answerBy > now) continue
    setState(booking, { status: 'cancelled', answerBy: null, byClient: false }, now)
    booking.notices.push('expired')
  }
  return { status: 200 }
}
