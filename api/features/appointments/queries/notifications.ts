import type { Tx } from '@flashsheet/db/client'
import { appointments, bookingNotifications } from '@flashsheet/db/schema/appointments'
import { and, asc, eq, getTableColumns, lte } from 'drizzle-orm'
import type { Everyone, OwnerId } from '../../../core/scope.ts'

export type Audience = (typeof bookingNotifications.$inferSelect)['audience']
/** The last state that the client or artist was notified of, and when the next mail is due. */
export type NotificationRow = Omit<typeof bookingNotifications.$inferSelect, 'appointmentId' | 'audience'>

const { appointmentId: _appointmentId, audience: _audience, ...columns } = getTableColumns(bookingNotifications)

/** Locks the row until the transaction ends. The caller has locked the appointment within the scope. */
export async function lockNotifications(
  tx: Tx,
  _owner: OwnerId,
  appointmentId: string,
  audience: Audience,
): Promise<NotificationRow | undefined> {
  const [row] = await tx
    .select(columns)
    .from(bookingNotifications)
    .where(and(eq(bookingNotifications.appointmentId, appointmentId), eq(bookingNotifications.audience, audience)))
    .for('update')
  return row
}

export async function saveNotifications(
  tx: Tx,
  _owner: OwnerId,
  appointmentId: string,
  audience: Audience,
  notification: NotificationRow,
): Promise<void> {
  await tx
    .insert(bookingNotifications)
    .values({ appointmentId, audience, ...notification })
    .onConflictDoUpdate({
      target: [bookingNotifications.appointmentId, bookingNotifications.audience],
      set: notification,
    })
}

/** Batched mails that are due, the longest due first. */
export async function listDueNotifications(db: Tx, _scope: Everyone, now: Date, limit: number) {
  return await db
    .select({ id: appointments.id, userId: appointments.userId, audience: bookingNotifications.audience })
    .from(bookingNotifications)
    .innerJoin(appointments, eq(appointments.id, bookingNotifications.appointmentId))
    .where(lte(bookingNotifications.dueAt, now))
    .orderBy(asc(bookingNotifications.dueAt))
    .limit(limit)
}
