import { postMessages } from '@flashsheet/contracts/posts/messages'
import { targetStatus } from '@flashsheet/contracts/posts/rules'
import type { PostParam } from '@flashsheet/contracts/posts/schema'
import { notifyLive } from '@flashsheet/db/live'
import type { SubscriberCtx } from '../../../core/context.ts'
import { conflict, notFound } from '../../../core/errors.ts'
import { releaseThumbnails } from '../../media/service/remove.ts'
import { deletePosts, listThumbnailKeys, lockPost } from '../queries/posts.ts'
import { lockTargets } from '../queries/targets.ts'
import { isUntouched } from '../rules/status.ts'

/**
 * Deletes a post: what waits for its time never goes out, and what is out stays at the networks. Throws notFound, and conflict
 * while any of it is on its way.
 */
export async function removePost(ctx: SubscriberCtx, input: PostParam): Promise<{ _id: string }> {
  const { postId } = input
  await ctx.db.transaction(async (tx) => {
    const post = await lockPost(tx, ctx.owner, postId)
    if (!post) throw notFound()
    const targets = await lockTargets(tx, ctx.owner, postId)
    if (!targets.every((target) => isUntouched(target) || targetStatus(target.phase) !== 'scheduled'))
      throw conflict(postMessages.underWay)
    const thumbnails = await listThumbnailKeys(tx, ctx.owner, [postId])
    await deletePosts(tx, ctx.owner, [postId])
    await releaseThumbnails(ctx, tx, thumbnails)
    await notifyLive(tx, { owner: ctx.owner, topic: 'posts', id: postId })
  })
  return { _id: postId }
}
