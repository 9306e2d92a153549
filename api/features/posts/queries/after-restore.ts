import type { Tx } from '@flashsheet/db/client'
import { postTargets, posts } from '@flashsheet/db/schema/posts'
import { and, asc, eq, gt, inArray, lte, notInArray, sql } from 'drizzle-orm'
import type { Everyone } from '../../../core/scope.ts'

/**
 * Makes the next `limit` targets of a restored database with ids greater than `after` `unknown`: they were due by now, so they may have been
 * published after the backup. `unanswered` is set so that `confirm` may find them but nothing sends them again. Checkpoints are cleared
 * because they are outdated. Returns the ids, in their order.
 */
export async function setDueToUnknown(
  tx: Tx,
  _scope: Everyone,
  unanswered: number,
  now: Date,
  { after, limit }: { after: string; limit: number },
) {
  // Locked first, the post before its target as everywhere: an artist may be moving the post, or a worker ending its run.
  const due = await tx
    .select({ id: postTargets.id })
    .from(posts)
    .innerJoin(postTargets, eq(postTargets.postId, posts.id))
    .where(
      and(
        gt(postTargets.id, after),
        notInArray(postTargets.phase, ['posted', 'failed', 'confirming']),
        eq(postTargets.held, false),
        lte(posts.scheduledAt, now),
      ),
    )
    .orderBy(asc(postTargets.id))
    .limit(limit)
    .for('no key update')
  const ids = due.map((row) => row.id)
  await tx
    .update(postTargets)
    .set({
      phase: 'unknown',
      // It may have been published as soon as it was due.
      firstPublishAt: sql`(select ${posts.scheduledAt} from ${posts} where ${posts.id} = ${postTargets.postId})`,
      lastPublishAt: now,
      lastPublishEndedAt: now,
      unanswered,
      inconclusiveSince: null,
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
    .where(inArray(postTargets.id, ids))
  return ids
}
