import type { Tx } from '@flashsheet/db/client'
import { postTargets } from '@flashsheet/db/schema/posts'
import { queuePlaces, queues } from '@flashsheet/db/schema/queue'
import { and, asc, count, eq, gt, inArray, sql } from 'drizzle-orm'
import type { OwnerId } from '../../../core/scope.ts'
import { isNotFinal } from './leases.ts'
import { isNotStarted } from './targets.ts'

const columns = { timeZone: queues.timeZone, paused: queues.paused, slots: queues.slots }

export type QueueRow = Pick<typeof queues.$inferSelect, keyof typeof columns>

export async function findQueue(db: Tx, owner: OwnerId): Promise<QueueRow | undefined> {
  const [row] = await db.select(columns).from(queues).where(eq(queues.userId, owner))
  return row
}

/** The artist's queue, created where there is none, locked until the transaction ends. */
export async function lockQueue(tx: Tx, owner: OwnerId, now: Date): Promise<QueueRow> {
  await tx.insert(queues).values({ userId: owner, slots: [], updatedAt: now }).onConflictDoNothing()
  const [row] = await tx.select(columns).from(queues).where(eq(queues.userId, owner)).for('update')
  return row ?? { timeZone: null, paused: false, slots: [] }
}

export async function setQueue(tx: Tx, owner: OwnerId, queue: QueueRow, now: Date): Promise<void> {
  await tx
    .update(queues)
    .set({ ...queue, updatedAt: now })
    .where(eq(queues.userId, owner))
}

/** The places taken after `after`. */
export async function listReservedSlots(db: Tx, owner: OwnerId, after: Date) {
  return await db
    .select({ socialAccountId: queuePlaces.accountId, pageId: queuePlaces.pageId, slotAt: queuePlaces.slotAt })
    .from(queuePlaces)
    .where(and(eq(queuePlaces.userId, owner), gt(queuePlaces.slotAt, after)))
}

/** How many posts of the artist wait in the queue. */
export async function countWaiting(db: Tx, owner: OwnerId): Promise<number> {
  const [row] = await db
    .select({ posts: sql<number>`${count(sql`distinct ${postTargets.postId}`)}::int` })
    .from(queuePlaces)
    .innerJoin(postTargets, eq(postTargets.id, queuePlaces.targetId))
    .where(and(eq(queuePlaces.userId, owner), isNotFinal, eq(postTargets.phase, 'scheduled')))
  return row?.posts ?? 0
}

/** Throws where another target has the slot of its page already (`queue_places_once`). */
export async function insertQueuePlaces(tx: Tx, places: readonly (typeof queuePlaces.$inferInsert)[]): Promise<void> {
  await tx.insert(queuePlaces).values([...places])
}

/** Takes a post out of the queue. */
export async function deleteQueuePlaces(tx: Tx, owner: OwnerId, postId: string): Promise<void> {
  const targets = tx.select({ id: postTargets.id }).from(postTargets).where(eq(postTargets.postId, postId))
  await tx.delete(queuePlaces).where(and(eq(queuePlaces.userId, owner), inArray(queuePlaces.targetId, targets)))
}

const hasNotBegun = and(isNotStarted, eq(postTargets.awaitsAccount, false))

/** Makes queued targets with a slot after `now`, unless they have begun, due at `dueAt`. */
export async function pauseQueued(tx: Tx, owner: OwnerId, now: Date, dueAt: Date): Promise<void> {
  const placed = tx
    .select({ id: queuePlaces.targetId })
    .from(queuePlaces)
    .where(and(eq(queuePlaces.userId, owner), gt(queuePlaces.slotAt, now)))
  const isPaused = and(eq(postTargets.userId, owner), inArray(postTargets.id, placed), hasNotBegun)
  // Locked first, because a post may be leaving the queue: only another statement sees that its place is gone.
  await tx.select({ id: postTargets.id }).from(postTargets).where(isPaused).for('no key update')
  await tx.update(postTargets).set({ dueAt, updatedAt: now }).where(isPaused)
}

/** Posts that wait for the queue to be resumed, in the order of their slots. */
export async function listPausedPosts(
  tx: Tx,
  owner: OwnerId,
  dueAt: Date,
): Promise<{ postId: string; slotAt: Date }[]> {
  const slotAt = sql<Date>`min(${queuePlaces.slotAt})`.mapWith(queuePlaces.slotAt)
  return await tx
    .select({ postId: postTargets.postId, slotAt })
    .from(queuePlaces)
    .innerJoin(postTargets, eq(postTargets.id, queuePlaces.targetId))
    .where(and(eq(queuePlaces.userId, owner), eq(postTargets.dueAt, dueAt), hasNotBegun))
    .groupBy(postTargets.postId)
    .orderBy(asc(slotAt), asc(postTargets.postId))
}

/** Moves targets to another slot. */
export async function moveQueuePlaces(
  tx: Tx,
  owner: OwnerId,
  targetIds: readonly string[],
  slotAt: Date,
): Promise<void> {
  await tx
    .update(queuePlaces)
    .set({ slotAt })
    .where(and(eq(queuePlaces.userId, owner), inArray(queuePlaces.targetId, [...targetIds])))
}
