import { hasPassed } from '@flashsheet/contracts/time'
import {
  appointmentLimits,
  type AppointmentStatus,
  type ClientNotification,
} from '@flashsheet/contracts/appointments/limits'
import type { AppointmentRow } from '../queries/appointments.ts'

const hourMs = 3_600_000

/** The deadline for answering a client's request: 72 hours, or its start if that is sooner. */
export function answerDeadline(now: Date, startsAt: Date): Date {
  return new Date(Math.min(now.getTime() + appointmentLimits.unansweredHours * hourMs, startsAt.getTime()))
}

/** Whether a request made at `now` has to be answered before its time, since that is sooner than 72 hours. */
export const isAnsweredBeforeStart = (now: Date, startsAt: Date): boolean =>
  answerDeadline(now, startsAt).getTime() === startsAt.getTime()

/** The statuses that block a time. */
export const blocksTime = (status: AppointmentStatus) => status === 'pending' || status === 'confirmed'

type KnownState = Pick<AppointmentRow, 'status' | 'startsAt' | 'madeBy' | 'clientNotifiedAt'>

/** What a change means for the client; undefined if there is nothing to notify of. */
export function clientNotificationOf(
  before: KnownState,
  after: KnownState,
  now: Date,
  by: 'client' | 'artist',
): ClientNotification | undefined {
  const isAhead = after.startsAt > now || (before.startsAt > now && blocksTime(before.status))
  if (!isAhead) return undefined
  // A client does not know of an appointment that the artist entered and has not confirmed.
  const knows = before.clientNotifiedAt !== null || before.madeBy === 'client'
  if (after.status === 'cancelled') {
    if (!blocksTime(before.status) || before.startsAt <= now || !knows) return undefined
    const isUnanswered = before.status === 'pending' && before.clientNotifiedAt === null
    return isUnanswered && by === 'artist' ? 'declined' : 'cancelled'
  }
  if (after.status === 'confirmed' && (before.status !== 'confirmed' || !knows)) return 'confirmed'
  if (blocksTime(after.status) && knows && before.startsAt.getTime() !== after.startsAt.getTime()) return 'moved'
  return undefined
}

/** Whether a client may still move an appointment under the artist's rules. */
export function mayMove(
  row: Pick<AppointmentRow, 'status' | 'startsAt'>,
  moveNoticeHours: number | null,
  now: Date,
): boolean {
  return (
    blocksTime(row.status) &&
    moveNoticeHours !== null &&
    row.startsAt.getTime() - now.getTime() > moveNoticeHours * hourMs
  )
}

/** Whether a client may still cancel: until it begins. */
export function mayCancel(row: Pick<AppointmentRow, 'status' | 'startsAt'>, now: Date): boolean {
  return blocksTime(row.status) && !hasPassed(row.startsAt, now)
}

/** A reminder that is due later than this before the start is skipped. */
const latestReminderMs = 6 * hourMs

/** The span of starts whose reminders are due now. */
export function reminderSpan(now: Date): { from: Date; to: Date } {
  return {
    from: new Date(now.getTime() + latestReminderMs),
    to: new Date(now.getTime() + appointmentLimits.reminderDays * 24 * hourMs),
  }
}

/** Whether a reminder is due: one for each confirmed future time. */
export function shouldRemind(
  row: Pick<AppointmentRow, 'status' | 'startsAt' | 'remindedFor' | 'clientNotifiedAt' | 'email'>,
  now: Date,
): boolean {
  const { from, to } = reminderSpan(now)
  if (row.status !== 'confirmed' || row.email === '' || row.startsAt < from || row.startsAt >= to) return false
  return row.remindedFor?.getTime() !== row.startsAt.getTime()
}

/** Whether a notification sent now is so close to the start that it replaces the reminder. */
export function replacesReminder(startsAt: Date, now: Date): boolean {
  return startsAt.getTime() - now.getTime() <= appointmentLimits.reminderDays * 24 * hourMs
}
