import type { Tx } from '@flashsheet/db/client'
import { preparedStatement } from '@flashsheet/db/prepared-statements'
import { postTargets } from '@flashsheet/db/schema/posts'
import { quotaBuckets, quotaUses } from '@flashsheet/db/schema/quotas'
import { and, asc, count, desc, eq, gt, gte, inArray, isNotNull, isNull, lt, ne, sql, type SQL } from 'drizzle-orm'
import type { Everyone, OwnerId } from '../../../core/scope.ts'
import { isNotFinal } from './leases.ts'

// An allowance is shared between artists, so these queries take no owner. They return numbers and times, never another artist's posts.

export type BucketRow = Omit<typeof quotaBuckets.$inferSelect, 'id'>
const emptyBucket: BucketRow = { fullUntil: null, reportedLimit: null, reportedUsed: null, reportedAt: null }

/** The stored state of an allowance; all null where none is stored. */
export async function findBucket(db: Tx, _scope: Everyone, id: string): Promise<BucketRow> {
  const [row] = await db.select().from(quotaBuckets).where(eq(quotaBuckets.id, id))
  return row ?? emptyBucket
}

/** Locks an allowance until the transaction ends, so that the last use is reserved once. */
export async function lockBucket(tx: Tx, scope: Everyone, id: string): Promise<BucketRow> {
  await tx.insert(quotaBuckets).values({ id }).onConflictDoNothing()
  const [row] = await tx.select().from(quotaBuckets).where(eq(quotaBuckets.id, id)).for('update')
  // Deleted between the two statements, because it was unused for weeks (`deleteUnusedBuckets`).
  return row ?? (await lockBucket(tx, scope, id))
}

export async function setBucket(db: Tx, _scope: Everyone, id: string, patch: Partial<BucketRow>): Promise<void> {
  await db
    .insert(quotaBuckets)
    .values({ id, ...patch })
    .onConflictDoUpdate({ target: quotaBuckets.id, set: patch })
}

const ownedBy = (owner: OwnerId | undefined) => (owner === undefined ? undefined : eq(quotaUses.userId, owner))

/** When uses since `since` were counted, the oldest first; only the owner's, if one is given. */
export async function listDrawn(db: Tx, _scope: Everyone, bucketId: string, since: Date, owner?: OwnerId) {
  const rows = await db
    .select({ at: quotaUses.drawnAt })
    .from(quotaUses)
    .where(and(eq(quotaUses.bucketId, bucketId), gte(quotaUses.drawnAt, since), ownedBy(owner)))
    .orderBy(asc(quotaUses.drawnAt))
  return rows.flatMap((row) => row.at ?? [])
}

/** How many uses are reserved but not counted by the network yet. */
export async function countReserved(db: Tx, _scope: Everyone, bucketId: string, owner?: OwnerId): Promise<number> {
  const isReserved = and(
    eq(quotaUses.bucketId, bucketId),
    sql`${quotaUses.state} = 'taken'`,
    isNull(quotaUses.drawnAt),
    isNotNull(quotaUses.targetId),
    ownedBy(owner),
  )
  return await db.$count(quotaUses, isReserved)
}

export type WaitingTarget = { targetId: string; since: Date }

/** The first `limit` targets that wait, before `before` if given; held and final ones do not count. */
const firstWaiting = (db: Tx, bucketId: string, limit: number, before?: WaitingTarget, owner?: OwnerId) =>
  db
    .select({ id: postTargets.id })
    .from(quotaUses)
    .innerJoin(postTargets, eq(postTargets.id, quotaUses.targetId))
    .where(
      and(
        eq(quotaUses.bucketId, bucketId),
        sql`${quotaUses.state} = 'waiting'`,
        isNotFinal,
        eq(postTargets.held, false),
        ownedBy(owner),
        before &&
          sql`(${quotaUses.since}, ${quotaUses.targetId}) < (${before.since.toISOString()}::timestamptz, ${before.targetId}::uuid)`,
      ),
    )
    .orderBy(asc(quotaUses.since), asc(quotaUses.targetId))
    .limit(limit)

/**
 * How many targets wait, before `before` if given, counted up to `limit`. The limit keeps each target of a long queue from reading
 * all of it; a larger number would not change the decision.
 */
export async function countWaitingBefore(
  db: Tx,
  _scope: Everyone,
  bucketId: string,
  limit: number,
  before?: WaitingTarget,
  owner?: OwnerId,
): Promise<number> {
  const [row] = await db.select({ n: count() }).from(firstWaiting(db, bucketId, limit, before, owner).as('first'))
  return row?.n ?? 0
}

const hasPosition = and(sql`${quotaUses.state} = 'waiting'`, sql`${quotaUses.position} is not null`)

/** Estimates by stored positions how many targets wait before this one, ended waits included; one without a position comes last. */
export async function estimateWaitingBefore(db: Tx, _scope: Everyone, bucketId: string, before?: WaitingTarget) {
  const edge = (order: SQL) =>
    db
      .select({ position: quotaUses.position })
      .from(quotaUses)
      .where(and(eq(quotaUses.bucketId, bucketId), hasPosition))
      .orderBy(order)
      .limit(1)
  const [[head], [last], [own]] = await Promise.all([
    edge(asc(quotaUses.position)),
    edge(desc(quotaUses.position)),
    before
      ? db
          .select({ position: quotaUses.position })
          .from(quotaUses)
          .where(and(eq(quotaUses.targetId, before.targetId), eq(quotaUses.bucketId, bucketId), hasPosition))
      : [],
  ])
  return head ? (own?.position ?? (last?.position ?? 0) + 1) - (head.position ?? 0) : 0
}

/** Allowances that some target waits for. */
export async function listBucketsWaitedFor(db: Tx, _scope: Everyone) {
  return await db
    .select({ bucketId: quotaUses.bucketId, userId: sql<string | null>`min(${quotaUses.userId}::text)` })
    .from(quotaUses)
    .where(sql`${quotaUses.state} = 'waiting'`)
    .groupBy(quotaUses.bucketId)
}

/** Makes those of the first `limit` waiting targets due now that are due later. Returns the ids of the changed ones. */
export async function releaseFirstWaiting(tx: Tx, _scope: Everyone, bucketId: string, limit: number, now: Date) {
  const first = firstWaiting(tx, bucketId, limit)
  // Locked first, because a target may be moved at the same time: only another statement sees that it waits no longer.
  const locked = await tx
    .select({ id: postTargets.id })
    .from(postTargets)
    .where(inArray(postTargets.id, first))
    .for('no key update')
  const lockedIds = locked.map((row) => row.id)
  const rows = await tx
    .update(postTargets)
    .set({ dueAt: now })
    .where(
      and(
        inArray(postTargets.id, lockedIds),
        inArray(postTargets.id, first),
        gt(postTargets.dueAt, now),
        isNull(postTargets.leaseToken),
        eq(postTargets.awaitsAccount, false),
      ),
    )
    .returning({ id: postTargets.id })
  return rows.map((row) => row.id)
}

/** When scheduled targets will use an allowance, after `from` and up to `to` inclusive; without those that already wait for it. */
export async function listPlanned(db: Tx, _scope: Everyone, bucketId: string, from: Date, to: Date, owner?: OwnerId) {
  const rows = await db
    .select({ at: postTargets.dueAt })
    .from(postTargets)
    .where(
      and(
        eq(postTargets.quotaBucket, bucketId),
        isNotFinal,
        eq(postTargets.phase, 'scheduled'),
        eq(postTargets.held, false),
        owner === undefined ? undefined : eq(postTargets.userId, owner),
        gt(postTargets.dueAt, from),
        sql`${postTargets.dueAt} <= ${to.toISOString()}::timestamptz`,
        sql`not exists (select 1 from ${quotaUses} where ${quotaUses.targetId} = ${postTargets.id} and ${quotaUses.state} = 'waiting')`,
      ),
    )
    .orderBy(asc(postTargets.dueAt))
  return rows.map((row) => row.at)
}

/** The use of a target that is not final. */
export async function findOpenUse(db: Tx, _scope: Everyone, targetId: string) {
  const [row] = await db
    .select({ state: quotaUses.state, drawnAt: quotaUses.drawnAt })
    .from(quotaUses)
    .where(and(eq(quotaUses.targetId, targetId), ne(quotaUses.state, 'done')))
  return row
}

/** The position after the last waiting one; 1 when none waits. */
const nextPosition = (bucketId: string) =>
  sql`coalesce((select max(line.place) from ${quotaUses} line where line.bucket_id = ${bucketId} and line.state = 'waiting' and line.place is not null), 0) + 1`

type OpenUse = typeof quotaUses.$inferInsert & { targetId: string; state: 'waiting' | 'taken'; drawnAt: Date | null }

/** Queues a target, at its stored position if any, or reserves a use for it. A target has one open use at most. Lock the allowance first. */
export async function upsertUse(tx: Tx, _scope: Everyone, use: OpenUse): Promise<void> {
  const storedPosition = sql`case when ${quotaUses.state} = 'waiting' and ${quotaUses.bucketId} = excluded.bucket_id then ${quotaUses.position} end`
  await tx
    .insert(quotaUses)
    .values({ ...use, position: use.state === 'waiting' ? nextPosition(use.bucketId) : null })
    .onConflictDoUpdate({
      target: quotaUses.targetId,
      targetWhere: sql`${quotaUses.state} <> 'done'`,
      set: {
        bucketId: use.bucketId,
        state: use.state,
        since: use.since,
        drawnAt: use.drawnAt,
        position: use.state === 'waiting' ? sql`coalesce(${storedPosition}, excluded.place)` : null,
      },
    })
}

/** The network did not count the use; it stays reserved. */
export async function clearDrawnAt(db: Tx, _scope: Everyone, targetId: string): Promise<void> {
  await db
    .update(quotaUses)
    .set({ drawnAt: null })
    .where(and(eq(quotaUses.targetId, targetId), eq(quotaUses.state, 'taken')))
}

const isCounted = and(eq(quotaUses.state, 'taken'), isNotNull(quotaUses.drawnAt))
const endOpenUse = preparedStatement<{ id: string }>({ id: quotaUses.id }, (db, value) => {
  const counted = db
    .update(quotaUses)
    .set({ state: 'done' })
    .where(and(eq(quotaUses.targetId, value('targetId')), isCounted))
    .returning({ id: quotaUses.id })
  // One statement can do both, because no row matches both conditions.
  const other = and(eq(quotaUses.targetId, value('targetId')), ne(quotaUses.state, 'done'), sql`not (${isCounted})`)
  return sql`with counted as ${counted} delete from ${quotaUses} where ${other} returning ${quotaUses.id}`
})

/** Ends a target's open use: a counted one becomes `done`, any other is deleted. */
export async function endUse(db: Tx, _scope: Everyone, targetId: string): Promise<void> {
  await endOpenUse(db, { targetId })
}

/** Deletes uses counted before `before`, and open ones whose target was deleted. */
export async function deleteOldUses(db: Tx, _scope: Everyone, before: Date): Promise<void> {
  await db.delete(quotaUses).where(lt(quotaUses.drawnAt, before))
  await db
    .delete(quotaUses)
    .where(and(isNull(quotaUses.targetId), inArray(quotaUses.state, ['waiting', 'taken']), isNull(quotaUses.drawnAt)))
}
