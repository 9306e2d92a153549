import { neverDue } from '@flashsheet/contracts/queue/limits'
import type { Tx } from '@flashsheet/db/client'
import { preparedRead, idList, isAmong } from '@flashsheet/db/prepared-statements'
import { postTargets, posts } from '@flashsheet/db/schema/posts'
import { and, asc, eq, gt, inArray, isNull, lte, or, sql } from 'drizzle-orm'
import type { Everyone, OwnerId } from '../../../core/scope.ts'
import { isNotFinal } from './leases.ts'
import { titleColumns } from './target-columns.ts'

/** It waits for its slot, or for the queue to be resumed. A target due after its slot waits for something else; one that has begun or is final waits no longer. */
export const isQueued =
  sql<boolean>`("post_targets"."phase" = 'scheduled' and exists (select from queue_places where queue_places.target_id = "post_targets"."id" and "post_targets"."due_at" in (queue_places.slot_at, ${neverDue.toISOString()}::timestamptz)))`.as(
    'is_queued',
  )

/** It may still be changed or deleted. */
export const isNotStarted = and(isNotFinal, eq(postTargets.phase, 'scheduled'), isNull(postTargets.leaseToken))

const targetColumns = {
  id: postTargets.id,
  postId: postTargets.postId,
  userId: postTargets.userId,
  platform: postTargets.platform,
  accountId: postTargets.accountId,
  pageId: postTargets.pageId,
  pageName: postTargets.pageName,
  title: postTargets.title,
  message: postTargets.message,
  options: postTargets.options,
  crops: postTargets.crops,
  permalink: postTargets.permalink,
  quotaBucket: postTargets.quotaBucket,
  phase: postTargets.phase,
  awaitsAccount: postTargets.awaitsAccount,
  unclear: postTargets.unclear,
  leftBehind: postTargets.leftBehind,
  pageUrl: postTargets.pageUrl,
  dueAt: postTargets.dueAt,
  failedAt: postTargets.failedAt,
  leaseToken: postTargets.leaseToken,
  progress: postTargets.progress,
  errorMessage: postTargets.errorMessage,
  isQueued,
}

export type TargetRow = Pick<typeof postTargets.$inferSelect, Exclude<keyof typeof targetColumns, 'isQueued'>> & {
  isQueued: boolean
}

export async function insertTargets(tx: Tx, rows: readonly (typeof postTargets.$inferInsert)[]): Promise<void> {
  await tx.insert(postTargets).values([...rows])
}

const readTargets = preparedRead(targetColumns, ['owner', 'posts'], (select, values) =>
  select
    .from(postTargets)
    .where(and(eq(postTargets.userId, values.owner), isAmong(postTargets.postId, values.posts)))
    .orderBy(asc(postTargets.postId), asc(postTargets.id)),
)

/** The targets of these posts, each post's in the order they were created. */
export async function listTargets(db: Tx, owner: OwnerId, postIds: readonly string[]): Promise<TargetRow[]> {
  return postIds.length === 0 ? [] : await readTargets(db, { owner, posts: idList(postIds) })
}

/** The targets of one post, locked; lock the post first. */
export async function lockTargets(tx: Tx, owner: OwnerId, postId: string): Promise<TargetRow[]> {
  return await tx
    .select(targetColumns)
    .from(postTargets)
    .where(and(eq(postTargets.userId, owner), eq(postTargets.postId, postId)))
    .orderBy(asc(postTargets.id))
    .for('update')
}

export async function setTarget(
  tx: Tx,
  owner: OwnerId,
  id: string,
  patch: Pick<Partial<TargetRow>, 'title' | 'message' | 'dueAt' | 'awaitsAccount' | 'errorMessage'> & {
    waitedMs?: number
    updatedAt: Date
  },
): Promise<void> {
  await tx
    .update(postTargets)
    .set(patch)
    .where(and(eq(postTargets.userId, owner), eq(postTargets.id, id)))
}

/** The artist found the failed target on its page; `remoteId` if they picked it from a list. */
export async function setPosted(
  tx: Tx,
  owner: OwnerId,
  id: string,
  found: { permalink: string | null; remoteId?: string },
  now: Date,
): Promise<void> {
  await tx
    .update(postTargets)
    .set({
      phase: 'posted',
      postedAt: now,
      ...found,
      errorMessage: null,
      unclear: false,
      leftBehind: null,
      pageUrl: null,
      reconcileAt: null,
      updatedAt: now,
    })
    .where(and(eq(postTargets.userId, owner), eq(postTargets.id, id), eq(postTargets.phase, 'failed')))
}

/**
 * Reopens failed targets. A clearly failed one restarts with an empty checkpoint, held if `held`. An unclear one is confirmed with its
 * stored checkpoint, and `unanswered` is set so that it is not sent again.
 */
export async function reopenFailed(
  tx: Tx,
  owner: OwnerId,
  targets: readonly { id: string; unclear: boolean }[],
  { waitedMs, unanswered, held }: { waitedMs: number; unanswered: number; held: boolean },
  now: Date,
): Promise<void> {
  const common = {
    dueAt: now,
    tries: 0,
    polls: 0,
    waitedMs,
    awaitsAccount: false,
    unclear: false,
    leftBehind: null,
    pageUrl: null,
    errorMessage: null,
    progress: null,
    updatedAt: now,
  }
  const restarted = {
    checkpoint: {},
    remoteId: null,
    permalink: null,
    idsLapsed: false,
    firstPublishAt: null,
    lastPublishAt: null,
    lastPublishEndedAt: null,
    unanswered: 0,
    inconclusiveSince: null,
  }
  for (const { id, unclear } of targets) {
    await tx
      .update(postTargets)
      .set(
        unclear
          ? { ...common, phase: 'unknown', unanswered, inconclusiveSince: null }
          : { ...common, ...restarted, phase: 'scheduled', held },
      )
      .where(and(eq(postTargets.userId, owner), eq(postTargets.id, id), eq(postTargets.phase, 'failed')))
  }
}

/** Holds or releases targets that have not begun. Returns those it changed. */
export async function setHeld(tx: Tx, owner: OwnerId, held: boolean, now: Date) {
  return await tx
    .update(postTargets)
    .set({ held, updatedAt: now })
    .where(and(eq(postTargets.userId, owner), isNotStarted, eq(postTargets.held, !held)))
    .returning({ id: postTargets.id, dueAt: postTargets.dueAt })
}

/** Makes targets that waited for this account due now. Returns them. */
export async function releaseAwaiting(tx: Tx, owner: OwnerId, accountId: string, now: Date) {
  return await tx
    .update(postTargets)
    .set({ awaitsAccount: false, errorMessage: null, dueAt: now, updatedAt: now })
    .where(
      and(
        eq(postTargets.userId, owner),
        isNotFinal,
        eq(postTargets.accountId, accountId),
        eq(postTargets.awaitsAccount, true),
        isNull(postTargets.leaseToken),
      ),
    )
    .returning({ id: postTargets.id, dueAt: postTargets.dueAt, phase: postTargets.phase })
}

/** An account's targets that are not final, and are due after `from` or wait for the account; the next first. */
export async function listPlannedAfter(db: Tx, owner: OwnerId, accountId: string, from: Date) {
  return await db
    .select({ ...titleColumns, scheduledAt: posts.scheduledAt })
    .from(postTargets)
    .innerJoin(posts, eq(posts.id, postTargets.postId))
    .where(
      and(
        eq(postTargets.userId, owner),
        eq(postTargets.accountId, accountId),
        isNotFinal,
        or(gt(postTargets.dueAt, from), eq(postTargets.awaitsAccount, true)),
      ),
    )
    .orderBy(asc(postTargets.dueAt), asc(postTargets.id))
}

/** Sets `failed_at` of at most `limit` targets that failed before that column existed. Returns how many. */
export async function setFailedAt(db: Tx, _scope: Everyone, now: Date, limit: number): Promise<number> {
  // An index covers the rows without both times, in the order they were due.
  const withoutFailedAt = db
    .select({ id: postTargets.id })
    .from(postTargets)
    .where(
      and(
        isNull(postTargets.postedAt),
        isNull(postTargets.failedAt),
        lte(postTargets.dueAt, now),
        eq(postTargets.phase, 'failed'),
      ),
    )
    .limit(limit)
  const updated = await db
    .update(postTargets)
    .set({ failedAt: sql`${postTargets.updatedAt}` })
    .where(inArray(postTargets.id, withoutFailedAt))
  return updated.count
}

/** The owner and the post of a target. */
export async function findTargetPost(db: Tx, _scope: Everyone, id: string) {
  const [row] = await db
    .select({ userId: postTargets.userId, postId: postTargets.postId })
    .from(postTargets)
    .where(eq(postTargets.id, id))
  return row
}

/** Fails a held target that was due at `dueBefore`. False when it is not held, not due, or has begun. */
export async function failHeld(
  tx: Tx,
  _scope: Everyone,
  id: string,
  errorMessage: string,
  dueBefore: Date,
  now: Date,
): Promise<boolean> {
  const updated = await tx
    .update(postTargets)
    .set({ phase: 'failed', held: false, errorMessage, updatedAt: now })
    .where(
      and(
        eq(postTargets.id, id),
        eq(postTargets.held, true),
        eq(postTargets.phase, 'scheduled'),
        lte(postTargets.dueAt, dueBefore),
      ),
    )
  return updated.count === 1
}

/** An account, or one of its pages. */
export type Destination = { accountId: string; pageId?: string | undefined }

const goesTo = (owner: OwnerId, destination: Destination) =>
  and(
    eq(postTargets.userId, owner),
    eq(postTargets.accountId, destination.accountId),
    destination.pageId === undefined ? undefined : eq(postTargets.pageId, destination.pageId),
  )

const notStartedFor = (owner: OwnerId, destination: Destination, until: Date) =>
  and(goesTo(owner, destination), isNotStarted, lte(postTargets.createdAt, until))

/** Posts with targets for this destination that have not begun and were created by `until`, in lock order. */
export async function listNotStartedPosts(
  db: Tx,
  owner: OwnerId,
  destination: Destination,
  until: Date,
  limit: number,
) {
  const rows = await db
    .selectDistinct({ id: postTargets.postId })
    .from(postTargets)
    .where(notStartedFor(owner, destination, until))
    .orderBy(postTargets.postId)
    .limit(limit)
  return rows.map((row) => row.id)
}

/** Deletes the targets of one post for this destination that have not begun and were created by `until`. */
export async function deleteNotStarted(
  tx: Tx,
  owner: OwnerId,
  destination: Destination & { postId: string },
  until: Date,
): Promise<void> {
  await tx
    .delete(postTargets)
    .where(and(notStartedFor(owner, destination, until), eq(postTargets.postId, destination.postId)))
}

/**
 * Clears text, options, links and account of at most `limit` final targets created by `until`, and stops reconciling them. Returns how
 * many; fewer than `limit` when none are left.
 */
export async function clearFinalTargets(
  tx: Tx,
  owner: OwnerId,
  destination: Destination,
  until: Date,
  now: Date,
  limit: number,
): Promise<number> {
  const batch = tx
    .select({ id: postTargets.id })
    .from(postTargets)
    .where(
      and(
        goesTo(owner, destination),
        inArray(postTargets.phase, ['posted', 'failed']),
        lte(postTargets.createdAt, until),
      ),
    )
    .limit(limit)
    .for('no key update')
  const updated = await tx
    .update(postTargets)
    .set({
      title: '',
      message: '',
      options: {},
      permalink: null,
      remoteId: null,
      reconcileAt: null,
      checkpoint: {},
      accountId: null,
      updatedAt: now,
    })
    .where(inArray(postTargets.id, batch))
  return updated.count
}

/** How many targets for this destination are not final. */
export async function countUnfinishedFor(db: Tx, owner: OwnerId, destination: Destination): Promise<number> {
  return await db.$count(postTargets, and(goesTo(owner, destination), isNotFinal))
}
