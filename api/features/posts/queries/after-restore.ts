import type { Tx } from '@flashsheet/db/client'
import { postTargets, posts } from '@flashsheet/db/schema/posts'
import { and, eq, inArray, lte, notInArray, sql } from 'drizzle-orm'
import type { Everyone } from '../../../core/scope.ts'

/**
 * In a restored database, targets due by now may have been published after the backup. They become `unknown` with all calls used up: a
 * look may find them, nothing sends them again. Checkpoints are cleared, since they predate the backup. At most `most`; returns how many.
 */
export async function setDueToUnknown(db: Tx, _scope: Everyone, unanswered: number, now: Date, most: number) {
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
