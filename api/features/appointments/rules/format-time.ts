import { zoneLabel } from '@flashsheet/contracts/time'
import { formatClock } from '@flashsheet/contracts/appointments/rules'
import { minutesOf } from './clock.ts'

/** `Monday, November 23, 2026`, in a zone. */
function formatDay(at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-US', {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    year: 'numeric',
    timeZone,
  }).format(at)
}

/** `9:00am-10:00am`, in a zone. */
function formatHours(span: { startsAt: Date; endsAt: Date }, timeZone: string): string {
  return `${formatClock(minutesOf(span.startsAt.getTime(), timeZone))}-${formatClock(minutesOf(span.endsAt.getTime(), timeZone))}`
}

/** The time of an appointment in the studio's zone, and that zone's name, since the client has to come in person. */
export function formatTime(row: { startsAt: Date; endsAt: Date; timeZone: string }): string {
  return `${formatDay(row.startsAt, row.timeZone)}, ${formatHours(row, row.timeZone)} (${zoneLabel(row.timeZone)})`
}

/** `11/23/2026`, for short texts. */
export function formatShortDay(at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-US', { month: 'numeric', day: 'numeric', year: 'numeric', timeZone }).format(at)
}
