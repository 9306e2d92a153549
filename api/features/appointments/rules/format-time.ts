import { zoneLabel } from '@flashsheet/contracts/time'
import { formatClock } from '@flashsheet/contracts/appointments/rules'
import { minutesOf } from './clock.ts'

/**
 * `Monday, November 23, 2026, 9:00am-10:00am (New York time)`: the time of an appointment in the studio's zone, since the
 * client has to come in person.
 */
export function formatTime({ startsAt, endsAt, timeZone }: { startsAt: Date; endsAt: Date; timeZone: string }): string {
  const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeZone }).format(startsAt)
  const [from, to] = [startsAt, endsAt].map((at) => formatClock(minutesOf(at.getTime(), timeZone)))
  return `${day}, ${from}-${to} (${zoneLabel(timeZone)})`
}

/** `Nov 23, 2026`, for short texts: outside the USA `3/4/2027` is in April. */
export function formatShortDay(at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone }).format(at)
}
