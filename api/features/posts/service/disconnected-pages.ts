import { retryOnDeadlock } from '@flashsheet/db/retry-on-deadlock'
import { mediaMessages } from '@flashsheet/contracts/media/messages'
import { postTitle } from '@flashsheet/contracts/posts/rules'
import type { Tx } from '@flashsheet/db/client'
import { notifyLive } from '@flashsheet/db/live'
import type { System } from '../../../core/context.ts'
import { conflict } from '../../../core/errors.ts'
import { RetryLater } from '../../../core/jobs.ts'
import { everyoneScope, ownerScope, type OwnerId } from '../../../core/scope.ts'
import { releaseThumbnails } from '../../media/service/remove.ts'
import { resumeDisconnecting } from '../../social/service/accounts.ts'
import { cancelPostsQueue } from '../jobs.ts'
import {
  hasPostsToCancel,
  listDisconnected,
  lockDisconnected,
  markDisconnected,
  unmarkDisconnected,
} from '../queries/disconnected.ts'
import { listOpenPostsUsing, listPostMedia, listThumbnailKeys, lockPost } from '../queries/posts.ts'
import {
  countUnfinishedFor,
  deleteNotStarted,
  listNotStartedPosts,
  listTargets,
  clearFinalTargets,
  type Destination,
} from '../queries/targets.ts'
import { updatePostOutcome } from './post-outcome.ts'

/** How many posts and final targets one request processes; most accounts have fewer. */
const inRequest = { posts: 20, final: 200 }
const inJob = { posts: 50, final: 500 }
type BatchLimits = typeof inRequest

/**
 * Hook: an account or page is being disconnected (`DELETE /api/social-accounts/{id}`). Targets that have not begun are deleted, with posts that
 * have no other; those being published finish; final ones lose text and links. From this transaction on nothing begins there. A job continues
 * with what is too much for one request.
 */
export async function cancelPostsOfPage(
  system: System,
  tx: Tx,
  { owner, accountId, pageId }: { owner: OwnerId } & Destination,
): Promise<void> {
  const destination: Destination = { accountId, pageId }
  const until = await markDisconnected(tx, owner, destination, system.now())
  if (await cancelBatch(system, tx, owner, destination, until, inRequest))
    return await unmarkDisconnected(tx, owner, destination)
  await system.jobs.send(tx, cancelPostsQueue, { owner, accountId, pageId: pageId ?? '' })
}

/** Deletes targets that have not begun first, because the calendar shows them. True when nothing is left. */
async function cancelBatch(
  system: System,
  tx: Tx,
  owner: OwnerId,
  destination: Destination,
  until: Date,
  limits: BatchLimits,
): Promise<boolean> {
  const notStarted = await listNotStartedPosts(tx, owner, destination, until, limits.posts)
  for (const postId of notStarted) {
    const post = await lockPost(tx, owner, postId)
    if (!post) continue
    await deleteNotStarted(tx, owner, { ...destination, postId }, until)
    await updatePostOutcome(system, tx, owner, post)
  }
  if (notStarted.length === limits.posts) return false
  const stripped = await clearFinalTargets(tx, owner, destination, until, system.now(), limits.final)
  if (stripped > 0) await notifyLive(tx, { owner, topic: 'posts' })
  return stripped < limits.final
}

/**
 * Cancels what is left of a disconnected destination, one transaction per batch, so that the next run continues after a crash. Then resumes
 * disconnecting the account, which waited for this.
 */
export async function finishCancelling(
  system: System,
  job: { owner: string; accountId: string; pageId: string },
  stopping: AbortSignal,
): Promise<void> {
  const owner = ownerScope(job.owner)
  const destination: Destination = { accountId: job.accountId, pageId: job.pageId === '' ? undefined : job.pageId }
  const batch = async (tx: Tx): Promise<boolean> => {
    const until = await lockDisconnected(tx, owner, destination)
    if (!until) return true
    if (!(await cancelBatch(system, tx, owner, destination, until, inJob))) return false
    await unmarkDisconnected(tx, owner, destination)
    await resumeDisconnecting(system, tx, owner, job.accountId)
    return true
  }
  while (!(await retryOnDeadlock(system.db, batch))) {
    if (stopping.aborted) throw new RetryLater('the process ends; another one cancels the rest')
  }
}

const hour = 3_600_000

/** Enqueues `cancelPostsQueue` again where the job was lost. */
export async function resumeCancelling(system: System): Promise<void> {
  for (const destination of await listDisconnected(system.db, everyoneScope(), new Date(system.now().getTime() - hour)))
    await system.jobs.send(system.db, cancelPostsQueue, destination)
}

/** Hook: an account is about to be deleted. Throws RetryLater while a target publishes with it; strips targets that finished since disconnecting began. */
export async function cancelPostsOfAccount(
  system: System,
  tx: Tx,
  { owner, accountId }: { owner: OwnerId; accountId: string },
): Promise<void> {
  if (await hasPostsToCancel(tx, owner, accountId))
    throw new RetryLater('posts of this account are still being cancelled')
  const open = await countUnfinishedFor(tx, owner, { accountId })
  if (open > 0) throw new RetryLater(`${open} target(s) are still being published with this account`)
  const now = system.now()
  await clearFinalTargets(tx, owner, { accountId }, now, now, inJob.final)
}

/** Hook: media are to be deleted (`DELETE /api/media`). Throws conflict with the posts that are not final and use them. */
export async function refuseMediaInUse(
  _system: System,
  tx: Tx,
  fact: { owner: OwnerId; mediaIds: readonly string[] },
): Promise<void> {
  const openPosts = await listOpenPostsUsing(tx, fact.owner, fact.mediaIds)
  if (openPosts.length === 0) return
  const ids = openPosts.map((post) => post.id)
  const targets = Map.groupBy(await listTargets(tx, fact.owner, ids), (target) => target.postId)
  const media = Map.groupBy(await listPostMedia(tx, fact.owner, ids), (item) => item.postId)
  throw conflict(mediaMessages.inUse, {
    posts: openPosts.map((post) => ({
      _id: post.id,
      status: post.status,
      scheduledAt: post.scheduledAt.toISOString(),
      title: postTitle(targets.get(post.id) ?? []),
      mediaIds: (media.get(post.id) ?? []).flatMap((item) =>
        item.mediaId !== null && fact.mediaIds.includes(item.mediaId) ? item.mediaId : [],
      ),
    })),
  })
}

/** Hook `accountPurging`: releases the thumbnails of the artist's posts. */
export async function removePostThumbnails(system: System, tx: Tx, fact: { owner: OwnerId }): Promise<void> {
  await releaseThumbnails(system, tx, await listThumbnailKeys(tx, fact.owner))
}
