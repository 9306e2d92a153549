import { calendarTitleMax } from '@flashsheet/contracts/posts/limits'
import type { Tx } from '@flashsheet/db/client'
import { deletedPosts, postTargets, publishAttempts } from '@flashsheet/db/schema/posts'
import { quotaBuckets, quotaUses } from '@flashsheet/db/schema/quotas'
import { retentionMarks } from '@flashsheet/db/schema/retention'
import { and, asc, eq, exists, gt, inArray, isNull, lt, notExists, or, sql } from 'drizzle-orm'
import { firstIdSince } from '../../../core/ids.ts'
import type { Everyone } from '../../../core/scope.ts'

/**
 * Reads the next `limit` attempts after the id `after` that began before `before`, and deletes those of final targets. Returns the last id
 * read and the number deleted; undefined when there are no more.
 */
export async function deleteOldAttempts(db: Tx, _scope: Everyone, before: Date, after: string, limit: number) {
  const rows = await db
    .select({ id: publishAttempts.id })
    .from(publishAttempts)
    .where(and(gt(publishAttempts.id, after), lt(publishAttempts.id, firstIdSince(before))))
    .orderBy(asc(publishAttempts.id))
    .limit(limit)
  const last = rows.at(-1)
  if (!last) return undefined
  const isFinal = exists(
    db
      .select()
      .from(postTargets)
      .where(and(eq(postTargets.id, publishAttempts.targetId), inArray(postTargets.phase, ['posted', 'failed']))),
  )
  const ids = rows.map(({ id }) => id)
  const deleted = await db
    .delete(publishAttempts)
    .where(and(inArray(publishAttempts.id, ids), lt(publishAttempts.startedAt, before), isFinal))
  return { last: last.id, deleted: deleted.count }
}

/** Forgets the next `limit` request ids of posts that were deleted before `before`. Returns whether there may be more. */
export async function deleteOldRequestIds(db: Tx, _scope: Everyone, before: Date, limit: number): Promise<boolean> {
  const { userId, requestId, deletedAt } = deletedPosts
  const batch = db
    .select({ userId, requestId })
    .from(deletedPosts)
    .where(lt(deletedAt, before))
    .orderBy(asc(deletedAt))
    .limit(limit)
  const deleted = await db.delete(deletedPosts).where(sql`(${userId}, ${requestId}) in ${batch}`)
  return deleted.count === limit
}

const work = 'empty_posted_targets'

/**
 * Empties the next `limit` targets, or a few more, that were posted before `before`, in the order they were posted. The title that the
 * calendar shows and the permalink stay. Returns whether there may be more.
 */
export async function clearPostedTargets(db: Tx, _scope: Everyone, before: Date, limit: number): Promise<boolean> {
  const undone = sql`${postTargets.postedAt} > coalesce((select ${retentionMarks.doneUntil} from ${retentionMarks} where ${retentionMarks.work} = ${work}), '-infinity')`
  const rows = await db.execute(sql`
    with bound as (
      select max(posted_at) as at from (
        select ${postTargets.postedAt} from ${postTargets} where ${undone} and ${postTargets.postedAt} < ${before.toISOString()}::timestamptz order by ${postTargets.postedAt} limit ${limit}
      ) next
    ), emptied as (
      update ${postTargets} set title = left(title, ${calendarTitleMax}::int), options = '{}', checkpoint = '{}',
        message = case when title = '' then left(message, ${calendarTitleMax}::int) else '' end
      -- All targets of one instant at once, because only the instant is stored as progress.
      where ${undone} and ${postTargets.postedAt} <= (select at from bound)
    )
    insert into ${retentionMarks} (work, done_until) select ${work}, at from bound where at is not null
    on conflict (work) do update set done_until = excluded.done_until returning 1`)
  return rows.length > 0
}

/** Deletes at most `limit` allowances without uses, and without a report or refusal since `before`. Returns whether there may be more. */
export async function deleteUnusedBuckets(tx: Tx, _scope: Everyone, before: Date, limit: number): Promise<boolean> {
  const isUnused = notExists(tx.select().from(quotaUses).where(eq(quotaUses.bucketId, quotaBuckets.id)))
  const idle = await tx
    .select({ id: quotaBuckets.id })
    .from(quotaBuckets)
    .where(
      and(
        or(isNull(quotaBuckets.fullUntil), lt(quotaBuckets.fullUntil, before)),
        or(isNull(quotaBuckets.reportedAt), lt(quotaBuckets.reportedAt, before)),
        isUnused,
      ),
    )
    .limit(limit)
    .for('update', { skipLocked: true })
  // Checked again under the lock, since a use may have been reserved just before it.
  const ids = idle.map(({ id }) => id)
  await tx.delete(quotaBuckets).where(and(inArray(quotaBuckets.id, ids), isUnused))
  return idle.length === limit
}
