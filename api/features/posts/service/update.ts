import { retryOnDeadlock } from '@flashsheet/db/retry-on-deadlock'
import { postMessages } from '@flashsheet/contracts/posts/messages'
import type { Post, UpdatePostInput } from '@flashsheet/contracts/posts/schema'
import { notifyLive } from '@flashsheet/db/live'
import type { SubscriberCtx } from '../../../core/context.ts'
import { conflict, invalid, notFound } from '../../../core/errors.ts'
import { emitEvent } from '../../webhooks/service/emit.ts'
import { enqueuePublish } from '../jobs.ts'
import { deleteQueuePlaces } from '../queries/queue.ts'
import { lockPost, setPost } from '../queries/posts.ts'
import { lockTargets, setTarget } from '../queries/targets.ts'
import { refuseTime } from '../rules/compose.ts'
import { isUntouched } from '../rules/status.ts'
import { settleAllowance } from './quota.ts'
import { getPost, readPost } from './read.ts'

/**
 * Changes words and time of a post that nothing has begun of (`PUT /api/posts`); what is left out stays.
 * Throws notFound, invalid, and conflict once it is final or a worker has claimed any of it.
 */
export async function updatePost(ctx: SubscriberCtx, input: UpdatePostInput): Promise<Post> {
  const { postId } = input
  await retryOnDeadlock(ctx.db, async (tx) => {
    const post = await lockPost(tx, ctx.owner, postId)
    if (!post) throw notFound()
    const targets = await lockTargets(tx, ctx.owner, postId)
    if (post.status !== 'scheduled' || !targets.every(isUntouched)) throw conflict(postMessages.notEditable)
    const now = ctx.now()
    const changes = new Map((input.variants ?? []).map((change) => [change._id, change]))
    for (const id of changes.keys()) {
      if (!targets.some((target) => target.id === id))
        throw invalid(postMessages.pageUnknown, { variants: postMessages.pageUnknown })
    }
    const isQueued = targets.some((target) => target.isQueued)
    const leavesQueue = isQueued && input.leavesQueue === true
    const sent = input.scheduledAt === undefined ? undefined : new Date(input.scheduledAt)
    // A caller that sends back what it read does not take a post out of the queue.
    const keepsSlot = isQueued && !leavesQueue && sent?.getTime() === post.scheduledAt.getTime()
    const asked = keepsSlot ? undefined : (sent ?? (leavesQueue ? post.scheduledAt : undefined))
    const tooLate = asked && refuseTime(asked, now)
    if (tooLate) throw invalid(tooLate.message, { scheduledAt: tooLate.message })
    const dueAt = asked && asked < now ? now : asked
    for (const target of targets) {
      const change = changes.get(target.id)
      if (!change && !dueAt) continue
      await setTarget(tx, ctx.owner, target.id, {
        ...(change?.title === undefined ? {} : { title: change.title }),
        ...(change?.message === undefined ? {} : { message: change.message }),
        // Waiting times and messages belong to the previous time.
        ...(dueAt ? { dueAt, waitedMs: 0, awaitsAccount: false, errorMessage: null } : {}),
        updatedAt: now,
      })
      if (!dueAt) continue
      await settleAllowance(tx, target)
      await enqueuePublish(ctx, tx, { id: target.id, at: dueAt }, 'planned')
    }
    if (dueAt) await deleteQueuePlaces(tx, ctx.owner, postId)
    await setPost(tx, ctx.owner, postId, { ...(dueAt ? { scheduledAt: dueAt } : {}), updatedAt: now })
    await notifyLive(tx, { owner: ctx.owner, topic: 'posts', id: postId })
    await emitEvent(ctx, tx, ctx.owner, 'post.scheduled', async () => await readPost(tx, ctx.owner, postId))
  })
  return await getPost(ctx, { postId })
}
