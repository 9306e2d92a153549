import { calendarTitleMax } from '@flashsheet/contracts/posts/limits'
import type { Tx } from '@flashsheet/db/client'
import { postMedia, postTargets, posts } from '@flashsheet/db/schema/posts'
import { and, asc, eq, sql } from 'drizzle-orm'
import type { OwnerId } from '../../../core/scope.ts'
import { isInCalendarRange } from './posts.ts'
import { isQueued } from './targets.ts'

const rowColumns = {
  id: posts.id,
  status: posts.status,
  scheduledAt: posts.scheduledAt,
  updatedAt: posts.updatedAt,
  /** Of its first picture or video; null when it has none. */
  kind: sql<'image' | 'video' | null>`min(${postMedia.kind}) filter (where ${postMedia.position} = 0)`,
  mediaCount: sql<number>`count(${postMedia.position})::int`,
}

export type CalendarRow = Pick<typeof posts.$inferSelect, 'id' | 'status' | 'scheduledAt' | 'updatedAt'> & {
  kind: 'image' | 'video' | null
  mediaCount: number
}

const targetColumns = {
  postId: postTargets.postId,
  platform: postTargets.platform,
  title: postTargets.title,
  /** Its beginning: a message is a title only where there is none. */
  message: sql<string>`left(${postTargets.message}, ${calendarTitleMax}::int)`,
  dueAt: postTargets.dueAt,
  isQueued,
}

export type CalendarTargetRow = Pick<
  typeof postTargets.$inferSelect,
  'postId' | 'platform' | 'title' | 'message' | 'dueAt'
> & { isQueued: boolean }

type Range = { from: Date; to: Date }

/** The artist's posts of a range by their place in the calendar, with what is shown of their media. */
export async function listCalendarRows(db: Tx, owner: OwnerId, range: Range, limit: number): Promise<CalendarRow[]> {
  return await db
    .select(rowColumns)
    .from(posts)
    .leftJoin(postMedia, eq(postMedia.postId, posts.id))
    .where(and(eq(posts.userId, owner), isInCalendarRange(range)))
    .groupBy(posts.id)
    .limit(limit)
}

/** The pages of those posts, each post's in the order they were made. */
export async function listCalendarTargets(db: Tx, owner: OwnerId, range: Range): Promise<CalendarTargetRow[]> {
  return await db
    .select(targetColumns)
    .from(postTargets)
    .innerJoin(posts, eq(posts.id, postTargets.postId))
    .where(and(eq(posts.userId, owner), isInCalendarRange(range)))
    .orderBy(asc(postTargets.id))
}
