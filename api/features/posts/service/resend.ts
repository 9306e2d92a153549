import { postMessages } from '@flashsheet/contracts/posts/messages'
import { targetStatus } from '@flashsheet/contracts/posts/rules'
import type { Post, PostParam, RetryPostInput } from '@flashsheet/contracts/posts/schema'
import { notifyLive } from '@flashsheet/db/live'
import type { SubscriberCtx } from '../../../core/context.ts'
import { conflict, notFound } from '../../../core/errors.ts'
import { lockMediaForUse } from '../../media/service/list.ts'
import { connectedPages } from '../../social/service/accounts.ts'
import { accountState } from '../../social/service/tokens.ts'
import { emitEvent } from '../../webhooks/service/emit.ts'
import { enqueuePublish } from '../jobs.ts'
import { deleteQueuePlaces } from '../queries/queue.ts'
import { listPostMedia, lockMayPublish, setPost } from '../queries/posts.ts'
import { reopenFailed, type TargetRow } from '../queries/targets.ts'
import { maxWaitedMs, maxUnanswered } from '../rules/retry.ts'
import { isUntouched } from '../rules/status.ts'
import { changePost, moveTarget } from './change-post.ts'
import { updatePostOutcome } from './post-outcome.ts'
import { readPost } from './read.ts'

/** Publishes now the targets that wait for their time. Throws notFound, and conflict when none waits. */
export async function publishNow(ctx: SubscriberCtx, { postId }: PostParam): Promise<Post> {
  return await changePost(ctx, postId, async (tx, _post, targets) => {
    const waiting = targets.filter(isUntouched)
    if (waiting.length === 0) throw conflict(postMessages.nothingWaits)
    const now = ctx.now()
    await setPost(tx, ctx.owner, postId, { scheduledAt: now, updatedAt: now })
    await deleteQueuePlaces(tx, ctx.owner, postId)
    for (const target of waiting) await moveTarget(ctx, tx, target, now, 'asked', now)
    await notifyLive(tx, { owner: ctx.owner, topic: 'posts', id: postId })
    await emitEvent(ctx, tx, ctx.owner, 'post.scheduled', async () => await readPost(tx, ctx.owner, postId))
  })
}

/**
 * Retries all failed targets of a post, or one. Unclear ones are only confirmed, not sent. One with `leftBehind` is skipped: only `postAgain`
 * sends it again. Throws notFound, and conflict when there is nothing to retry, or an account, page or media item is missing.
 */
export async function retryPost(ctx: SubscriberCtx, { postId, variantId }: RetryPostInput): Promise<Post> {
  return await resend(ctx, postId, (targets) => {
    if (variantId !== undefined && !targets.some((target) => target.id === variantId)) throw notFound(postMessages.gone)
    const failed = targets.filter(
      (target) => target.phase === 'failed' && (variantId === undefined || target.id === variantId),
    )
    const clear = failed.filter((target) => target.leftBehind === null)
    if (failed.length > 0 && clear.length === 0) throw conflict(postMessages.mayBeThere)
    return clear
  })
}

/** Reopens the picked targets of a post: `unclear` ones are confirmed, the others start again. */
export async function resend(
  ctx: SubscriberCtx,
  postId: string,
  pick: (targets: readonly TargetRow[]) => TargetRow[],
): Promise<Post> {
  return await changePost(ctx, postId, async (tx, post, targets) => {
    const failed = pick(targets)
    if (failed.length === 0) throw conflict(postMessages.nothingFailed)
    // Locked, so that a disconnection is either committed by now or finds the reopened targets.
    for (const accountId of new Set(failed.flatMap((target) => target.accountId ?? []).toSorted()))
      await accountState(tx, ctx.owner, accountId)
    const own = await connectedPages(tx, ctx.owner)
    const isConnected = ({ accountId, pageId }: TargetRow) =>
      own.some((page) => page.accountId === accountId && page.pageId === pageId)
    if (!failed.every(isConnected)) throw conflict(postMessages.accountGone)
    const items = await listPostMedia(tx, ctx.owner, [postId])
    // Locked, since a deletion that has found no post that needs the items may not be committed yet.
    const media = await lockMediaForUse(
      tx,
      ctx.owner,
      items.flatMap(({ mediaId }) => mediaId ?? []),
    )
    if (media.length < items.length) throw conflict(postMessages.mediaGone)
    const now = ctx.now()
    // A post that still waits on another page keeps its time. `waitedMs` then gives the retried targets a full day from now.
    const keepsTime = targets.some((target) => targetStatus(target.phase) === 'scheduled')
    if (!keepsTime) await setPost(tx, ctx.owner, postId, { scheduledAt: now })
    const waitedMs = keepsTime ? Math.min(maxWaitedMs, Math.max(0, now.getTime() - post.scheduledAt.getTime())) : 0
    // As for a new post, the subscription may have ended since the guard checked it.
    const held = !(await lockMayPublish(tx, ctx.owner))
    await reopenFailed(tx, ctx.owner, failed, { waitedMs, unanswered: maxUnanswered, held }, now)
    for (const target of failed)
      await enqueuePublish(ctx, tx, { id: target.id, at: now }, target.unclear ? 'begun' : 'asked')
    await updatePostOutcome(ctx, tx, ctx.owner, post)
  })
}
