import { neverDue } from '@flashsheet/contracts/queue/limits'
import { queueMessages } from '@flashsheet/contracts/queue/messages'
import type { Queue } from '@flashsheet/contracts/queue/schema'
import type { Tx } from '@flashsheet/db/client'
import { notifyLive } from '@flashsheet/db/live'
import type { SubscriberCtx } from '../../../core/context.ts'
import { conflict } from '../../../core/errors.ts'
import { emitEvent } from '../../webhooks/service/emit.ts'
import { lockPost, setPost } from '../queries/posts.ts'
import { listPausedPosts, moveQueuePlaces, pauseQueued } from '../queries/queue.ts'
import { lockTargets } from '../queries/targets.ts'
import { isUntouched } from '../rules/status.ts'
import { firstFree, slotKey, slotsAfter } from '../rules/slots.ts'
import { moveTarget } from './change-post.ts'
import { readPost } from './read.ts'

/** Queued posts whose slot has not come wait until the queue is resumed. Posts with a time of their own are not affected. */
export async function pauseQueue(ctx: SubscriberCtx, tx: Tx, now: Date): Promise<void> {
  await pauseQueued(tx, ctx.owner, now, neverDue)
  await notifyLive(tx, { owner: ctx.owner, topic: 'posts' })
}

/**
 * Queued posts are due at their slot again. Posts that have missed it take the next free one for all of their pages, in their order, so that
 * they are not published in a burst. Throws conflict when there is none for one of them.
 */
export async function resumeQueue(
  ctx: SubscriberCtx,
  tx: Tx,
  queue: Queue,
  taken: Set<string>,
  now: Date,
): Promise<void> {
  for (const { postId, slotAt } of await listPausedPosts(tx, ctx.owner, neverDue)) {
    const post = await lockPost(tx, ctx.owner, postId)
    const targets = (await lockTargets(tx, ctx.owner, postId)).filter(
      (target) => isUntouched(target) && target.dueAt.getTime() === neverDue.getTime(),
    )
    if (!post || targets.length === 0) continue
    const pages = targets.map(({ accountId, pageId }) => ({ socialAccountId: accountId ?? '', pageId }))
    const dueAt = slotAt > now ? slotAt : firstFree(slotsAfter(queue.slots, queue.timeZone, now), pages, taken)
    if (!dueAt) throw conflict(queueMessages.noSlotsToResume)
    for (const page of pages) taken.add(slotKey(page, dueAt))
    for (const target of targets) await moveTarget(ctx, tx, target, dueAt, 'planned', now)
    const ids = targets.map(({ id }) => id)
    await moveQueuePlaces(tx, ctx.owner, ids, dueAt)
    await setPost(tx, ctx.owner, postId, { scheduledAt: dueAt, updatedAt: now })
    await emitEvent(ctx, tx, ctx.owner, 'post.scheduled', async () => await readPost(tx, ctx.owner, postId))
  }
  await notifyLive(tx, { owner: ctx.owner, topic: 'posts' })
}
