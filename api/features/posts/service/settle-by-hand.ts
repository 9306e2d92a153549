import { postAddress } from '@flashsheet/contracts/page-address'
import { postMessages, type MarkPostedInput, type Post, type PostAgainInput } from '@flashsheet/contracts/posts'
import { platformNames } from '@flashsheet/contracts/social'
import type { SubscriberCtx } from '../../../core/context.ts'
import { conflict, invalid, notFound } from '../../../core/errors.ts'
import { lockPost } from '../queries/posts.ts'
import { lockTargets, setPosted, type TargetRow } from '../queries/targets.ts'
import { moveToGallery } from './conclude.ts'
import { getPost } from './read.ts'
import { sendAgain } from './send-again.ts'
import { settlePost } from './settle.ts'

/** Whether something of a failed target may be at its network. */
export function mayRemain(target: Pick<TargetRow, 'phase' | 'unclear' | 'leftBehind'>): boolean {
  return target.phase === 'failed' && (target.unclear || target.leftBehind !== null)
}

/**
 * The artist saw a target on its page that had failed: it is posted, at the address they give. Throws notFound, invalid for an address
 * that is none of its network, and conflict when nothing of it can be there.
 */
export async function markPosted(ctx: SubscriberCtx, input: MarkPostedInput): Promise<Post> {
  const { postId, variantId } = input
  await ctx.db.transaction(async (tx) => {
    const post = await lockPost(tx, ctx.owner, postId)
    const target = post && (await lockTargets(tx, ctx.owner, postId)).find((one) => one.id === variantId)
    if (!target) throw notFound()
    if (!mayRemain(target)) throw conflict(postMessages.nothingFailed)
    const permalink = postAddress(target.platform, input.address)
    if (permalink === undefined) {
      const message = postMessages.notItsAddress(platformNames[target.platform])
      throw invalid(message, { address: message })
    }
    await setPosted(tx, ctx.owner, target.id, permalink, ctx.now())
    if (post.toGallery) await moveToGallery(ctx, tx, ctx.owner, post)
    await settlePost(ctx, tx, ctx.owner, post)
  })
  return await getPost(ctx, { postId })
}

/**
 * The artist saw that a target is not on its page, or wants it there once more: it is posted anew, and what was counted of it is
 * forgotten. Throws as `retryPost`.
 */
export async function postAgain(ctx: SubscriberCtx, input: PostAgainInput): Promise<Post> {
  return await sendAgain(ctx, input.postId, (targets) => {
    const target = targets.find((one) => one.id === input.variantId)
    if (!target) throw notFound()
    return target.phase === 'failed' ? [{ ...target, unclear: false }] : []
  })
}
