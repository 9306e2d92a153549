import type { TargetPhase } from '@flashsheet/contracts/posts'
import type { Tx } from '@flashsheet/db/client'
import { liveHint, type LiveHint } from '@flashsheet/db/live'
import { presenceSpace } from '@flashsheet/db/presence'
import { users } from '@flashsheet/db/schema/auth'
import { postTargets, posts, publishAttempts, publishWorkers, type Checkpoint } from '@flashsheet/db/schema/posts'
import { and, eq, exists, isNotNull, isNull, lt, lte, ne, notExists, notInArray, or, sql } from 'drizzle-orm'
import type { Everyone } from '../../../core/scope.ts'

/** Seconds a worker is believed alive after its last sign; measured by the database's clock alone. */
export const leaseSeconds = 60

/**
 * Seconds after its end was put on record in which nobody touches what a worker left in the middle of its irreversible call: one
 * that lives after all gives up before (`silentMs` of `db/presence.ts`), and what was on its way arrives.
 */
export const graceSeconds = 15
/** Longer than a lease of the gone can last. */
const forgottenAfter = sql`make_interval(mins => 5)`

const finalPhases: TargetPhase[] = ['posted', 'failed']
const leaseEnd = sql`clock_timestamp() + make_interval(secs => ${leaseSeconds})`

const claimedColumns = {
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
  quotaBucket: postTargets.quotaBucket,
  phase: postTargets.phase,
  dueAt: postTargets.dueAt,
  tries: postTargets.tries,
  polls: postTargets.polls,
  waitedMs: postTargets.waitedMs,
  checkpoint: postTargets.checkpoint,
  progress: postTargets.progress,
  idsLapsed: postTargets.idsLapsed,
  errorMessage: postTargets.errorMessage,
  remoteId: postTargets.remoteId,
  permalink: postTargets.permalink,
  postedAt: postTargets.postedAt,
  createdAt: postTargets.createdAt,
  firstPublishAt: postTargets.firstPublishAt,
  lastPublishAt: postTargets.lastPublishAt,
}

/** A target under this worker's lease, with what its post says of the time. */
export type ClaimedTarget = Pick<typeof postTargets.$inferSelect, keyof typeof claimedColumns> & { scheduledAt: Date }

/** The worker that holds a target is gone; where it may have left an irreversible call on its way, for long enough (decision 21). */
const isAbandoned = (db: Tx) =>
  exists(
    db
      .select({ id: publishWorkers.id })
      .from(publishWorkers)
      .where(
        and(
          eq(publishWorkers.id, postTargets.leaseHolder),
          isNotNull(publishWorkers.goneAt),
          or(ne(postTargets.phase, 'publishing'), lt(publishWorkers.goneAt, sql`clock_timestamp() - make_interval(secs => ${graceSeconds})`)),
        ),
      ),
  )

/** Who claims: the lease's own token, and the worker, if it is sure that the others know of it. */
export type Claimer = { token: string; holder: number | null }

/**
 * Claims a due target under a lease: one conditional UPDATE, so that of two workers one gets it (design 4).
 * Undefined when it is final, held, not due, or another's.
 */
export async function claimTarget(db: Tx, _scope: Everyone, id: string, claimer: Claimer, now: Date): Promise<ClaimedTarget | undefined> {
  const [row] = await db
    .update(postTargets)
    .set({
      leaseToken: claimer.token,
      leaseHolder: claimer.holder,
      leaseUntil: leaseEnd,
      phase: sql`case when ${postTargets.phase} = 'scheduled' then 'claimed' else ${postTargets.phase} end`,
      awaitsAccount: false,
      updatedAt: now,
    })
    .from(posts)
    .where(
      and(
        eq(postTargets.id, id),
        eq(posts.id, postTargets.postId),
        notInArray(postTargets.phase, finalPhases),
        eq(postTargets.held, false),
        lte(postTargets.dueAt, now),
        or(isNull(postTargets.leaseUntil), lt(postTargets.leaseUntil, sql`clock_timestamp()`), isAbandoned(db)),
      ),
    )
    .returning({ ...claimedColumns, scheduledAt: posts.scheduledAt })
  return row
}

/** Why a target could not be claimed. */
export async function findUnclaimed(
  db: Tx,
  _scope: Everyone,
  id: string,
): Promise<{ phase: TargetPhase; held: boolean; dueAt: Date; leased: boolean; postId: string } | undefined> {
  const [row] = await db
    .select({
      phase: postTargets.phase,
      held: postTargets.held,
      dueAt: postTargets.dueAt,
      leased: sql<boolean>`coalesce(${postTargets.leaseUntil} >= clock_timestamp(), false)`,
      postId: postTargets.postId,
    })
    .from(postTargets)
    .where(eq(postTargets.id, id))
  return row
}

export type TargetPatch = Partial<
  Pick<
    typeof postTargets.$inferInsert,
    | 'phase'
    | 'dueAt'
    | 'awaitsAccount'
    | 'unclear'
    | 'tries'
    | 'polls'
    | 'waitedMs'
    | 'checkpoint'
    | 'progress'
    | 'errorMessage'
    | 'remoteId'
    | 'permalink'
    | 'postedAt'
    | 'lookAgainAt'
    | 'firstPublishAt'
    | 'lastPublishAt'
    | 'idsLapsed'
    | 'updatedAt'
  >
>

const mine = (id: string, leaseToken: string) => and(eq(postTargets.id, id), eq(postTargets.leaseToken, leaseToken))

/** Says "still alive". False when the lease is another's by now. */
export async function renewLease(db: Tx, _scope: Everyone, id: string, leaseToken: string): Promise<boolean> {
  const rows = await db.update(postTargets).set({ leaseUntil: leaseEnd }).where(mine(id, leaseToken)).returning({ id: postTargets.id })
  return rows.length === 1
}

/** Writes under the lease and renews it, telling `hint` in the same statement. False when the lease is another's by now. */
export async function writeLeased(db: Tx, _scope: Everyone, id: string, leaseToken: string, patch: TargetPatch, hint: LiveHint | undefined): Promise<boolean> {
  const rows = await db
    .update(postTargets)
    .set({ ...patch, leaseUntil: leaseEnd })
    .where(mine(id, leaseToken))
    .returning({ id: postTargets.id, ...(hint ? { told: liveHint(hint) } : {}) })
  return rows.length === 1
}

/** Merges into the checkpoint under the lease and answers the whole; undefined when the lease is another's by now. */
export async function mergeCheckpoint(db: Tx, _scope: Everyone, id: string, leaseToken: string, patch: Checkpoint): Promise<Checkpoint | undefined> {
  const [row] = await db
    .update(postTargets)
    .set({ checkpoint: sql`${postTargets.checkpoint} || ${JSON.stringify(patch)}::jsonb`, leaseUntil: leaseEnd })
    .where(mine(id, leaseToken))
    .returning({ checkpoint: postTargets.checkpoint })
  return row?.checkpoint
}

/** Writes a last time under the lease and lets go of it, telling `hint` in the same statement. False when the lease is another's by now. */
export async function releaseLease(tx: Tx, _scope: Everyone, id: string, leaseToken: string, patch: TargetPatch, hint?: LiveHint): Promise<boolean> {
  const rows = await tx
    .update(postTargets)
    .set({ ...patch, leaseToken: null, leaseHolder: null, leaseUntil: null })
    .where(mine(id, leaseToken))
    .returning({ id: postTargets.id, ...(hint ? { told: liveHint(hint) } : {}) })
  return rows.length === 1
}

/**
 * Targets that are due since `before` and that nobody works on, the longest due first (design 4: the sweep). What is held
 * because its artist was deactivated counts from `deactivatedBefore` on only: until then it waits.
 */
export async function listStranded(db: Tx, _scope: Everyone, before: Date, deactivatedBefore: Date, limit: number): Promise<{ id: string; dueAt: Date; phase: TargetPhase }[]> {
  return await db
    .select({ id: postTargets.id, dueAt: postTargets.dueAt, phase: postTargets.phase })
    .from(postTargets)
    .where(
      and(
        notInArray(postTargets.phase, finalPhases),
        lte(postTargets.dueAt, before),
        or(isNull(postTargets.leaseUntil), lt(postTargets.leaseUntil, sql`clock_timestamp()`)),
        or(
          eq(postTargets.held, false),
          lte(postTargets.dueAt, deactivatedBefore),
          notExists(db.select({ id: users.id }).from(users).where(and(eq(users.id, postTargets.userId), eq(users.isActive, false)))),
        ),
      ),
    )
    .orderBy(postTargets.dueAt)
    .limit(limit)
}

/**
 * Puts on record which workers' sessions have ended, for good: their locks are taken while that is written, so that none comes
 * back unseen. Answers whether any is on record.
 */
export async function recordGone(db: Tx, _scope: Everyone): Promise<boolean> {
  await db
    .update(publishWorkers)
    .set({ goneAt: sql`clock_timestamp()` })
    .where(and(isNull(publishWorkers.goneAt), sql`pg_try_advisory_xact_lock(${presenceSpace}, ${publishWorkers.id})`))
  const gone = await db.select({ id: publishWorkers.id }).from(publishWorkers).where(isNotNull(publishWorkers.goneAt)).limit(1)
  return gone.length > 0
}

/** Due targets whose worker is gone and which another may take over, the longest due first. */
export async function listAbandoned(db: Tx, _scope: Everyone, now: Date, limit: number): Promise<{ id: string; dueAt: Date }[]> {
  return await db
    .select({ id: postTargets.id, dueAt: postTargets.dueAt })
    .from(postTargets)
    .where(and(notInArray(postTargets.phase, finalPhases), lte(postTargets.dueAt, now), isNotNull(postTargets.leaseHolder), isAbandoned(db)))
    .orderBy(postTargets.dueAt)
    .limit(limit)
}

/** Forgets workers whose leases have all run out. */
export async function forgetGone(db: Tx, _scope: Everyone): Promise<void> {
  await db.delete(publishWorkers).where(lt(publishWorkers.goneAt, sql`clock_timestamp() - ${forgottenAfter}`))
}

export type Attempt = Pick<typeof publishAttempts.$inferInsert, 'toPhase' | 'errorClass' | 'errorCode' | 'errorMessage'>

export async function insertAttempt(
  tx: Tx,
  _scope: Everyone,
  attempt: { id: string; targetId: string; fromPhase: TargetPhase; startedAt: Date },
): Promise<void> {
  await tx.insert(publishAttempts).values(attempt)
}

export async function finishAttempt(tx: Tx, _scope: Everyone, id: string, finishedAt: Date, attempt: Attempt): Promise<void> {
  await tx
    .update(publishAttempts)
    .set({ ...attempt, finishedAt })
    .where(eq(publishAttempts.id, id))
}
