import type { Tx } from '@flashsheet/db/client'
import { liveChannel, type LiveHint } from '@flashsheet/db/live'
import { livenessLockSpace } from '@flashsheet/db/worker-liveness'
import { frequentWrite, type Value } from '@flashsheet/db/reads'
import { users } from '@flashsheet/db/schema/auth'
import { quotaUses } from '@flashsheet/db/schema/quotas'
import {
  disconnections,
  postTargets,
  posts,
  publishAttempts,
  publishWorkers,
  type Checkpoint,
} from '@flashsheet/db/schema/posts'
import {
  and,
  eq,
  exists,
  gt,
  gte,
  isNotNull,
  isNull,
  lt,
  lte,
  ne,
  not,
  notExists,
  or,
  sql,
  type SQL,
} from 'drizzle-orm'
import type { Everyone } from '../../../core/scope.ts'
import { commonColumns } from './target-columns.ts'

/** Seconds a worker is believed alive after its last sign; measured by the database's clock alone. */
export const leaseSeconds = 60

/**
 * Seconds after its end was put on record in which nobody touches what a worker left in the middle of its irreversible call: one
 * that lives after all gives up before (`silentMs` of `db/worker-liveness.ts`), and what was on its way arrives.
 */
export const graceSeconds = 15
/** Longer than a lease of the gone can last. */
const forgottenAfter = sql`make_interval(mins => 5)`

/** Not final yet. Literals as in the index, not parameters, so that every plan can use it. The phase covers rows that failed before `failed_at` existed. */
export const isNotFinal = sql`${postTargets.postedAt} is null and ${postTargets.failedAt} is null and ${postTargets.phase} not in ('posted', 'failed')`
/** No worker counts as at work on it, whatever became of the last one. */
export const isUnleased = or(isNull(postTargets.leaseUntil), lt(postTargets.leaseUntil, sql`clock_timestamp()`))
const leaseEnd = sql`clock_timestamp() + make_interval(secs => ${leaseSeconds})`

const claimedColumns = {
  ...commonColumns,
  quotaBucket: postTargets.quotaBucket,
  phase: postTargets.phase,
  tries: postTargets.tries,
  polls: postTargets.polls,
  waitedMs: postTargets.waitedMs,
  checkpoint: postTargets.checkpoint,
  progress: postTargets.progress,
  idsLapsed: postTargets.idsLapsed,
  errorMessage: postTargets.errorMessage,
  remoteId: postTargets.remoteId,
  createdAt: postTargets.createdAt,
  firstPublishAt: postTargets.firstPublishAt,
  lastPublishAt: postTargets.lastPublishAt,
  lastPublishEndedAt: postTargets.lastPublishEndedAt,
  unanswered: postTargets.unanswered,
  silentSince: postTargets.silentSince,
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
          or(
            ne(postTargets.phase, 'publishing'),
            lt(publishWorkers.goneAt, sql`clock_timestamp() - make_interval(secs => ${graceSeconds})`),
          ),
        ),
      ),
  )

/** Its account or page was disconnected after it was made: what has not begun there is about to be deleted. */
const isDisconnected = (db: Tx) =>
  exists(
    db
      .select({ accountId: disconnections.accountId })
      .from(disconnections)
      .where(
        and(
          eq(disconnections.accountId, postTargets.accountId),
          sql`${disconnections.pageId} in ('', ${postTargets.pageId})`,
          gte(disconnections.disconnectedAt, postTargets.createdAt),
        ),
      ),
  )

/** Who claims: the lease's own token, the worker, if it is sure that the others know of it, and the id of the attempt this is. */
export type Claimer = { token: string; holder: number | null; attemptId: string }

/** A poll that finds nothing new is no try, and is recorded only when it ends in something. */
export const isPoll = (target: Pick<ClaimedTarget, 'polls' | 'tries'>): boolean =>
  target.polls > 0 && target.tries === 0

const claimDue = frequentWrite<ClaimedTarget>({ ...claimedColumns, scheduledAt: posts.scheduledAt }, (db, value) => {
  const claimed = db
    .update(postTargets)
    .set({
      leaseToken: value('token'),
      leaseHolder: value('holder'),
      leaseUntil: leaseEnd,
      phase: sql`case when ${postTargets.phase} = 'scheduled' then 'claimed' else ${postTargets.phase} end`,
      awaitsAccount: false,
      updatedAt: value('now', postTargets.updatedAt),
    })
    .from(posts)
    .where(
      and(
        eq(postTargets.id, value('id')),
        eq(posts.id, postTargets.postId),
        isNotFinal,
        eq(postTargets.held, false),
        lte(postTargets.dueAt, value('now', postTargets.dueAt)),
        or(sql`${postTargets.phase} <> 'scheduled'`, not(isDisconnected(db))),
        or(isUnleased, isAbandoned(db)),
      ),
    )
    .returning({ ...claimedColumns, scheduledAt: posts.scheduledAt })
  const noted = sql`insert into ${publishAttempts} (id, target_id, from_phase, started_at)
    select ${value('attemptId')}::uuid, id, phase, ${value('now', publishAttempts.startedAt)}::timestamptz from claimed where not (polls > 0 and tries = 0)`
  // Only the first claim changes what a screen shows.
  const notified = sql`case when phase = 'claimed' then pg_notify(${liveChannel}, json_build_object('owner', user_id, 'topic', 'posts', 'id', post_id)::text) end`
  return sql`with claimed as ${claimed}, noted as (${noted}) select *, ${notified} from claimed`
})

/**
 * Claims a due target under a lease: one conditional UPDATE, so that of two workers one gets it. The attempt that
 * begins is recorded with it, unless it is a poll. Undefined when it is final, held, not due, or another's.
 */
export async function claimTarget(db: Tx, _scope: Everyone, id: string, claimer: Claimer, now: Date) {
  const [row] = await claimDue(db, { ...claimer, id, now })
  return row
}

/** Why a target could not be claimed. */
export async function findUnclaimed(db: Tx, _scope: Everyone, id: string) {
  const [row] = await db
    .select({
      phase: postTargets.phase,
      held: postTargets.held,
      dueAt: postTargets.dueAt,
      leased: sql<boolean>`coalesce(${postTargets.leaseUntil} >= clock_timestamp(), false)`,
    })
    .from(postTargets)
    .where(eq(postTargets.id, id))
  return row
}

/** Written once, by the lease alone, or by a trigger. */
type FixedColumns =
  | Exclude<keyof typeof commonColumns, 'permalink'>
  | ('quotaBucket' | 'createdAt')
  | ('leaseToken' | 'leaseHolder' | 'leaseUntil')
  | ('failedAt' | 'tiktokPublishId')

export type TargetPatch = Partial<Omit<typeof postTargets.$inferInsert, FixedColumns>>

/** Seconds a lease must have left when what cannot be taken back leaves under it. */
export const callMarginSeconds = 5

/** The lease's worker is not recorded as dead, so no other worker may claim before the lease, or the grace period of a call under way, is over. */
const isHolderHere = (db: Tx) =>
  notExists(
    db
      .select({ id: publishWorkers.id })
      .from(publishWorkers)
      .where(and(eq(publishWorkers.id, postTargets.leaseHolder), isNotNull(publishWorkers.goneAt))),
  )

/** Whether this worker still holds the lease and will for a while: no other worker has claimed the target or may yet. */
export async function isLeaseHeld(db: Tx, _scope: Everyone, id: string, leaseToken: string): Promise<boolean> {
  return (await askLeaseHeld(db, { id, leaseToken })).length === 1
}

const askLeaseHeld = frequentWrite<{ id: string }>({ id: postTargets.id }, (db, value) =>
  db
    .select({ id: postTargets.id })
    .from(postTargets)
    .where(
      and(
        eq(postTargets.id, value('id')),
        eq(postTargets.leaseToken, value('leaseToken')),
        gt(postTargets.leaseUntil, sql`clock_timestamp() + make_interval(secs => ${callMarginSeconds})`),
        isHolderHere(db),
      ),
    ),
)

/** False when the lease is another's by now. */
export async function renewLease(db: Tx, _scope: Everyone, id: string, leaseToken: string): Promise<boolean> {
  const rows = await db
    .update(postTargets)
    .set({ leaseUntil: leaseEnd })
    .where(and(eq(postTargets.id, id), eq(postTargets.leaseToken, leaseToken)))
    .returning({ id: postTargets.id })
  return rows.length === 1
}

/** An attempt that ends: the one recorded when it began, or a poll that came to something after all. */
export type EndedAttempt = Pick<
  typeof publishAttempts.$inferInsert,
  'id' | 'fromPhase' | 'startedAt' | 'finishedAt' | 'toPhase' | 'errorClass' | 'errorCode' | 'errorMessage'
> & { wasPoll: boolean }

/** An irreversible call, written only while the worker is not on record as gone; `drawnAt`: when it draws on an allowance, if it does. */
export type LeasedCall = { drawnAt: Date | undefined }

type LeasedWrite = {
  letsGo: boolean
  hint?: LiveHint | undefined
  attempt?: EndedAttempt | undefined
  call?: LeasedCall | undefined
}

/** One statement for each set of columns that is written, and for what else goes with it. */
const leasedWrites = new Map<string, ReturnType<typeof leasedWrite>>()

function leasedWrite(columns: readonly (keyof TargetPatch)[], { letsGo, hint, attempt, call }: LeasedWrite) {
  return frequentWrite<{ id: string }>({ id: postTargets.id }, (db, value) => {
    const set = Object.fromEntries(columns.map((name) => [name, value(name, postTargets[name])]))
    const lease = letsGo ? { leaseToken: null, leaseHolder: null, leaseUntil: null } : { leaseUntil: leaseEnd }
    const written = db
      .update(postTargets)
      .set({ ...set, ...lease })
      .where(
        and(
          eq(postTargets.id, value('target')),
          eq(postTargets.leaseToken, value('token')),
          call ? isHolderHere(db) : undefined,
        ),
      )
      .returning({ id: postTargets.id })
    const drawn = call?.drawnAt ? sql`, drawn as (${drawShare(value)})` : sql``
    const ended = attempt ? sql`, ended as (${endAttempt(attempt, value)})` : sql``
    const notified = hint ? sql`, pg_notify(${liveChannel}, ${value('hint')})` : sql``
    return sql`with written as ${written}${drawn}${ended} select id${notified} from written`
  })
}

/** The network may count what the target has reserved from now on. */
const drawShare = (value: Value): SQL =>
  sql`update ${quotaUses} set drawn_at = ${value('drawnAt', quotaUses.drawnAt)}::timestamptz where target_id in (select id from written) and state = 'taken'`

function endAttempt({ wasPoll }: EndedAttempt, value: Value): SQL {
  const began = value('startedAt', publishAttempts.startedAt)
  const ended = value('finishedAt', publishAttempts.finishedAt)
  const to = value('toPhase')
  const errorClass = value('errorClass')
  const code = value('errorCode')
  const message = value('attemptMessage')
  return wasPoll
    ? sql`insert into ${publishAttempts} (id, target_id, from_phase, started_at, finished_at, to_phase, error_class, error_code, error_message)
        select ${value('attemptId')}::uuid, id, ${value('fromPhase')}::text, ${began}::timestamptz, ${ended}::timestamptz, ${to}::text, ${errorClass}::text, ${code}::text, ${message}::text from written`
    : sql`update ${publishAttempts} set finished_at = ${ended}::timestamptz, to_phase = ${to}::text, error_class = ${errorClass}::text, error_code = ${code}::text, error_message = ${message}::text
        where id = ${value('attemptId')}::uuid and exists (select 1 from written)`
}

async function writeUnderLease(
  db: Tx,
  id: string,
  leaseToken: string,
  patch: TargetPatch,
  write: LeasedWrite,
): Promise<boolean> {
  const { hint, attempt, call } = write
  const columns = (Object.keys(patch) as (keyof TargetPatch)[]).filter((name) => patch[name] !== undefined).toSorted()
  const key = `${columns.join()} ${write.letsGo} ${hint !== undefined} ${attempt?.wasPoll} ${call !== undefined} ${call?.drawnAt !== undefined}`
  const statement = leasedWrites.get(key) ?? leasedWrite(columns, write)
  leasedWrites.set(key, statement)
  const { id: attemptId, errorMessage: attemptMessage, ...ended } = attempt ?? {}
  const rows = await statement(db, {
    ...ended,
    attemptId,
    attemptMessage,
    drawnAt: call?.drawnAt,
    ...patch,
    target: id,
    token: leaseToken,
    hint: hint && JSON.stringify(hint),
  })
  return rows.length === 1
}

/**
 * Writes under the lease and renews it, sending `hint` in the same statement. False when the lease is another's by now.
 * `call`: that an irreversible call is about to leave. True then proves that nobody else can claim the target for `graceSeconds` from when
 * it was asked: the lease is new, and the worker was not on record as gone.
 */
export async function writeLeased(
  db: Tx,
  _scope: Everyone,
  id: string,
  leaseToken: string,
  patch: TargetPatch,
  hint: LiveHint | undefined,
  call?: LeasedCall,
): Promise<boolean> {
  return await writeUnderLease(db, id, leaseToken, patch, { letsGo: false, hint, call })
}

/** Merges into the checkpoint under the lease and answers the whole; undefined when the lease is another's by now. */
export async function mergeCheckpoint(db: Tx, _scope: Everyone, id: string, leaseToken: string, patch: Checkpoint) {
  const [row] = await mergeInto(db, { id, leaseToken, patch: JSON.stringify(patch) })
  return row?.checkpoint
}

const mergeInto = frequentWrite<{ checkpoint: Checkpoint }>({ checkpoint: postTargets.checkpoint }, (db, value) =>
  db
    .update(postTargets)
    .set({ checkpoint: sql`${postTargets.checkpoint} || ${value('patch')}::jsonb`, leaseUntil: leaseEnd })
    .where(and(eq(postTargets.id, value('id')), eq(postTargets.leaseToken, value('leaseToken'))))
    .returning({ checkpoint: postTargets.checkpoint }),
)

/**
 * Writes a last time under the lease and lets go of it, ending `attempt` and sending `hint` in the same statement. False, and
 * nothing is written or sent, when the lease is another's by now.
 */
export async function releaseLease(
  tx: Tx,
  _scope: Everyone,
  id: string,
  leaseToken: string,
  patch: TargetPatch,
  more: Pick<LeasedWrite, 'hint' | 'attempt'> = {},
): Promise<boolean> {
  return await writeUnderLease(tx, id, leaseToken, patch, { letsGo: true, ...more })
}

/**
 * Targets that are due since `before` and that nobody works on, the longest due first (the sweep). What is held
 * because its artist was deactivated counts from `deactivatedBefore` on only: until then it waits.
 */
export async function listOverdueTargets(
  db: Tx,
  _scope: Everyone,
  before: Date,
  deactivatedBefore: Date,
  limit: number,
) {
  return await db
    .select({ id: postTargets.id, dueAt: postTargets.dueAt, phase: postTargets.phase })
    .from(postTargets)
    .where(
      and(
        isNotFinal,
        lte(postTargets.dueAt, before),
        isUnleased,
        or(
          eq(postTargets.held, false),
          lte(postTargets.dueAt, deactivatedBefore),
          notExists(
            db
              .select({ id: users.id })
              .from(users)
              .where(and(eq(users.id, postTargets.userId), eq(users.isActive, false))),
          ),
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
export async function recordDeadWorkers(db: Tx, _scope: Everyone): Promise<boolean> {
  await db
    .update(publishWorkers)
    .set({ goneAt: sql`clock_timestamp()` })
    .where(
      and(isNull(publishWorkers.goneAt), sql`pg_try_advisory_xact_lock(${livenessLockSpace}, ${publishWorkers.id})`),
    )
  return (await db.$count(publishWorkers, isNotNull(publishWorkers.goneAt))) > 0
}

/** Due targets whose worker is gone and which another may take over, the longest due first. */
export async function listAbandoned(db: Tx, _scope: Everyone, now: Date, limit: number) {
  return await db
    .select({ id: postTargets.id, dueAt: postTargets.dueAt })
    .from(postTargets)
    .where(and(isNotFinal, lte(postTargets.dueAt, now), isNotNull(postTargets.leaseHolder), isAbandoned(db)))
    .orderBy(postTargets.dueAt)
    .limit(limit)
}

/** Forgets workers whose leases have all run out. */
export async function deleteDeadWorkers(db: Tx, _scope: Everyone): Promise<void> {
  await db.delete(publishWorkers).where(lt(publishWorkers.goneAt, sql`clock_timestamp() - ${forgottenAfter}`))
}
