import type { Tx } from '@flashsheet/db/client'
import { postMedia, postTargets, posts } from '@flashsheet/db/schema/posts'
import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import type { OwnerId } from '../../../core/scope.ts'
import { isInCalendarRange } from './posts.ts'
import { titleColumns } from './target-columns.ts'
import { isQueued } from './targets.ts'

const rowColumns = {
  id: posts.id,
  status: posts.status,
  scheduledAt: posts.scheduledAt,
  updatedAt: posts.updatedAt,
  /** The kind of the first media item; null when there is none. */
  kind: sql<'image' | 'video' | null>`min(${postMedia.kind}) filter (where ${postMedia.position} = 0)`,
  mediaCount: sql<number>`count(${postMedia.position})::int`,
}

const targetColumns = {
  ...titleColumns,
  platform: postTargets.platform,
  dueAt: postTargets.dueAt,
  isQueued,
}

type Range = { from: Date; to: Date }

/** The ids of the artist's posts in a range of the calendar, at most `limit`: for one state of the table always the same. */
const idsInRange = (db: Tx, owner: OwnerId, range: Range, limit: number) =>
  db
    .select({ id: posts.id })
    .from(posts)
    .where(and(eq(posts.userId, owner), isInCalendarRange(range)))
    .orderBy(asc(posts.scheduledAt), asc(posts.id))
    .limit(limit)

/** The artist's posts in a range of the calendar, with what is shown of their media. */
export async function listCalendarRows(db: Tx, owner: OwnerId, range: Range, limit: number) {
  return await db
    .select(rowColumns)
    .from(posts)
    .leftJoin(postMedia, eq(postMedia.postId, posts.id))
    .where(inArray(posts.id, idsInRange(db, owner, range, limit)))
    .groupBy(posts.id)
}
export type CalendarRow = Awaited<ReturnType<typeof listCalendarRows>>[number]

/** The targets of those posts, each post's in the order they were created. */
export async function listCalendarTargets(db: Tx, owner: OwnerId, range: Range, limit: number) {
  return await db
    .select(targetColumns)
    .from(postTargets)
    .where(inArray(postTargets.postId, idsInRange(db, owner, range, limit)))
    .orderBy(asc(postTargets.id))
}
export type CalendarTargetRow = Awaited<ReturnType<typeof listCalendarTargets>>[number]
