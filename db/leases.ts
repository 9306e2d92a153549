import { and, eq, sql } from 'drizzle-orm'
import type { Tx } from './client.ts'
import { leases } from './schema/leases.ts'

const inMs = (ms: number) => sql`clock_timestamp() + make_interval(secs => ${ms / 1000}::float8)`

const heldBy = (key: string, token: string) => and(eq(leases.key, key), eq(leases.token, token))

/** Acquires the lease `key` for `ms` unless another token holds it; returns whether `token` got it. */
export async function acquireLease(db: Tx, key: string, token: string, ms: number): Promise<boolean> {
  const taken = await db
    .insert(leases)
    .values({ key, token, heldUntil: inMs(ms) })
    .onConflictDoUpdate({
      target: leases.key,
      set: { token, heldUntil: inMs(ms) },
      setWhere: sql`${leases.heldUntil} <= clock_timestamp()`,
    })
  return taken.count > 0
}

/** Extends a lease that `token` still holds. */
export async function renewLease(db: Tx, key: string, token: string, ms: number): Promise<void> {
  await db
    .update(leases)
    .set({ heldUntil: inMs(ms) })
    .where(heldBy(key, token))
}

/** Whether `token` still holds the lease; if so, its row is locked until this transaction ends. */
export async function lockLease(tx: Tx, key: string, token: string): Promise<boolean> {
  const [held] = await tx.select({ key: leases.key }).from(leases).where(heldBy(key, token)).for('update')
  return held !== undefined
}

export async function releaseLease(db: Tx, key: string, token: string): Promise<void> {
  await db.delete(leases).where(heldBy(key, token))
}
