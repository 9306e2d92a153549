import type { Tx } from '@flashsheet/db/client'
import { postMedia, postTargets, posts } from '@flashsheet/db/schema/posts'
import { and, asc, eq, inArray, isNotNull, lte, sql } from 'drizzle-orm'
import { calendarTitleMax } from '@flashsheet/contracts/posts/limits'
import type { OwnerId } from '../../../core/scope.ts'

/**
 * The latest posts of each item of the artist's library, the newest first: at most `each` an item. `count` and `isPlanned` are of the item:
 * its posts in all, and whether one of them waits or is out.
 */
export async function listMediaUses(db: Tx, owner: OwnerId, each: number) {
  const ofItem = sql`partition by ${postMedia.mediaId}`
  const ranked = db
    .select({
      mediaId: postMedia.mediaId,
      id: posts.id,
      status: posts.status,
      scheduledAt: posts.scheduledAt,
      count: sql<number>`(count(*) over (${ofItem}))::int`.as('use_count'),
      isPlanned: sql<boolean>`bool_or(${posts.status} <> 'failed') over (${ofItem})`.as('is_planned'),
      place: sql<number>`row_number() over (${ofItem} order by ${posts.scheduledAt} desc, ${posts.id} desc)`.as(
        'place',
      ),
    })
    .from(posts)
    .innerJoin(postMedia, eq(postMedia.postId, posts.id))
    .where(and(eq(posts.userId, owner), isNotNull(postMedia.mediaId)))
    .as('ranked')
  return await db.select().from(ranked).where(lte(ranked.place, each)).orderBy(asc(ranked.mediaId), asc(ranked.place))
}

/** The words of some of the artist's posts, each post's in the order its pages were made; only as much as a title shows. */
export async function listWords(db: Tx, owner: OwnerId, postIds: readonly string[]) {
  if (postIds.length === 0) return []
  return await db
    .select({
      postId: postTargets.postId,
      title: postTargets.title,
      message: sql<string>`left(${postTargets.message}, ${calendarTitleMax}::int)`,
    })
    .from(postTargets)
    .where(and(eq(postTargets.userId, owner), inArray(postTargets.postId, [...postIds])))
    .orderBy(asc(postTargets.id))
}
