import type { Tx } from '@flashsheet/db/client'
import { appointmentLinks, appointments } from '@flashsheet/db/schema/appointments'
import { and, eq, gt, lt } from 'drizzle-orm'
import type { Everyone, OwnerId } from '../../../core/scope.ts'

export async function insertLink(
  tx: Tx,
  _owner: OwnerId,
  link: { hash: string; appointmentId: string; expiresAt: Date },
): Promise<void> {
  await tx.insert(appointmentLinks).values(link)
}

/** The appointment of a valid link. Takes no scope, since the token proves one. */
export async function findByLink(db: Tx, hash: string, now: Date): Promise<{ id: string; userId: string } | undefined> {
  const [row] = await db
    .select({ id: appointments.id, userId: appointments.userId })
    .from(appointmentLinks)
    .innerJoin(appointments, eq(appointments.id, appointmentLinks.appointmentId))
    .where(and(eq(appointmentLinks.hash, hash), gt(appointmentLinks.expiresAt, now)))
  return row
}

export async function deleteExpiredLinks(db: Tx, _scope: Everyone, now: Date): Promise<void> {
  await db.delete(appointmentLinks).where(lt(appointmentLinks.expiresAt, now))
}
