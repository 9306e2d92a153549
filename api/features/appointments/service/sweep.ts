import { retryOnDeadlock } from '@flashsheet/db/retry-on-deadlock'
import type { System } from '../../../core/context.ts'
import { forEachIsolated } from '../../../core/for-each-isolated.ts'
import { everyoneScope, ownerScope } from '../../../core/scope.ts'
import { listToRemind, listUnanswered, lockRow, updateRow } from '../queries/appointments.ts'
import { listDueNotifications, lockNotifications } from '../queries/notifications.ts'
import { deleteExpiredLinks } from '../queries/links.ts'
import { reminderSpan, shouldRemind } from '../rules/changes.ts'
import { countMail, markAsNotified, notifyClientOfExpiry, sendPendingMails } from './notifications.ts'
import { emitAppointment, notifyScreens, notifyClient, notifyOwner } from './notify.ts'

/** Of each kind. The next run continues with the rest. */
const rowsPerRun = 500

type SweptAppointment = { id: string; userId: string }

/**
 * Sends pending mails, cancels unanswered requests, sends reminders, and deletes expired links. Idempotent, also when
 * it runs concurrently. An appointment that fails does not stop the others; the next run tries it again.
 */
export async function sweepAppointments(system: System, stopping: AbortSignal): Promise<void> {
  const { db, log } = system
  const scope = everyoneScope()
  const now = system.now()
  const message = 'an appointment could not be swept'
  async function forEach<T extends SweptAppointment>(
    due: readonly T[],
    work: (system: System, appointment: T) => Promise<void>,
  ): Promise<void> {
    await forEachIsolated(log, due, { message, about: ({ id }) => ({ appointmentId: id }) }, async (appointment) => {
      if (!stopping.aborted) await work(system, appointment)
    })
  }
  await forEach(await listDueNotifications(db, scope, now, rowsPerRun), sendPendingMails)
  await forEach(await listUnanswered(db, scope, now, rowsPerRun), cancelUnanswered)
  await forEach(await listToRemind(db, scope, reminderSpan(now), rowsPerRun), remind)
  if (!stopping.aborted) await deleteExpiredLinks(db, scope, now)
}

/** Cancels a request past its deadline and notifies both. Reads it again under a lock, since it may be answered by now. */
async function cancelUnanswered(system: System, { id, userId }: SweptAppointment): Promise<void> {
  const owner = ownerScope(userId)
  await retryOnDeadlock(system.db, async (tx) => {
    const row = await lockRow(tx, owner, id)
    const now = system.now()
    if (!row?.answerBy || row.answerBy > now) return
    const cancelled = await updateRow(tx, owner, id, {
      status: 'cancelled',
      answerBy: null,
      sequence: row.sequence + 1,
      updatedAt: now,
    })
    if (!cancelled) return
    await notifyClientOfExpiry(system, tx, cancelled)
    for (const audience of ['client', 'artist'] as const) await markAsNotified(tx, cancelled, audience)
    await notifyOwner(system, tx, cancelled, 'expired')
    await notifyScreens(tx, cancelled)
    await emitAppointment(system, tx, cancelled, 'appointment.cancelled')
  })
}

/**
 * Sends a reminder. Reads the appointment again under a lock, and queues the mail and marks it as sent in one
 * transaction, so that concurrent workers, a crash or a move never cause a second reminder or one for an old time.
 */
export async function remind(system: System, { id, userId }: SweptAppointment): Promise<void> {
  const owner = ownerScope(userId)
  await retryOnDeadlock(system.db, async (tx) => {
    const row = await lockRow(tx, owner, id)
    if (!row || !shouldRemind(row, system.now())) return
    // A pending mail will name the current time. If it is not needed after all, a later sweep reminds.
    if ((await lockNotifications(tx, owner, id, 'client'))?.dueAt) return
    // Over the limit a later sweep retries, as long as the reminder is due.
    if (await countMail({ ...system, db: tx }, row, 'client')) return
    await updateRow(tx, owner, id, { remindedFor: row.startsAt })
    await notifyClient(system, tx, row, 'reminder')
  })
}
