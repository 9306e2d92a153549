import { postAddress, postIdIn } from '@flashsheet/contracts/page-address'
import { postMessages } from '@flashsheet/contracts/posts/messages'
import type { MarkPostedInput, Post, UnclearTarget } from '@flashsheet/contracts/posts/schema'
import { platformNames } from '@flashsheet/contracts/networks'
import type { SubscriberCtx } from '../../../core/context.ts'
import { conflict, invalidField, notFound } from '../../../core/errors.ts'
import { everyoneScope } from '../../../core/scope.ts'
import { connectedPages, type ConnectedPage } from '../../social/service/accounts.ts'
import { listTakenIds, lockPage } from '../queries/concurrent-publishes.ts'
import { setPosted, type TargetRow } from '../queries/targets.ts'
import { isOfAnotherPage } from '../rules/pages.ts'
import { mayBeAtNetwork } from '../rules/status.ts'
import { changePost } from './change-post.ts'
import { moveToGallery } from './conclude.ts'
import { resend } from './resend.ts'
import { updatePostOutcome } from './post-outcome.ts'

/**
 * Marks a failed target as posted, at the address where the artist found it. Throws notFound, invalid for an address of another network or
 * page, and conflict when no post of the target can be there or the address is of another post of ours.
 */
export async function markPosted(ctx: SubscriberCtx, input: MarkPostedInput): Promise<Post> {
  return await resolveAsPosted(ctx, input, (target, pages) => {
    const network = platformNames[target.platform]
    const permalink = postAddress(target.platform, input.address)
    if (permalink === undefined || permalink === target.pageUrl)
      throw invalidField('address', postMessages.notItsAddress(network))
    if (isOfAnotherPage(target, permalink, pages))
      throw invalidField('address', postMessages.anotherPage(target.pageName))
    const id = postIdIn(target.platform, permalink)
    return { permalink, ids: id === undefined ? [] : [id] }
  })
}

/** The post that the artist found, with all of its ids at the network. */
type FoundPost = { permalink: string | null; remoteId?: string; ids: readonly string[] }

/** Marks a target as posted, as the post that `find` returns. Throws as `markPosted`, without invalid. */
export async function resolveAsPosted(
  ctx: SubscriberCtx,
  { postId, variantId }: UnclearTarget,
  find: (target: TargetRow, pages: readonly ConnectedPage[]) => FoundPost,
): Promise<Post> {
  return await changePost(ctx, postId, async (tx, post, targets) => {
    const target = targets.find((one) => one.id === variantId)
    if (!target) throw notFound(postMessages.gone)
    if (!mayBeAtNetwork(target)) throw conflict(postMessages.nothingFailed)
    const { ids, ...found } = find(target, await connectedPages(tx, ctx.owner))
    // The page's lock keeps two targets from both being set to this post.
    await lockPage(tx, everyoneScope(), target)
    if ((await listTakenIds(tx, everyoneScope(), { ...target, butNot: target.id }, ids)).length > 0)
      throw conflict(postMessages.knownAsAnother)
    await setPosted(tx, ctx.owner, target.id, found, ctx.now())
    if (post.toGallery) await moveToGallery(ctx, tx, ctx.owner, post)
    await updatePostOutcome(ctx, tx, ctx.owner, post)
  })
}

/** Sends a failed target again from the beginning: the artist has seen that it is not on its page, or wants it twice. Throws as `retryPost`. */
export async function postAgain(ctx: SubscriberCtx, input: UnclearTarget): Promise<Post> {
  return await resend(ctx, input.postId, (targets) => {
    const target = targets.find((one) => one.id === input.variantId)
    if (!target) throw notFound(postMessages.gone)
    return target.phase === 'failed' ? [{ ...target, unclear: false }] : []
  })
}
