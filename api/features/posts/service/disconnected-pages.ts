import { mediaMessages } from '@flashsheet/contracts/media'
import { postTitle } from '@flashsheet/contracts/posts'
import type { Tx } from '@flashsheet/db/client'
import type { System } from '../../../core/context.ts'
import { conflict } from '../../../core/errors.ts'
import { NotYet } from '../../../core/jobs.ts'
import type { OwnerId } from '../../../core/scope.ts'
import { releaseThumbnails } from '../../media/service/remove.ts'
import { listOpenPostsWith, listPostMedia, listThumbnailKeys, lockPost } from '../queries/posts.ts'
import { countOpenAt, deleteNotStarted, listPostsAt, listTargets, stripFinal, type Place } from '../queries/targets.ts'
import { settlePost } from './settle.ts'

/**
 * An account or page is being disconnected (`DELETE /api/social-accounts`): what has not begun there is deleted, a post left
 * with nothing goes, what is being published finishes, and former posts lose their text and links.
 */
export async function cancelPostsOfPage(system: System, tx: Tx, fact: { owner: OwnerId } & Place): Promise<void> {
  const { owner } = fact
  const now = system.now()
  for (const postId of await listPostsAt(tx, owner, fact)) {
    const post = await lockPost(tx, owner, postId)
    if (!post) continue
    await deleteNotStarted(tx, owner, { ...fact, postId })
    await stripFinal(tx, owner, { ...fact, postId }, now)
    await settlePost(system, tx, owner, post)
  }
}

/** An account is about to go for good: throws while something still posts with it, else strips what finished meanwhile. */
export async function cancelPostsOfAccount(system: System, tx: Tx, fact: { owner: OwnerId; accountId: string }): Promise<void> {
  const open = await countOpenAt(tx, fact.owner, fact)
  if (open > 0) throw new NotYet(`${open} target(s) are still being published with this account`)
  await stripFinal(tx, fact.owner, fact, system.now())
}

/** Media are asked to be deleted: refuses with 409 `MediaInUse` while posts that are not final need them (`DELETE /api/media`). */
export async function keepNeededMedia(_system: System, tx: Tx, fact: { owner: OwnerId; mediaIds: readonly string[] }): Promise<void> {
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
      mediaIds: (media.get(post.id) ?? []).flatMap((item) => (item.mediaId !== null && fact.mediaIds.includes(item.mediaId) ? item.mediaId : [])),
    })),
  })
}

/** For the hook `accountPurging`: thumbnails of items deleted long ago go with the posts that showed them. */
export async function removePostThumbnails(system: System, tx: Tx, fact: { owner: OwnerId }): Promise<void> {
  await releaseThumbnails(system, tx, await listThumbnailKeys(tx, fact.owner))
}
