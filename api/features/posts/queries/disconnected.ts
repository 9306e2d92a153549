import type { Tx } from '@flashsheet/db/client'
import { disconnectedPlaces, postTargets } from '@flashsheet/db/schema/posts'
import { socialAccounts } from '@flashsheet/db/schema/social'
import { and, eq, exists, lt, sql } from 'drizzle-orm'
import type { Everyone, OwnerId } from '../../../core/scope.ts'
import { isNotFinal } from './leases.ts'
import type { Place } from './targets.ts'

/** The account is the owner's. */
const isOf = (db: Tx, owner: OwnerId) =>
  exists(
    db
      .select({ id: socialAccounts.id })
      .from(socialAccounts)
      .where(and(eq(socialAccounts.id, disconnectedPlaces.accountId), eq(socialAccounts.userId, owner))),
  )

const named = ({ accountId, pageId = '' }: Place) =>
  and(eq(disconnectedPlaces.accountId, accountId), eq(disconnectedPlaces.pageId, pageId))

/**
 * Marks a place as disconnected now: nothing made for it until then begins any more. That moment is not before anything that is planned
 * there was made, whatever the clock of whoever made it said. Answers it.
 */
export async function markDisconnected(tx: Tx, owner: OwnerId, place: Place, now: Date): Promise<Date> {
  const newest = sql`(select max(${postTargets.createdAt}) from ${postTargets} where ${and(eq(postTargets.userId, owner), eq(postTargets.accountId, place.accountId), isNotFinal)})`
  const disconnectedAt = sql`greatest(${now.toISOString()}::timestamptz, ${newest})`
  const [row] = await tx
    .insert(disconnectedPlaces)
    .values({ accountId: place.accountId, pageId: place.pageId ?? '', disconnectedAt })
    .onConflictDoUpdate({ target: [disconnectedPlaces.accountId, disconnectedPlaces.pageId], set: { disconnectedAt } })
    .returning({ at: disconnectedPlaces.disconnectedAt })
  if (!row) throw new Error('an upsert returned no row')
  return row.at
}

/** When a place was disconnected of which not all has been let go; locked, so that one process at a time does. Undefined: none, or another has it. */
export async function lockDisconnected(tx: Tx, owner: OwnerId, place: Place): Promise<Date | undefined> {
  const [row] = await tx
    .select({ at: disconnectedPlaces.disconnectedAt })
    .from(disconnectedPlaces)
    .where(and(named(place), isOf(tx, owner)))
    .for('no key update', { skipLocked: true })
  return row?.at
}

/** All that was made for the place has been let go. */
export async function unmarkDisconnected(tx: Tx, owner: OwnerId, place: Place): Promise<void> {
  await tx.delete(disconnectedPlaces).where(and(named(place), isOf(tx, owner)))
}

/** Whether something made for the account, or a page of it, is still to be let go. */
export async function isLettingGo(db: Tx, owner: OwnerId, accountId: string): Promise<boolean> {
  const rows = await db
    .select({ pageId: disconnectedPlaces.pageId })
    .from(disconnectedPlaces)
    .where(and(eq(disconnectedPlaces.accountId, accountId), isOf(db, owner)))
    .limit(1)
  return rows.length > 0
}

/** Places whose job should have been done by now. */
export async function listDisconnected(
  db: Tx,
  _scope: Everyone,
  before: Date,
): Promise<{ owner: string; accountId: string; pageId: string }[]> {
  return await db
    .select({
      owner: socialAccounts.userId,
      accountId: disconnectedPlaces.accountId,
      pageId: disconnectedPlaces.pageId,
    })
    .from(disconnectedPlaces)
    .innerJoin(socialAccounts, eq(socialAccounts.id, disconnectedPlaces.accountId))
    .where(lt(disconnectedPlaces.disconnectedAt, before))
}
