import { and, eq, sql } from 'drizzle-orm'
import type { Tx } from './client.ts'
import { leases } from './schema/leases.ts'

const from = (ms: number) => sql`clock_timestamp() + make_interval(secs => ${ms / 1000}::float8)`

/** Takes the lease `key` for `ms` unless it is held; returns whether `token` has it now. */
export async function takeLease(db: Tx, key: string, token: string, ms: number): Promise<boolean> {
  const taken = await db
    .insert(leases)
    .values({ key, token, heldUntil: from(ms) })
    .onConflictDoUpdate({
      target: leases.key,
      set: { token, heldUntil: from(ms) },
      setWhere: sql`${leases.heldUntil} <= clock_timestamp()`,
    })
    .returning({ key: leases.key })
  return taken.length > 0
}

/** Extends it; false when somebody else has it. */
export async function prolongLease(db: Tx, key: string, token: string, ms: number): Promise<boolean> {
  const held = await db
    .update(leases)
    .set({ heldUntil: from(ms) })
    .where(and(eq(leases.key, key), eq(leases.token, token)))
    .returning({ key: leases.key })
  return held.length > 0
}

/** Whether `token` still has it; if so, it is locked until this transaction ends. */
export async function lockLease(tx: Tx, key: string, token: string): Promise<boolean> {
  const [held] = await tx
    .select({ key: leases.key })
    .from(leases)
    .where(and(eq(leases.key, key), eq(leases.token, token)))
    .for('update')
  return held !== undefined
}

export async function endLease(db: Tx, key: string, token: string): Promise<void> {
  await db.delete(leases).where(and(eq(leases.key, key), eq(leases.token, token)))
}
