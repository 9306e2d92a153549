import type { Tx } from '@flashsheet/db/client'
import { appointments, bookingNews } from '@flashsheet/db/schema/appointments'
import { and, asc, eq, getTableColumns, isNotNull, sql } from 'drizzle-orm'
import type { Everyone, OwnerId } from '../../../core/scope.ts'

export type Audience = (typeof bookingNews.$inferSelect)['audience']
/** The last state that the client or artist was notified of, and when the next mail is due. */
export type NotificationRow = Omit<typeof bookingNews.$inferSelect, 'appointmentId' | 'audience'>

const { appointmentId: _appointmentId, audience: _audience, ...columns } = getTableColumns(bookingNews)

/** Locks the row until the transaction ends. The caller has locked the appointment within the scope. */
export async function lockNotifications(
  tx: Tx,
  _owner: OwnerId,
  appointmentId: string,
  audience: Audience,
): Promise<NotificationRow | undefined> {
  const [row] = await tx
    .select(columns)
    .from(bookingNews)
    .where(and(eq(bookingNews.appointmentId, appointmentId), eq(bookingNews.audience, audience)))
    .for('update')
  return row
}

export async function saveNotifications(
  tx: Tx,
  _owner: OwnerId,
  appointmentId: string,
  audience: Audience,
  news: NotificationRow,
): Promise<void> {
  await tx
    .insert(bookingNews)
    .values({ appointmentId, audience, ...news })
    .onConflictDoUpdate({ target: [bookingNews.appointmentId, bookingNews.audience], set: news })
}

/** Batched mails that are due, the longest due first. */
export async function listDueNotifications(
  db: Tx,
  _scope: Everyone,
  now: Date,
  limit: number,
): Promise<{ userId: string; appointmentId: string; audience: Audience }[]> {
  return await db
    .select({ userId: appointments.userId, appointmentId: bookingNews.appointmentId, audience: bookingNews.audience })
    .from(bookingNews)
    .innerJoin(appointments, eq(appointments.id, bookingNews.appointmentId))
    .where(and(isNotNull(bookingNews.dueAt), sql`${bookingNews.dueAt} <= ${now.toISOString()}::timestamptz`))
    .orderBy(asc(bookingNews.dueAt))
    .limit(limit)
}
