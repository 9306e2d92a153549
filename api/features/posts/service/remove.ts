import type { Deleted } from '@flashsheet/contracts/keys/schema'
import { postMessages } from '@flashsheet/contracts/posts/messages'
import { targetStatus } from '@flashsheet/contracts/posts/rules'
import type { PostParam } from '@flashsheet/contracts/posts/schema'
import { notifyLive } from '@flashsheet/db/live'
import type { SubscriberCtx } from '../../../core/context.ts'
import { conflict } from '../../../core/errors.ts'
import { releaseThumbnails } from '../../media/service/remove.ts'
import { emitEvent } from '../../webhooks/service/emit.ts'
import { deletePosts, listThumbnailKeys } from '../queries/posts.ts'
import type { TargetRow } from '../queries/targets.ts'
import { isUntouched } from '../rules/status.ts'
import { withLockedPost } from './change-post.ts'
import { readPost } from './read.ts'

/**
 * Deletes a post: what waits for its time never goes out, and what is out stays at the networks. Throws notFound, and conflict
 * while any of it is on its way.
 */
export async function removePost(ctx: SubscriberCtx, input: PostParam): Promise<{ _id: string }> {
  const mayGo = (target: TargetRow) => isUntouched(target) || targetStatus(target.phase) !== 'scheduled'
  await remove(ctx, input, mayGo, postMessages.underWay)
  return { _id: input.postId }
}

/** Deletes a post of which nothing has begun (`DELETE /api/posts`). Throws notFound, and conflict for any other. */
export async function cancelPost(ctx: SubscriberCtx, input: PostParam): Promise<Deleted> {
  await remove(ctx, input, isUntouched, postMessages.begun)
  return { deleted: true }
}

async function remove(
  ctx: SubscriberCtx,
  { postId }: PostParam,
  mayGo: (target: TargetRow) => boolean,
  refusal: string,
): Promise<void> {
  await withLockedPost(ctx, postId, async (tx, _post, targets) => {
    if (!targets.every(mayGo)) throw conflict(refusal)
    await emitEvent(ctx, tx, ctx.owner, 'post.deleted', async () => await readPost(tx, ctx.owner, postId))
    const thumbnails = await listThumbnailKeys(tx, ctx.owner, [postId])
    await deletePosts(tx, ctx.owner, [postId])
    await releaseThumbnails(ctx, tx, thumbnails)
    await notifyLive(tx, { owner: ctx.owner, topic: 'posts', id: postId })
  })
}
