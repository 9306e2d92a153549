import type { Tx } from '@flashsheet/db/client'
import { postTargets } from '@flashsheet/db/schema/posts'
import { and, eq, gt, inArray, isNotNull, lt } from 'drizzle-orm'
import type { Everyone, OwnerId } from '../../../core/scope.ts'
import { isUnleased, type TargetPatch, type StoredTarget } from './leases.ts'

/** A target of the owner's post. */
export async function findTarget(
  db: Tx,
  owner: OwnerId,
  postId: string,
  id: string,
): Promise<StoredTarget | undefined> {
  const [row] = await db
    .select()
    .from(postTargets)
    .where(and(eq(postTargets.userId, owner), eq(postTargets.postId, postId), eq(postTargets.id, id)))
  return row
}

/** A posted target that will be reconciled, now or later. */
export async function findTargetToReconcile(db: Tx, _scope: Everyone, id: string): Promise<StoredTarget | undefined> {
  const [row] = await db
    .select()
    .from(postTargets)
    .where(and(eq(postTargets.id, id), eq(postTargets.phase, 'posted'), isNotNull(postTargets.reconcileAt)))
  return row
}

/** Writes the result of reconciling. False when another process has changed `reconcileAt` since it was read. */
export async function writeReconciled(
  tx: Tx,
  _scope: Everyone,
  id: string,
  expectedAt: Date,
  patch: TargetPatch & { reconcileAt: Date | null },
): Promise<boolean> {
  const updated = await tx
    .update(postTargets)
    .set(patch)
    .where(and(eq(postTargets.id, id), eq(postTargets.phase, 'posted'), eq(postTargets.reconcileAt, expectedAt)))
  return updated.count === 1
}

/** Posted targets whose next reconciliation is overdue. */
export async function listOverdueReconciles(db: Tx, _scope: Everyone, before: Date, limit: number) {
  const rows = await db
    .select({ id: postTargets.id, at: postTargets.reconcileAt })
    .from(postTargets)
    .where(lt(postTargets.reconcileAt, before))
    .orderBy(postTargets.reconcileAt)
    .limit(limit)
  return rows.flatMap((row) => (row.at ? [{ id: row.id, at: row.at }] : []))
}

const postedAs = (publishId: string) => eq(postTargets.tiktokPublishId, publishId)

/** Makes unleased targets that wait for the outcome of this TikTok publish id due now. Returns their ids. */
export async function bringPublishForward(tx: Tx, _scope: Everyone, publishId: string, now: Date): Promise<string[]> {
  const rows = await tx
    .update(postTargets)
    .set({ dueAt: now })
    .where(
      and(
        postedAs(publishId),
        inArray(postTargets.phase, ['publishing', 'confirming', 'unknown']),
        gt(postTargets.dueAt, now),
        isUnleased,
      ),
    )
    .returning({ id: postTargets.id })
  return rows.map((row) => row.id)
}

/** As `bringPublishForward`, for posted targets that wait for their public address. */
export async function bringReconcileForward(tx: Tx, _scope: Everyone, publishId: string, now: Date): Promise<string[]> {
  const rows = await tx
    .update(postTargets)
    .set({ reconcileAt: now })
    .where(and(postedAs(publishId), eq(postTargets.phase, 'posted'), gt(postTargets.reconcileAt, now)))
    .returning({ id: postTargets.id })
  return rows.map((row) => row.id)
}
