import { postMessages } from '@flashsheet/contracts/posts/messages'
import { targetStatus } from '@flashsheet/contracts/posts/rules'
import type { Post, PostParam, RetryPostInput } from '@flashsheet/contracts/posts/schema'
import { notifyLive } from '@flashsheet/db/live'
import type { SubscriberCtx } from '../../../core/context.ts'
import { conflict, notFound } from '../../../core/errors.ts'
import { connectedPages } from '../../social/service/accounts.ts'
import { enqueuePublish } from '../jobs.ts'
import { deleteQueuePlaces } from '../queries/queue.ts'
import { listPostMedia, setPost } from '../queries/posts.ts'
import { reopenFailed, type TargetRow } from '../queries/targets.ts'
import { maxWaitedMs, maxUnanswered } from '../rules/retry.ts'
import { isUntouched } from '../rules/status.ts'
import { changePost, moveTarget } from './change-post.ts'
import { updatePostOutcome } from './post-outcome.ts'

/** Sends what still waits for its time now. Throws notFound, and conflict when nothing of it waits. */
export async function publishNow(ctx: SubscriberCtx, input: PostParam): Promise<Post> {
  const { postId } = input
  return await changePost(ctx, postId, async (tx, _post, targets) => {
    const waiting = targets.filter(isUntouched)
    if (waiting.length === 0) throw conflict(postMessages.nothingWaits)
    const now = ctx.now()
    await setPost(tx, ctx.owner, postId, { scheduledAt: now, updatedAt: now })
    await deleteQueuePlaces(tx, ctx.owner, postId)
    for (const target of waiting) await moveTarget(ctx, tx, target, now, 'asked', now)
    await notifyLive(tx, { owner: ctx.owner, topic: 'posts', id: postId })
  })
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
  return await changePost(ctx, postId, async (tx, post, targets) => {
    const failed = pick(targets)
    if (failed.length === 0) throw conflict(postMessages.nothingFailed)
    const own = await connectedPages(tx, ctx.owner)
    const isConnected = ({ accountId, pageId }: TargetRow) =>
      own.some((page) => page.accountId === accountId && page.pageId === pageId)
    if (!failed.every(isConnected)) throw conflict(postMessages.accountGone)
    if ((await listPostMedia(tx, ctx.owner, [postId])).some((item) => item.mediaId === null))
      throw conflict(postMessages.mediaGone)
    const now = ctx.now()
    // The time of a post that still waits elsewhere stays; this page gets its own day all the same.
    const stays = targets.some((target) => targetStatus(target.phase) === 'scheduled')
    if (!stays) await setPost(tx, ctx.owner, postId, { scheduledAt: now })
    const waitedMs = stays ? Math.min(maxWaitedMs, Math.max(0, now.getTime() - post.scheduledAt.getTime())) : 0
    await reopenFailed(tx, ctx.owner, failed, { waitedMs, unanswered: maxUnanswered }, now)
    for (const target of failed)
      await enqueuePublish(ctx, tx, { id: target.id, at: now }, target.unclear ? 'begun' : 'asked')
    await updatePostOutcome(ctx, tx, ctx.owner, post)
  })
}
