import { postAddress, postIdIn } from '@flashsheet/contracts/page-address'
import { postMessages } from '@flashsheet/contracts/posts/messages'
import type { MarkPostedInput, Post, UnclearTarget } from '@flashsheet/contracts/posts/schema'
import { platformNames } from '@flashsheet/contracts/networks'
import type { SubscriberCtx } from '../../../core/context.ts'
import { conflict, invalid, notFound } from '../../../core/errors.ts'
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
 * The artist saw a target on its page that had failed: it is posted, at the address they give. Throws notFound, invalid for an address
 * that is none of its network or of another page, and conflict when nothing of it can be there, or that is another post of ours.
 */
export async function markPosted(ctx: SubscriberCtx, input: MarkPostedInput): Promise<Post> {
  return await resolveAsPosted(ctx, input, (target, pages) => {
    const network = platformNames[target.platform]
    const permalink = postAddress(target.platform, input.address)
    if (permalink === undefined || permalink === target.pageUrl)
      throw refusedAddress(postMessages.notItsAddress(network))
    if (isOfAnotherPage(target, permalink, pages)) throw refusedAddress(postMessages.anotherPage(target.pageName))
    const name = postIdIn(target.platform, permalink)
    return { permalink, names: name === undefined ? [] : [name] }
  })
}

function refusedAddress(message: string): Error {
  return invalid(message, { address: message })
}

/** The post that the artist found, with every name that its network gives it. */
export type FoundByHand = { permalink: string | null; remoteId?: string; names: readonly string[] }

/** The target is posted, as what was found. Throws notFound, and conflict when nothing of it can be there, or what was found is another post of ours. */
export async function resolveAsPosted(
  ctx: SubscriberCtx,
  { postId, variantId }: UnclearTarget,
  find: (target: TargetRow, pages: readonly ConnectedPage[]) => FoundByHand,
): Promise<Post> {
  return await changePost(ctx, postId, async (tx, post, targets) => {
    const target = targets.find((one) => one.id === variantId)
    if (!target) throw notFound()
    if (!mayBeAtNetwork(target)) throw conflict(postMessages.nothingFailed)
    const { names, ...found } = find(target, await connectedPages(tx, ctx.owner))
    // Serialised by the page's lock, so that two targets cannot both be set to this post.
    await lockPage(tx, everyoneScope(), target)
    if ((await listTakenIds(tx, everyoneScope(), { ...target, butNot: target.id }, names)).length > 0)
      throw conflict(postMessages.knownAsAnother)
    await setPosted(tx, ctx.owner, target.id, found, ctx.now())
    if (post.toGallery) await moveToGallery(ctx, tx, ctx.owner, post)
    await updatePostOutcome(ctx, tx, ctx.owner, post)
  })
}

/**
 * The artist saw that a target is not on its page, or wants it there once more: it is posted anew, and what was counted of it is
 * forgotten. Throws as `retryPost`.
 */
export async function postAgain(ctx: SubscriberCtx, input: UnclearTarget): Promise<Post> {
  return await resend(ctx, input.postId, (targets) => {
    const target = targets.find((one) => one.id === input.variantId)
    if (!target) throw notFound()
    return target.phase === 'failed' ? [{ ...target, unclear: false }] : []
  })
}
