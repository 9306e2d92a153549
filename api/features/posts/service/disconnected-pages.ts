import { retryOnDeadlock } from '@flashsheet/db/retry-on-deadlock'
import { mediaMessages } from '@flashsheet/contracts/media/messages'
import { postTitle } from '@flashsheet/contracts/posts/rules'
import type { Tx } from '@flashsheet/db/client'
import { notifyLive } from '@flashsheet/db/live'
import type { System } from '../../../core/context.ts'
import { conflict } from '../../../core/errors.ts'
import { NotYet } from '../../../core/jobs.ts'
import { everyoneScope, ownerScope, type OwnerId } from '../../../core/scope.ts'
import { releaseThumbnails } from '../../media/service/remove.ts'
import { resumeDisconnecting } from '../../social/service/accounts.ts'
import { leavePlaceQueue } from '../jobs.ts'
import {
  isLettingGo,
  listDisconnected,
  lockDisconnected,
  markDisconnected,
  unmarkDisconnected,
} from '../queries/disconnected.ts'
import { listOpenPostsWith, listPostMedia, listThumbnailKeys, lockPost } from '../queries/posts.ts'
import {
  countOpenAt,
  deleteNotStarted,
  listNotStartedPosts,
  listTargets,
  stripFinal,
  type Place,
} from '../queries/targets.ts'
import { settlePost } from './settle.ts'

/** How much is deleted within the request; for most accounts that is everything. */
const inRequest = { posts: 20, former: 200 }
const inJob = { posts: 50, former: 500 }
type Most = typeof inRequest

/**
 * An account or page is being disconnected (`DELETE /api/social-accounts`): what has not begun there is deleted, a post left with nothing
 * goes, what is being published finishes, and former posts lose their text and links. From this transaction on nothing more begins there; a job lets go of what is too
 * much for a request.
 */
export async function cancelPostsOfPage(
  system: System,
  tx: Tx,
  { owner, accountId, pageId }: { owner: OwnerId } & Place,
): Promise<void> {
  const place: Place = { accountId, pageId }
  const until = await markDisconnected(tx, owner, place, system.now())
  if (await letGoSome(system, tx, owner, place, until, inRequest)) return await unmarkDisconnected(tx, owner, place)
  await system.jobs.send(tx, leavePlaceQueue, { owner, accountId, pageId: pageId ?? '' })
}

/** Deletes targets that have not begun first, because the calendar shows them. Returns whether nothing is left. */
async function letGoSome(
  system: System,
  tx: Tx,
  owner: OwnerId,
  place: Place,
  until: Date,
  most: Most,
): Promise<boolean> {
  const notStarted = await listNotStartedPosts(tx, owner, place, until, most.posts)
  for (const postId of notStarted) {
    const post = await lockPost(tx, owner, postId)
    if (!post) continue
    await deleteNotStarted(tx, owner, { ...place, postId }, until)
    await settlePost(system, tx, owner, post)
  }
  if (notStarted.length === most.posts) return false
  const stripped = await stripFinal(tx, owner, place, until, system.now(), most.former)
  if (stripped > 0) await notifyLive(tx, { owner, topic: 'posts' })
  return stripped < most.former
}

/**
 * Lets go of what is left of a disconnected place, a transaction for each batch: whatever ends it, the next goes on. An account that
 * waits for this is let go afterwards.
 */
export async function finishLeavingPlace(
  system: System,
  job: { owner: string; accountId: string; pageId: string },
  stopping: AbortSignal,
): Promise<void> {
  const owner = ownerScope(job.owner)
  const place: Place = { accountId: job.accountId, pageId: job.pageId === '' ? undefined : job.pageId }
  const batch = async (tx: Tx): Promise<boolean> => {
    const until = await lockDisconnected(tx, owner, place)
    if (!until) return true
    if (!(await letGoSome(system, tx, owner, place, until, inJob))) return false
    await unmarkDisconnected(tx, owner, place)
    await resumeDisconnecting(system, tx, owner, job.accountId)
    return true
  }
  while (!(await retryOnDeadlock(system.db, batch))) {
    if (stopping.aborted) throw new NotYet('the process ends; another lets go of the rest')
  }
}

const hour = 3_600_000

/** Enqueues the job again for places whose job was lost. */
export async function resumeLeavingPlaces(system: System): Promise<void> {
  for (const place of await listDisconnected(system.db, everyoneScope(), new Date(system.now().getTime() - hour)))
    await system.jobs.send(system.db, leavePlaceQueue, place)
}

/** An account is about to be deleted: throws NotYet while a target still publishes with it, otherwise strips targets that finished meanwhile. */
export async function cancelPostsOfAccount(
  system: System,
  tx: Tx,
  fact: { owner: OwnerId; accountId: string },
): Promise<void> {
  const { owner } = fact
  if (await isLettingGo(tx, owner, fact.accountId))
    throw new NotYet('what was made for this account is still being let go')
  const open = await countOpenAt(tx, owner, fact)
  if (open > 0) throw new NotYet(`${open} target(s) are still being published with this account`)
  const now = system.now()
  await stripFinal(tx, owner, fact, now, now, inJob.former)
}

/** Media are asked to be deleted: refuses with 409 `MediaInUse` while posts that are not final need them (`DELETE /api/media`). */
export async function keepNeededMedia(
  _system: System,
  tx: Tx,
  fact: { owner: OwnerId; mediaIds: readonly string[] },
): Promise<void> {
  const needing = await listOpenPostsWith(tx, fact.owner, fact.mediaIds)
  if (needing.length === 0) return
  const ids = needing.map((post) => post.id)
  const targets = Map.groupBy(await listTargets(tx, fact.owner, ids), (target) => target.postId)
  const media = Map.groupBy(await listPostMedia(tx, fact.owner, ids), (item) => item.postId)
  throw conflict(mediaMessages.inUse, {
    posts: needing.map((post) => ({
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

/** For the hook `accountPurging`: thumbnails of items deleted long ago go with the posts that showed them. */
export async function removePostThumbnails(system: System, tx: Tx, fact: { owner: OwnerId }): Promise<void> {
  await releaseThumbnails(system, tx, await listThumbnailKeys(tx, fact.owner))
}
