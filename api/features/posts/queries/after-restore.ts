import type { Tx } from '@flashsheet/db/client'
import { postTargets, posts } from '@flashsheet/db/schema/posts'
import { and, eq, inArray, lte, notInArray, sql } from 'drizzle-orm'
import type { Everyone } from '../../../core/scope.ts'

/**
 * Of a restored database: what was due by now may have been published by the database that is gone. It is put to `unknown` as if that
 * had been tried as often as is allowed: a look may find it, nothing sends it again. What was begun before the backup is forgotten, since
 * it says nothing about what came after. At most `most`; answers how many.
 */
export async function putDueToUnknown(
  db: Tx,
  _scope: Everyone,
  unanswered: number,
  now: Date,
  most: number,
): Promise<number> {
  const due = db
    .select({ id: postTargets.id })
    .from(postTargets)
    .innerJoin(posts, eq(posts.id, postTargets.postId))
    .where(
      and(
        notInArray(postTargets.phase, ['posted', 'failed', 'confirming']),
        eq(postTargets.held, false),
        lte(posts.scheduledAt, now),
      ),
    )
    .limit(most)
  const rows = await db
    .update(postTargets)
    .set({
      phase: 'unknown',
      // It may have gone out as soon as it was due, before anything that this database knows of.
      firstPublishAt: sql`(select ${posts.scheduledAt} from ${posts} where ${posts.id} = ${postTargets.postId})`,
      lastPublishAt: now,
      lastPublishEndedAt: now,
      unanswered,
      silentSince: null,
      checkpoint: {},
      idsLapsed: false,
      awaitsAccount: false,
      remoteId: null,
      dueAt: now,
      tries: 0,
      polls: 0,
      leaseToken: null,
      leaseUntil: null,
      leaseHolder: null,
      updatedAt: now,
    })
    .where(inArray(postTargets.id, due))
    .returning({ id: postTargets.id })
  return rows.length
}
