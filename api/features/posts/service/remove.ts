import type { Deleted } from '@flashsheet/contracts/keys/schema'
import { postMessages } from '@flashsheet/contracts/posts/messages'
import { targetStatus } from '@flashsheet/contracts/posts/rules'
import type { PostParam } from '@flashsheet/contracts/posts/schema'
import { notifyLive } from '@flashsheet/db/live'
import type { SubscriberCtx } from '../../../core/context.ts'
import { conflict } from '../../../core/errors.ts'
import type { TargetRow } from '../queries/targets.ts'
import { isUntouched } from '../rules/status.ts'
import { withLockedPost } from './change-post.ts'
import { deletePost } from './post-outcome.ts'

/** Deletes a post that waits or is final; what is posted stays. Throws notFound, and conflict while any target is being published. */
export async function removePost(ctx: SubscriberCtx, input: PostParam): Promise<{ _id: string }> {
  const isDeletable = (target: TargetRow) => isUntouched(target) || targetStatus(target.phase) !== 'scheduled'
  await remove(ctx, input, isDeletable, postMessages.underWay)
  return { _id: input.postId }
}

/** Deletes a post of which no target has begun (`DELETE /api/posts/{postId}`). Throws notFound, and conflict for any other. */
export async function cancelPost(ctx: SubscriberCtx, input: PostParam): Promise<Deleted> {
  await remove(ctx, input, isUntouched, postMessages.begun)
  return { deleted: true }
}

async function remove(
  ctx: SubscriberCtx,
  { postId }: PostParam,
  isDeletable: (target: TargetRow) => boolean,
  refusal: string,
): Promise<void> {
  await withLockedPost(ctx, postId, async (tx, _post, targets) => {
    if (!targets.every(isDeletable)) throw conflict(refusal)
    await deletePost(ctx, tx, ctx.owner, postId)
    await notifyLive(tx, { owner: ctx.owner, topic: 'posts', id: postId })
  })
}
