import { postMessages } from '@flashsheet/contracts/posts/messages'
import type { Post, UpdatePostInput } from '@flashsheet/contracts/posts/schema'
import { notifyLive } from '@flashsheet/db/live'
import type { SubscriberCtx } from '../../../core/context.ts'
import { conflict } from '../../../core/errors.ts'
import { emitEvent } from '../../webhooks/service/emit.ts'
import { deleteQueuePlaces } from '../queries/queue.ts'
import { setPost } from '../queries/posts.ts'
import { setTarget } from '../queries/targets.ts'
import { refuse, refuseTime } from '../rules/compose.ts'
import { isUntouched } from '../rules/status.ts'
import { changePost, moveTarget } from './change-post.ts'
import { readPost } from './read.ts'

/**
 * Changes text and time of a post of which no target has begun (`PUT /api/posts/{postId}`); omitted fields stay. Throws notFound, invalid, and
 * conflict once it is final or a worker has claimed a target.
 */
export async function updatePost(ctx: SubscriberCtx, input: UpdatePostInput): Promise<Post> {
  const { postId } = input
  return await changePost(ctx, postId, async (tx, post, targets) => {
    if (post.status !== 'scheduled' || !targets.every(isUntouched)) throw conflict(postMessages.notEditable)
    const now = ctx.now()
    const changes = new Map((input.variants ?? []).map((change) => [change._id, change]))
    const own = new Set(targets.map((target) => target.id))
    if (!new Set(changes.keys()).isSubsetOf(own)) refuse('variants', postMessages.pageUnknown)
    const isQueued = targets.some((target) => target.isQueued)
    const leavesQueue = isQueued && input.leavesQueue === true
    const sent = input.scheduledAt === undefined ? undefined : new Date(input.scheduledAt)
    // A caller that sends the unchanged time back does not take a post out of the queue.
    const keepsSlot = isQueued && !leavesQueue && sent?.getTime() === post.scheduledAt.getTime()
    const newTime = keepsSlot ? undefined : (sent ?? (leavesQueue ? post.scheduledAt : undefined))
    if (newTime) refuseTime(newTime, now)
    const dueAt = newTime && newTime < now ? now : newTime
    for (const target of targets) {
      const { _id, ...words } = changes.get(target.id) ?? {}
      if (_id) await setTarget(tx, ctx.owner, target.id, { ...words, updatedAt: now })
      if (dueAt) await moveTarget(ctx, tx, target, dueAt, 'planned', now)
    }
    if (dueAt) await deleteQueuePlaces(tx, ctx.owner, postId)
    await setPost(tx, ctx.owner, postId, { ...(dueAt ? { scheduledAt: dueAt } : {}), updatedAt: now })
    await notifyLive(tx, { owner: ctx.owner, topic: 'posts', id: postId })
    await emitEvent(ctx, tx, ctx.owner, 'post.scheduled', async () => await readPost(tx, ctx.owner, postId))
  })
}
