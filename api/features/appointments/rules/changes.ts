import { appointmentLimits, type AppointmentStatus, type ClientNews } from '@flashsheet/contracts/appointments/limits'
import type { AppointmentRow } from '../queries/appointments.ts'

const hour = 3_600_000

/** Until when a client's request waits: 72 hours, and never past its own time. */
export function answerBy(now: Date, startsAt: Date): Date {
  return new Date(
    Math.min(now.getTime() + appointmentLimits.unansweredHours * hour, Math.max(now.getTime(), startsAt.getTime())),
  )
}

/** The statuses that hold a time. */
export const holds = (status: AppointmentStatus) => status === 'pending' || status === 'confirmed'

type Told = Pick<AppointmentRow, 'status' | 'startsAt' | 'madeBy' | 'toldAt'>

/** What the client has to know of a change; undefined: nothing new for them. */
export function newsForClient(before: Told, after: Told, now: Date): ClientNews | undefined {
  const isAhead = after.startsAt > now || (before.startsAt > now && holds(before.status))
  if (!isAhead) return undefined
  // What the artist only keeps as a note was never told to anybody.
  const knows = before.toldAt !== null || before.madeBy === 'client'
  if (after.status === 'cancelled') {
    if (!holds(before.status) || !knows) return undefined
    return before.status === 'pending' && before.toldAt === null ? 'declined' : 'cancelled'
  }
  if (after.status === 'confirmed' && before.status !== 'confirmed') return 'confirmed'
  if (holds(after.status) && knows && before.startsAt.getTime() !== after.startsAt.getTime()) return 'moved'
  return undefined
}

/** As `newsForClient`; who calls off a request is not told that it was declined. */
export function clientNews(before: Told, after: Told, now: Date, by: 'client' | 'artist'): ClientNews | undefined {
  const news = newsForClient(before, after, now)
  return news === 'declined' && by === 'client' ? 'cancelled' : news
}

/** Whether a client may still move an appointment by the artist's rules. */
export function mayMove(
  row: Pick<AppointmentRow, 'status' | 'startsAt'>,
  moveNoticeHours: number | null,
  now: Date,
): boolean {
  return (
    holds(row.status) && moveNoticeHours !== null && row.startsAt.getTime() - now.getTime() > moveNoticeHours * hour
  )
}

/** Whether a client may still cancel: until it begins. */
export function mayCancel(row: Pick<AppointmentRow, 'status' | 'startsAt'>, now: Date): boolean {
  return holds(row.status) && row.startsAt > now
}

/** Reminders leave 48 hours ahead; one that is later than this says nothing new and is left out. */
const latestReminder = 6 * hour

/** The span of starts whose reminders are due now. */
export function reminderSpan(now: Date): { from: Date; to: Date } {
  return {
    from: new Date(now.getTime() + latestReminder),
    to: new Date(now.getTime() + appointmentLimits.reminderHours * hour),
  }
}

/** Whether the client is to be reminded: of a confirmed time that lies ahead, once, and not when they have just been told of it. */
export function shouldRemind(
  row: Pick<AppointmentRow, 'status' | 'startsAt' | 'remindedFor' | 'toldAt' | 'email'>,
  now: Date,
): boolean {
  const { from, to } = reminderSpan(now)
  if (row.status !== 'confirmed' || row.email === '' || row.startsAt < from || row.startsAt >= to) return false
  return row.remindedFor?.getTime() !== row.startsAt.getTime()
}

/** A time that was told within the last 48 hours before it needs no reminder. */
export function remindedByTelling(startsAt: Date, now: Date): boolean {
  return startsAt.getTime() - now.getTime() <= appointmentLimits.reminderHours * hour
}
