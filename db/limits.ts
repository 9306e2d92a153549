import { sql } from 'drizzle-orm'
import type { Tx } from './client.ts'
import { rateLimits } from './schema/outbox.ts'

/** The events of the current window, and when it ends. */
type WindowCount = { count: number; endsAt: Date }

const endOf = (windowStartedAt: Date, windowSeconds: number): Date =>
  new Date(windowStartedAt.getTime() + windowSeconds * 1000)

/**
 * Counts `amount` events under `key`; returns how many the current window of `windowSeconds` has, these included. It is a
 * single statement, so concurrent calls lose no count.
 */
export async function countEvent(
  db: Tx,
  key: string,
  windowSeconds: number,
  now: Date,
  amount = 1,
): Promise<WindowCount> {
  const expired = sql`${rateLimits.windowStartedAt} <= ${now.toISOString()}::timestamptz - make_interval(secs => ${windowSeconds})`
  const [row] = await db
    .insert(rateLimits)
    .values({ key, windowStartedAt: now, count: amount })
    .onConflictDoUpdate({
      target: rateLimits.key,
      set: {
        count: sql`case when ${expired} then ${amount} else ${rateLimits.count} + ${amount} end`,
        windowStartedAt: sql`case when ${expired} then ${now.toISOString()}::timestamptz else ${rateLimits.windowStartedAt} end`,
      },
    })
    .returning({ count: rateLimits.count, windowStartedAt: rateLimits.windowStartedAt })
  if (!row) throw new Error('an upsert returned no row')
  return { count: row.count, endsAt: endOf(row.windowStartedAt, windowSeconds) }
}

/** How many events the current window of `key` holds, without adding one. */
export async function countedEvents(db: Tx, key: string, windowSeconds: number, now: Date): Promise<WindowCount> {
  const [row] = await db
    .select({ count: rateLimits.count, windowStartedAt: rateLimits.windowStartedAt })
    .from(rateLimits)
    .where(sql`${rateLimits.key} = ${key}`)
  const endsAt = row ? endOf(row.windowStartedAt, windowSeconds) : now
  return row && endsAt > now ? { count: row.count, endsAt } : { count: 0, endsAt: now }
}

/** Deletes counters whose window started before `before`. */
export async function deleteExpiredCounters(db: Tx, before: Date): Promise<void> {
  await db.delete(rateLimits).where(sql`${rateLimits.windowStartedAt} < ${before.toISOString()}::timestamptz`)
}

/** Deletes every counter whose key ends in `:subject` (an address, for example). */
export async function deleteCountersOf(db: Tx, subject: string): Promise<void> {
  await db.delete(rateLimits).where(sql`right(${rateLimits.key}, length(${subject}) + 1) = ':' || ${subject}`)
}
