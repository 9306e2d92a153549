import type { Tx } from '@flashsheet/db/client'
import { liveChannel, type LiveHint } from '@flashsheet/db/live'
import { livenessLockSpace } from '@flashsheet/db/worker-liveness'
import { preparedStatement, type Value } from '@flashsheet/db/prepared-statements'
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
  getTableColumns,
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

/** Seconds a lease lasts after its last renewal, measured by the database's clock alone. */
export const leaseSeconds = 60

/**
 * Seconds after a worker was recorded as dead in which nobody claims a target that was in its irreversible call. Within them a worker that
 * still lives stops (`heartbeatTimeoutMs` of `db/worker-liveness.ts`), and a request under way arrives.
 */
export const graceSeconds = 15
/** Longer than a lease of a dead worker can last. */
const deadWorkersKeptFor = sql`make_interval(mins => 5)`

/** Literals instead of parameters, so that every plan can use the index. The phase covers rows that failed before `failed_at` existed. */
export const isNotFinal = sql`${postTargets.postedAt} is null and ${postTargets.failedAt} is null and ${postTargets.phase} not in ('posted', 'failed')`
/** No valid lease. */
export const isUnleased = or(isNull(postTargets.leaseUntil), lt(postTargets.leaseUntil, sql`clock_timestamp()`))
const leaseEnd = sql`clock_timestamp() + make_interval(secs => ${leaseSeconds})`

const claimedColumns = { ...getTableColumns(postTargets), scheduledAt: posts.scheduledAt }

export type StoredTarget = typeof postTargets.$inferSelect
/** A target under this worker's lease, with the time of its post. */
export type ClaimedTarget = StoredTarget & { scheduledAt: Date }

/** The lease holder, if it is recorded as dead. */
const deadHolder = (db: Tx, condition?: SQL) =>
  db
    .select({ id: publishWorkers.id })
    .from(publishWorkers)
    .where(and(eq(publishWorkers.id, postTargets.leaseHolder), isNotNull(publishWorkers.goneAt), condition))

const hasGraceEnded = lt(publishWorkers.goneAt, sql`clock_timestamp() - make_interval(secs => ${graceSeconds})`)

/** The lease holder is recorded as dead; during an irreversible call for at least `graceSeconds` (decision 21). */
const isAbandoned = (db: Tx) => exists(deadHolder(db, or(ne(postTargets.phase, 'publishing'), hasGraceEnded)))

/** Its account or page was disconnected after the target was created: it is about to be deleted unless it has begun. */
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

/** The new lease's token, the id of the attempt, and the worker, if its death would be noticed by the others. */
export type Claimer = { token: string; holder: number | null; attemptId: string }

/** A poll counts no try, and is recorded only when it finds something new. */
export const isPoll = (target: Pick<ClaimedTarget, 'polls' | 'tries'>): boolean =>
  target.polls > 0 && target.tries === 0

const claimDue = preparedStatement<ClaimedTarget>(claimedColumns, (db, value) => {
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
    .returning(claimedColumns)
  const recorded = sql`insert into ${publishAttempts} (id, target_id, from_phase, started_at)
    select ${value('attemptId')}::uuid, id, phase, ${value('now', publishAttempts.startedAt)}::timestamptz from claimed where not (polls > 0 and tries = 0)`
  // Only the first claim changes what screens show.
  const notified = sql`case when phase = 'claimed' then pg_notify(${liveChannel}, json_build_object('owner', user_id, 'topic', 'posts', 'id', post_id)::text) end`
  return sql`with claimed as ${claimed}, recorded as (${recorded}) select *, ${notified} from claimed`
})

/**
 * Claims a due target under a lease: one conditional UPDATE, so that of two workers one gets it. Also records the attempt, unless it is a
 * poll. Undefined when the target is final, held, not due, or leased by another worker.
 */
export async function claimTarget(db: Tx, _scope: Everyone, id: string, claimer: Claimer, now: Date) {
  const [row] = await claimDue(db, { ...claimer, id, now })
  return row
}

/** The columns that tell why a target could not be claimed. */
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

/** Columns that are written once, by claiming and releasing alone, or by a trigger. */
type FixedColumns =
  | ('id' | 'postId' | 'userId' | 'platform' | 'accountId' | 'pageId' | 'pageName' | 'quotaBucket' | 'createdAt')
  | ('title' | 'message' | 'options' | 'crops')
  | ('leaseToken' | 'leaseHolder' | 'leaseUntil')
  | ('failedAt' | 'tiktokPublishId')

export type TargetPatch = Partial<Omit<typeof postTargets.$inferInsert, FixedColumns>>

/** Seconds that a lease must still last when the irreversible call is sent. */
export const callMarginSeconds = 5

/** The lease holder is not recorded as dead, so no other worker may claim until the lease, or the grace period of a call under way, is over. */
const isHolderAlive = (db: Tx) => notExists(deadHolder(db))

/** Whether this worker holds the lease for `callMarginSeconds` more. */
export async function isLeaseHeld(db: Tx, _scope: Everyone, id: string, leaseToken: string): Promise<boolean> {
  return (await leaseHeldQuery(db, { id, leaseToken })).length === 1
}

const leaseHeldQuery = preparedStatement<{ id: string }>({ id: postTargets.id }, (db, value) =>
  db
    .select({ id: postTargets.id })
    .from(postTargets)
    .where(
      and(
        eq(postTargets.id, value('id')),
        eq(postTargets.leaseToken, value('leaseToken')),
        gt(postTargets.leaseUntil, sql`clock_timestamp() + make_interval(secs => ${callMarginSeconds})`),
        isHolderAlive(db),
      ),
    ),
)

/** An attempt that ends. Its row exists since it began; that of a poll is inserted now. */
export type EndedAttempt = Pick<
  typeof publishAttempts.$inferInsert,
  'id' | 'fromPhase' | 'startedAt' | 'finishedAt' | 'toPhase' | 'errorClass' | 'errorCode' | 'errorMessage'
> & { wasPoll: boolean }

/** An irreversible call, written only while the worker is not recorded as dead; `drawnAt`: when it counts against an allowance, if it does. */
export type LeasedCall = { drawnAt: Date | undefined }

/** What else the statement does: release the lease instead of renewing it, send a hint, end an attempt, record a call. */
type LeasedWrite = {
  releases?: boolean
  hint?: LiveHint | undefined
  attempt?: EndedAttempt | undefined
  call?: LeasedCall | undefined
}

/** One prepared statement for each combination of columns and other effects. */
const leasedWrites = new Map<string, ReturnType<typeof leasedWrite>>()

function leasedWrite(columns: readonly (keyof TargetPatch)[], { releases, hint, attempt, call }: LeasedWrite) {
  return preparedStatement<{ id: string }>({ id: postTargets.id }, (db, value) => {
    const set = Object.fromEntries(columns.map((name) => [name, value(name, postTargets[name])]))
    const lease = releases ? { leaseToken: null, leaseHolder: null, leaseUntil: null } : { leaseUntil: leaseEnd }
    const written = db
      .update(postTargets)
      .set({ ...set, ...lease })
      .where(
        and(
          eq(postTargets.id, value('target')),
          eq(postTargets.leaseToken, value('token')),
          call ? isHolderAlive(db) : undefined,
        ),
      )
      .returning({ id: postTargets.id })
    const drawn = call?.drawnAt ? sql`, drawn as (${drawReserved(value)})` : sql``
    const ended = attempt ? sql`, ended as (${endAttempt(attempt, value)})` : sql``
    const notified = hint ? sql`, pg_notify(${liveChannel}, ${value('hint')})` : sql``
    return sql`with written as ${written}${drawn}${ended} select id${notified} from written`
  })
}

/** The network may count the target's reservation from now on. */
const drawReserved = (value: Value): SQL =>
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

/**
 * Writes under the lease, renews or releases it, and has the effects of `write`, all in one statement. False, without any effect, when
 * another worker has the lease.
 * With `call`, true proves that nobody else can claim the target for `graceSeconds` after the statement was sent: the lease is renewed, and
 * the worker was not recorded as dead.
 */
export async function writeLeased(
  db: Tx,
  _scope: Everyone,
  id: string,
  leaseToken: string,
  patch: TargetPatch,
  write: LeasedWrite = {},
): Promise<boolean> {
  const { releases = false, hint, attempt, call } = write
  const columns = (Object.keys(patch) as (keyof TargetPatch)[]).filter((name) => patch[name] !== undefined).toSorted()
  const key = `${columns.join()} ${releases} ${hint !== undefined} ${attempt?.wasPoll} ${call !== undefined} ${call?.drawnAt !== undefined}`
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

/** Merges into the checkpoint under the lease and returns all of it; undefined when another worker has the lease. */
export async function mergeCheckpoint(db: Tx, _scope: Everyone, id: string, leaseToken: string, patch: Checkpoint) {
  const [row] = await mergeCheckpointQuery(db, { id, leaseToken, patch: JSON.stringify(patch) })
  return row?.checkpoint
}

const mergeCheckpointQuery = preparedStatement<{ checkpoint: Checkpoint }>(
  { checkpoint: postTargets.checkpoint },
  (db, value) =>
    db
      .update(postTargets)
      .set({ checkpoint: sql`${postTargets.checkpoint} || ${value('patch')}::jsonb`, leaseUntil: leaseEnd })
      .where(and(eq(postTargets.id, value('id')), eq(postTargets.leaseToken, value('leaseToken'))))
      .returning({ checkpoint: postTargets.checkpoint }),
)

/** Targets without a lease that were due at `before`, the longest due first; a deactivated artist's only if due at `deactivatedBefore`. */
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

/** Records workers whose sessions have ended as dead, under their locks, so that none reconnects unseen. Returns whether any is dead. */
export async function recordDeadWorkers(db: Tx, _scope: Everyone): Promise<boolean> {
  await db
    .update(publishWorkers)
    .set({ goneAt: sql`clock_timestamp()` })
    .where(
      and(isNull(publishWorkers.goneAt), sql`pg_try_advisory_xact_lock(${livenessLockSpace}, ${publishWorkers.id})`),
    )
  return (await db.$count(publishWorkers, isNotNull(publishWorkers.goneAt))) > 0
}

/** Due targets of dead workers that another may claim, the longest due first. */
export async function listAbandoned(db: Tx, _scope: Everyone, now: Date, limit: number) {
  return await db
    .select({ id: postTargets.id, dueAt: postTargets.dueAt })
    .from(postTargets)
    .where(and(isNotFinal, lte(postTargets.dueAt, now), isNotNull(postTargets.leaseHolder), isAbandoned(db)))
    .orderBy(postTargets.dueAt)
    .limit(limit)
}

/** Deletes dead workers whose leases have all ended. */
export async function deleteDeadWorkers(db: Tx, _scope: Everyone): Promise<void> {
  await db.delete(publishWorkers).where(lt(publishWorkers.goneAt, sql`clock_timestamp() - ${deadWorkersKeptFor}`))
}
