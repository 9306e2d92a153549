import { sql } from 'drizzle-orm'
import type { Tx } from './client.ts'
import { rateLimits } from './schema/outbox.ts'

/**
 * Counts one event under `key`; returns how many the current window of `windowSeconds` has, this one included, and when
 * it ends. A single statement, so that concurrent calls lose no count.
 */
export async function countEvent(
  db: Tx,
  key: string,
  windowSeconds: number,
  now: Date,
  amount = 1,
): Promise<{ count: number; endsAt: Date }> {
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
  return { count: row.count, endsAt: new Date(row.windowStartedAt.getTime() + windowSeconds * 1000) }
}

/** How many events the current window of `key` holds, without adding one. */
export async function countedEvents(
  db: Tx,
  key: string,
  windowSeconds: number,
  now: Date,
): Promise<{ count: number; endsAt: Date }> {
  const [row] = await db
    .select({ count: rateLimits.count, windowStartedAt: rateLimits.windowStartedAt })
    .from(rateLimits)
    .where(sql`${rateLimits.key} = ${key}`)
  const endsAt = row ? new Date(row.windowStartedAt.getTime() + windowSeconds * 1000) : now
  return row && endsAt > now ? { count: row.count, endsAt } : { count: 0, endsAt: now }
}

/** Deletes counters whose window ended long ago. */
export async function deleteExpiredCounters(db: Tx, before: Date): Promise<void> {
  await db.delete(rateLimits).where(sql`${rateLimits.windowStartedAt} < ${before.toISOString()}::timestamptz`)
}

/** Deletes every counter of one subject (an address, say). */
export async function deleteCountersOf(db: Tx, subject: string): Promise<void> {
  await db.delete(rateLimits).where(sql`right(${rateLimits.key}, length(${subject}) + 1) = ':' || ${subject}`)
}
