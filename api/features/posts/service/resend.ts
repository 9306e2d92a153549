import { retryOnDeadlock } from '@flashsheet/db/retry-on-deadlock'
import { postMessages } from '@flashsheet/contracts/posts/messages'
import { targetStatus } from '@flashsheet/contracts/posts/rules'
import type { Post, PostParam, RetryPostInput } from '@flashsheet/contracts/posts/schema'
import { notifyLive } from '@flashsheet/db/live'
import type { SubscriberCtx } from '../../../core/context.ts'
import { conflict, notFound } from '../../../core/errors.ts'
import { connectedPages } from '../../social/service/accounts.ts'
import { enqueuePublish } from '../jobs.ts'
import { deleteQueuePlaces } from '../queries/queue.ts'
import { listPostMedia, lockPost, setPost } from '../queries/posts.ts'
import { lockTargets, reopenFailed, setTarget, type TargetRow } from '../queries/targets.ts'
import { maxWaitedMs, maxUnanswered } from '../rules/retry.ts'
import { isUntouched } from '../rules/status.ts'
import { settleAllowance } from './quota.ts'
import { getPost } from './read.ts'
import { updatePostOutcome } from './post-outcome.ts'

/** Sends what still waits for its time now. Throws notFound, and conflict when nothing of it waits. */
export async function publishNow(ctx: SubscriberCtx, input: PostParam): Promise<Post> {
  const { postId } = input
  await retryOnDeadlock(ctx.db, async (tx) => {
    const post = await lockPost(tx, ctx.owner, postId)
    if (!post) throw notFound()
    const waiting = (await lockTargets(tx, ctx.owner, postId)).filter(isUntouched)
    if (waiting.length === 0) throw conflict(postMessages.nothingWaits)
    const now = ctx.now()
    await setPost(tx, ctx.owner, postId, { scheduledAt: now, updatedAt: now })
    await deleteQueuePlaces(tx, ctx.owner, postId)
    for (const target of waiting) {
      await setTarget(tx, ctx.owner, target.id, {
        dueAt: now,
        waitedMs: 0,
        awaitsAccount: false,
        errorMessage: null,
        updatedAt: now,
      })
      await settleAllowance(tx, target)
      await enqueuePublish(ctx, tx, { id: target.id, at: now }, 'asked')
    }
    await notifyLive(tx, { owner: ctx.owner, topic: 'posts', id: postId })
  })
  return await getPost(ctx, { postId })
}

/**
 * Tries failed pages of a post again, all of them or one. What is posted is left alone. Where nobody knows whether it is, it is
 * looked for, and nothing is sent; what was left at its network needs the artist's word (`postAgain`). Throws notFound, and conflict
 * when there is nothing to try again, or no account, page or media to do it with.
 */
export async function retryPost(ctx: SubscriberCtx, input: RetryPostInput): Promise<Post> {
  const { postId, variantId } = input
  return await resend(ctx, postId, (targets) => {
    if (variantId !== undefined && !targets.some((target) => target.id === variantId)) throw notFound()
    const failed = targets.filter(
      (target) => target.phase === 'failed' && (variantId === undefined || target.id === variantId),
    )
    const clear = failed.filter((target) => target.leftBehind === null)
    if (failed.length > 0 && clear.length === 0) throw conflict(postMessages.mayBeThere)
    return clear
  })
}

/** Opens the picked targets of a post again; `unclear` ones are looked for, the others begin anew. */
export async function resend(
  ctx: SubscriberCtx,
  postId: string,
  pick: (targets: readonly TargetRow[]) => TargetRow[],
): Promise<Post> {
  await retryOnDeadlock(ctx.db, async (tx) => {
    const post = await lockPost(tx, ctx.owner, postId)
    if (!post) throw notFound()
    const targets = await lockTargets(tx, ctx.owner, postId)
    const failed = pick(targets)
    if (failed.length === 0) throw conflict(postMessages.nothingFailed)
    const own = await connectedPages(tx, ctx.owner)
    if (
      !failed.every((target) =>
        own.some((page) => page.accountId === target.accountId && page.pageId === target.pageId),
      )
    )
      throw conflict(postMessages.accountGone)
    if ((await listPostMedia(tx, ctx.owner, [postId])).some((item) => item.mediaId === null))
      throw conflict(postMessages.mediaGone)
    const now = ctx.now()
    // The time of a post that still waits elsewhere stays; this page gets its own day all the same.
    const stays = targets.some((target: TargetRow) => targetStatus(target.phase) === 'scheduled')
    if (!stays) await setPost(tx, ctx.owner, postId, { scheduledAt: now })
    const waitedMs = stays ? Math.min(maxWaitedMs, Math.max(0, now.getTime() - post.scheduledAt.getTime())) : 0
    await reopenFailed(tx, ctx.owner, failed, { waitedMs, unanswered: maxUnanswered }, now)
    for (const target of failed)
      await enqueuePublish(ctx, tx, { id: target.id, at: now }, target.unclear ? 'begun' : 'asked')
    await updatePostOutcome(ctx, tx, ctx.owner, post)
  })
  return await getPost(ctx, { postId })
}
