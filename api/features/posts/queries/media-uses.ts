import type { Tx } from '@flashsheet/db/client'
import { postMedia, postTargets, posts } from '@flashsheet/db/schema/posts'
import { and, asc, eq, inArray, isNotNull, lte, sql } from 'drizzle-orm'
import type { OwnerId } from '../../../core/scope.ts'
import { titleColumns } from './target-columns.ts'

/** The newest `limitPerItem` posts of each library item. `count`: all its posts; `isPlanned`: one of them is scheduled or posted. */
export async function listMediaUses(db: Tx, owner: OwnerId, limitPerItem: number) {
  const { id, status, scheduledAt } = posts
  // Distinct, since a post may show an item several times.
  const uses = db
    .selectDistinct({ mediaId: postMedia.mediaId, id, status, scheduledAt })
    .from(posts)
    .innerJoin(postMedia, eq(postMedia.postId, posts.id))
    .where(and(eq(posts.userId, owner), isNotNull(postMedia.mediaId)))
    .as('uses')
  const ofItem = sql`partition by ${uses.mediaId}`
  const ranked = db
    .select({
      ...uses._.selectedFields,
      count: sql<number>`(count(*) over (${ofItem}))::int`.as('use_count'),
      isPlanned: sql<boolean>`bool_or(${uses.status} <> 'failed') over (${ofItem})`.as('is_planned'),
      place: sql<number>`row_number() over (${ofItem} order by ${uses.scheduledAt} desc, ${uses.id} desc)`.as('place'),
    })
    .from(uses)
    .as('ranked')
  return await db
    .select()
    .from(ranked)
    .where(lte(ranked.place, limitPerItem))
    .orderBy(asc(ranked.mediaId), asc(ranked.place))
}

/** The text of these posts, by page in the order they were created; only as much as a title shows. */
export async function listTexts(db: Tx, owner: OwnerId, postIds: readonly string[]) {
  if (postIds.length === 0) return []
  return await db
    .select(titleColumns)
    .from(postTargets)
    .where(and(eq(postTargets.userId, owner), inArray(postTargets.postId, [...postIds])))
    .orderBy(asc(postTargets.id))
}
