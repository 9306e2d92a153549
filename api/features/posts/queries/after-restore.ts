import type { Tx } from '@flashsheet/db/client'
import { postTargets, posts } from '@flashsheet/db/schema/posts'
import { and, eq, inArray, lte, notInArray, sql } from 'drizzle-orm'
import type { Everyone } from '../../../core/scope.ts'

/**
 * Makes at most `limit` targets of a restored database `unknown`: they were due by now, so they may have been published after the backup.
 * `unanswered` is set so that `confirm` may find them but nothing sends them again. Checkpoints are cleared because they are outdated.
 * Returns how many.
 */
export async function setDueToUnknown(db: Tx, _scope: Everyone, unanswered: number, now: Date, limit: number) {
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
    .limit(limit)
  const rows = await db
    .update(postTargets)
    .set({
      phase: 'unknown',
      // It may have been published as soon as it was due.
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
