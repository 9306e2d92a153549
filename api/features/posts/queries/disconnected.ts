import type { Tx } from '@flashsheet/db/client'
import { disconnections, postTargets } from '@flashsheet/db/schema/posts'
import { socialAccounts } from '@flashsheet/db/schema/social'
import { and, eq, exists, lt, sql } from 'drizzle-orm'
import type { Everyone, OwnerId } from '../../../core/scope.ts'
import { isNotFinal } from './leases.ts'
import type { Destination } from './targets.ts'

/** The account is the owner's. */
const isOf = (db: Tx, owner: OwnerId) =>
  exists(
    db
      .select({ id: socialAccounts.id })
      .from(socialAccounts)
      .where(and(eq(socialAccounts.id, disconnections.accountId), eq(socialAccounts.userId, owner))),
  )

const isFor = ({ accountId, pageId = '' }: Destination) =>
  and(eq(disconnections.accountId, accountId), eq(disconnections.pageId, pageId))

/**
 * Marks a destination as disconnected now: targets created before then do not begin. The instant is at least the newest planned target's
 * `createdAt`, since the clocks of two processes differ. Returns it.
 */
export async function markDisconnected(tx: Tx, owner: OwnerId, destination: Destination, now: Date): Promise<Date> {
  const newest = sql`(select max(${postTargets.createdAt}) from ${postTargets} where ${and(eq(postTargets.userId, owner), eq(postTargets.accountId, destination.accountId), isNotFinal)})`
  const disconnectedAt = sql`greatest(${now.toISOString()}::timestamptz, ${newest})`
  const [row] = await tx
    .insert(disconnections)
    .values({ accountId: destination.accountId, pageId: destination.pageId ?? '', disconnectedAt })
    .onConflictDoUpdate({ target: [disconnections.accountId, disconnections.pageId], set: { disconnectedAt } })
    .returning({ at: disconnections.disconnectedAt })
  if (!row) throw new Error('an upsert returned no row')
  return row.at
}

/** When a destination with posts left to cancel was disconnected, locked. Undefined: nothing is left, or another process has the lock. */
export async function lockDisconnected(tx: Tx, owner: OwnerId, destination: Destination): Promise<Date | undefined> {
  const [row] = await tx
    .select({ at: disconnections.disconnectedAt })
    .from(disconnections)
    .where(and(isFor(destination), isOf(tx, owner)))
    .for('no key update', { skipLocked: true })
  return row?.at
}

/** Removes the mark once nothing is left to cancel for the destination. */
export async function unmarkDisconnected(tx: Tx, owner: OwnerId, destination: Destination): Promise<void> {
  await tx.delete(disconnections).where(and(isFor(destination), isOf(tx, owner)))
}

/** Whether posts to the account or one of its pages are still to be cancelled. */
export async function hasPostsToCancel(db: Tx, owner: OwnerId, accountId: string): Promise<boolean> {
  return (await db.$count(disconnections, and(eq(disconnections.accountId, accountId), isOf(db, owner)))) > 0
}

/** Destinations disconnected before `before` that still have posts to cancel. */
export async function listDisconnected(db: Tx, _scope: Everyone, before: Date) {
  return await db
    .select({ owner: socialAccounts.userId, accountId: disconnections.accountId, pageId: disconnections.pageId })
    .from(disconnections)
    .innerJoin(socialAccounts, eq(socialAccounts.id, disconnections.accountId))
    .where(lt(disconnections.disconnectedAt, before))
}
