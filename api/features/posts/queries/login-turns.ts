import type { Tx } from '@flashsheet/db/client'
import { loginTurns } from '@flashsheet/db/schema/turns'
import { and, eq, lt, sql } from 'drizzle-orm'
import type { Everyone } from '../../../core/scope.ts'

/** Longer than the calls of one turn can take: a worker that has not ended its turn by then is dead. */
const turnSeconds = 60
/** A minute, with a margin for network delays and the network's clock. */
const windowSeconds = 65

const now = sql`clock_timestamp()`
const windowStart = sql`clock_timestamp() - make_interval(secs => ${windowSeconds})`

/**
 * Acquires the turn `id`, unless another process has it or `limit` turns began in the last minute. One conditional statement, so that only one
 * process gets it. Returns undefined once acquired, otherwise `waitMs`: milliseconds until the turn may be free.
 */
export async function acquireTurn(db: Tx, _scope: Everyone, id: string, token: string, limit: number) {
  const recent = sql`array(select at from unnest(${loginTurns.callStarts}) as at where at > ${windowStart} order by at)`
  const heldUntil = sql`clock_timestamp() + make_interval(secs => ${turnSeconds})`
  const taken = await db
    .insert(loginTurns)
    .values({ id, token, heldUntil, callStarts: sql`array[clock_timestamp()]` })
    .onConflictDoUpdate({
      target: loginTurns.id,
      set: { token, heldUntil, callStarts: sql`${recent} || ${now}` },
      setWhere: sql`(${loginTurns.token} is null or ${loginTurns.heldUntil} <= ${now}) and cardinality(${recent}) < ${limit}`,
    })
  if (taken.count > 0) return undefined
  const [row] = await db
    .select({
      heldMs: sql<number>`case when ${loginTurns.token} is null then 0 else ceil(extract(epoch from ${loginTurns.heldUntil} - ${now}) * 1000) end::float8`,
      fullMs: sql<number>`coalesce(ceil(extract(epoch from (${recent})[cardinality(${recent}) - ${limit}::int + 1] + make_interval(secs => ${windowSeconds}) - ${now}) * 1000), 0)::float8`,
    })
    .from(loginTurns)
    .where(eq(loginTurns.id, id))
  // A turn mostly ends within a second. The turn of a dead process expires.
  return { waitMs: row ? Math.max(row.fullMs, Math.min(row.heldMs, 1000), 250) : 250 }
}

/** Releases the turn. It counts against the rate limit from now, when its calls have been made. */
export async function releaseTurn(db: Tx, _scope: Everyone, id: string, token: string): Promise<void> {
  await db
    .update(loginTurns)
    .set({
      token: null,
      callStarts: sql`${loginTurns.callStarts}[:cardinality(${loginTurns.callStarts}) - 1] || ${now}`,
    })
    .where(and(eq(loginTurns.id, id), eq(loginTurns.token, token)))
}

/** Deletes turns that count against no limit any more. */
export async function deleteExpiredTurns(db: Tx, _scope: Everyone): Promise<void> {
  await db.delete(loginTurns).where(lt(loginTurns.heldUntil, sql`clock_timestamp() - make_interval(mins => 10)`))
}
