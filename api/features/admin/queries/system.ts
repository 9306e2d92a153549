import type { Platform } from '@flashsheet/contracts/networks'
import type { Tx } from '@flashsheet/db/client'
import { sql, type SQL } from 'drizzle-orm'
import type { Everyone } from '../../../core/scope.ts'

const at = (time: Date) => sql`${time.toISOString()}::timestamptz`
const date = (value: string | null | undefined): Date | null => (value ? new Date(value) : null)

/**
 * Due jobs that no worker has taken, by queue. pg-boss has no call for the oldest due job, or for failures since a time,
 * so its tables are read; `system.test.ts` fails if a new version changes them.
 */
export async function countWaitingJobs(db: Tx, _scope: Everyone) {
  // By queue name and "not blocked", to match pg-boss's index.
  const rows = await db.execute<{ name: string; waiting: number; oldest: string | null }>(sql`
    select q.name, count(*)::int as waiting, min(j.start_after) as oldest
    from pgboss.queue q join pgboss.job j on j.name = q.name
    where j.state < 'active' and not j.blocked and j.start_after <= now()
    group by q.name`)
  return rows.map(({ oldest, ...row }) => ({ ...row, oldest: date(oldest) }))
}

/** Jobs that failed for good since `since`, by queue. Reads all stored jobs, since no index fits. */
export async function countFailedJobs(db: Tx, _scope: Everyone, since: Date): Promise<Map<string, number>> {
  const rows = await db.execute<{ name: string; failed: number }>(sql`
    select name, count(*)::int as failed from pgboss.job where state = 'failed' and completed_on >= ${at(since)} group by name`)
  return new Map(rows.map(({ name, failed }) => [name, failed]))
}

type Backlog = { count: number; oldest: Date | null }

/** The number of rows and the oldest value of the column `time`. */
async function backlog(db: Tx, time: string, rows: SQL): Promise<Backlog> {
  const [row] = await db.execute<{ n: number; oldest: string | null }>(
    sql`select count(*)::int as n, min(${sql.raw(time)}) as oldest from ${rows}`,
  )
  return { count: row?.n ?? 0, oldest: date(row?.oldest) }
}

/** Targets due before `before` that are not final and wait for nothing but a worker. */
export async function countOverdueTargets(db: Tx, _scope: Everyone, before: Date): Promise<Backlog> {
  return await backlog(
    db,
    'due_at',
    sql`post_targets where posted_at is null and failed_at is null and phase not in ('posted', 'failed') and not held and not awaits_account and due_at < ${at(before)}`,
  )
}

/** The newest Stripe event, and the unprocessed ones. */
export async function findWebhookState(db: Tx, _scope: Everyone) {
  const waiting = await backlog(db, 'received_at', sql`stripe_events where processed_at is null`)
  const [newest] = await db.execute<{ at: string | null }>(sql`select max(received_at) as at from stripe_events`)
  return { newest: date(newest?.at), waiting }
}

/**
 * The number of unsent mails, and the oldest of those stored after the newest sent one: the server works if it accepted a
 * later mail, and refused the earlier ones themselves.
 */
export async function countUnsentMails(db: Tx, _scope: Everyone): Promise<Backlog> {
  const [row] = await db.execute<{ n: number; oldest: string | null }>(sql`
    select count(*)::int as n, min(created_at) filter (
      where created_at > coalesce((select max(created_at) from mails where sent_at is not null), '-infinity')
    ) as oldest
    from mails where sent_at is null`)
  return { count: row?.n ?? 0, oldest: date(row?.oldest) }
}

/** Published and failed targets since then, by network. */
export async function countOutcomes(db: Tx, _scope: Everyone, since: Date) {
  const rows = await db.execute<{ platform: Platform; posted: number; failed: number }>(sql`
    select platform, sum(posted)::int as posted, sum(failed)::int as failed from (
      select platform, count(*) as posted, 0 as failed from post_targets where posted_at >= ${at(since)} group by platform
      union all
      select platform, 0, count(*) from post_targets where failed_at >= ${at(since)} group by platform
      union all
      -- Targets that failed before failed_at was written have none until a job fills it in.
      select platform, 0, count(*) from post_targets where posted_at is null and failed_at is null and due_at <= now() and phase = 'failed' and updated_at >= ${at(since)} group by platform
    ) outcomes group by platform`)
  return new Map(rows.map(({ platform, posted, failed }) => [platform, { posted, failed }]))
}

/** Bytes of all originals, and of the database. */
export async function sumStorage(db: Tx, _scope: Everyone) {
  const [row] = await db.execute<{ media: string; database: string }>(sql`
    select coalesce((select sum(bytes) from media_tallies), 0) as media, pg_database_size(current_database()) as database`)
  return { mediaBytes: Number(row?.media ?? 0), databaseBytes: Number(row?.database ?? 0) }
}
