import type { Tx } from '@flashsheet/db/client'
import { formRequests } from '@flashsheet/db/schema/media'
import { and, eq, lt } from 'drizzle-orm'
import type { Everyone, OwnerId } from '../../../core/scope.ts'

export type FormRequestRow = typeof formRequests.$inferSelect

/** False: the request id is taken. Waits for a transaction that is taking it. */
export async function insertFormRequest(tx: Tx, row: FormRequestRow): Promise<boolean> {
  return (await tx.insert(formRequests).values(row).onConflictDoNothing()).count === 1
}

export async function findFormRequest(db: Tx, owner: OwnerId, requestId: string): Promise<FormRequestRow | undefined> {
  const [row] = await db
    .select()
    .from(formRequests)
    .where(and(eq(formRequests.userId, owner), eq(formRequests.requestId, requestId)))
  return row
}

export async function deleteOldFormRequests(db: Tx, _scope: Everyone, before: Date): Promise<void> {
  await db.delete(formRequests).where(lt(formRequests.createdAt, before))
}
