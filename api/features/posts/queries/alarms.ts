import type { Tx } from '@flashsheet/db/client'
import { postTargets, publishAlarms } from '@flashsheet/db/schema/posts'
import { and, asc, gte, lte, sql } from 'drizzle-orm'
import type { Everyone } from '../../../core/scope.ts'
import { isNotFinal } from './leases.ts'

/** A position in the order by due time and id. */
export type AlarmCursor = { dueAt: Date; id: string }

/** Sorts after all targets of its instant. */
export const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Up to where targets have alarms, locked; null before the first. Undefined: another process has the lock, because it is setting them. */
export async function lockAlarmCursor(tx: Tx, _scope: Everyone): Promise<AlarmCursor | null | undefined> {
  const [taken] = await tx
    .select({ dueAt: publishAlarms.setUntil, id: publishAlarms.setUntilId })
    .from(publishAlarms)
    .for('update', { skipLocked: true })
  if (taken) return taken
  const [another] = await tx.select({ only: publishAlarms.only }).from(publishAlarms)
  return another ? undefined : null
}

export async function moveAlarmCursor(tx: Tx, _scope: Everyone, { dueAt, id }: AlarmCursor): Promise<void> {
  const set = { setUntil: dueAt, setUntilId: id }
  await tx.insert(publishAlarms).values(set).onConflictDoUpdate({ target: publishAlarms.only, set })
}

const isAfter = ({ dueAt, id }: AlarmCursor) =>
  and(
    gte(postTargets.dueAt, dueAt),
    sql`(${postTargets.dueAt}, ${postTargets.id}) > (${dueAt.toISOString()}::timestamptz, ${id}::uuid)`,
  )

/** Targets that are not final and due after the cursor, up to `until` inclusive, in the cursor's order. */
export async function listDueAfter(db: Tx, _scope: Everyone, after: AlarmCursor | null, until: Date, limit: number) {
  return await db
    .select({ id: postTargets.id, dueAt: postTargets.dueAt, phase: postTargets.phase })
    .from(postTargets)
    .where(and(isNotFinal, lte(postTargets.dueAt, until), after ? isAfter(after) : undefined))
    .orderBy(asc(postTargets.dueAt), asc(postTargets.id))
    .limit(limit)
}
