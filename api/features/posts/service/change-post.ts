import { postMessages } from '@flashsheet/contracts/posts/messages'
import { retryOnDeadlock } from '@flashsheet/db/retry-on-deadlock'
import type { Post } from '@flashsheet/contracts/posts/schema'
import type { Tx } from '@flashsheet/db/client'
import type { SubscriberCtx } from '../../../core/context.ts'
import { notFound } from '../../../core/errors.ts'
import { enqueuePublish, type Priority } from '../jobs.ts'
import { lockPost, type PostRow } from '../queries/posts.ts'
import { lockTargets, setTarget, type TargetRow } from '../queries/targets.ts'
import { settleAllowance } from './quota.ts'
import { getPost } from './read.ts'

type Change = (tx: Tx, post: PostRow, targets: TargetRow[]) => Promise<void>

/** Runs `change` on one of the artist's posts and its targets, locked, in one transaction. Throws notFound. */
export async function withLockedPost(ctx: SubscriberCtx, postId: string, change: Change): Promise<void> {
  await retryOnDeadlock(ctx.db, async (tx) => {
    const post = await lockPost(tx, ctx.owner, postId)
    if (!post) throw notFound(postMessages.gone)
    await change(tx, post, await lockTargets(tx, ctx.owner, postId))
  })
}

/** As `withLockedPost`; returns the changed post. */
export async function changePost(ctx: SubscriberCtx, postId: string, change: Change): Promise<Post> {
  await withLockedPost(ctx, postId, change)
  return await getPost(ctx, { postId })
}

/** Moves a target that has not begun to another time, and resets its waits, message and allowance. */
export async function moveTarget(
  ctx: SubscriberCtx,
  tx: Tx,
  target: TargetRow,
  dueAt: Date,
  priority: Priority,
  now: Date,
): Promise<void> {
  await setTarget(tx, ctx.owner, target.id, {
    dueAt,
    waitedMs: 0,
    awaitsAccount: false,
    errorMessage: null,
    updatedAt: now,
  })
  await settleAllowance(tx, target)
  await enqueuePublish(ctx, tx, { id: target.id, at: dueAt }, priority)
}
