import { postTitle, targetStatus } from '@flashsheet/contracts/posts/rules'
import type { PostStatus } from '@flashsheet/contracts/posts/limits'
import { platformNames } from '@flashsheet/contracts/networks'
import type { Tx } from '@flashsheet/db/client'
import { notifyLive } from '@flashsheet/db/live'
import type { System } from '../../../core/context.ts'
import type { OwnerId } from '../../../core/scope.ts'
import { releaseThumbnails } from '../../media/service/remove.ts'
import { notifyArtist } from '../../notices/service.ts'
import { emitEvent } from '../../webhooks/service/emit.ts'
import { postFailedTexts } from '../mails.ts'
import { deletePostRow, listThumbnailKeys, setPost, type PostRow } from '../queries/posts.ts'
import { listTargets, type TargetRow } from '../queries/targets.ts'
import { postErrorMessage, postStatus } from '../rules/status.ts'
import { readPost } from './read.ts'

/** The notice of a failure waits for the post's other pages, unless they are due later than this. */
const waitForOthersMs = 10 * 60_000

/**
 * Derives a post's status and message from its targets, in the transaction that changed one. A final status is notified, a failure by
 * mail too. A post without targets is deleted. `post` must be locked.
 */
export async function updatePostOutcome(system: System, tx: Tx, owner: OwnerId, post: PostRow): Promise<void> {
  await notifyLive(tx, { owner, topic: 'posts', id: post.id })
  await updatePostOutcomeWithoutHint(system, tx, owner, post)
}

/** As `updatePostOutcome`, where the statement that made the change already sent the live hint. */
export async function updatePostOutcomeWithoutHint(
  system: System,
  tx: Tx,
  owner: OwnerId,
  post: PostRow,
): Promise<void> {
  const now = system.now()
  const targets = await listTargets(tx, owner, [post.id])
  if (targets.length === 0) return await deletePost(system, tx, owner, post.id)
  const status = postStatus(targets.map((target) => target.phase))
  const errorMessage = postErrorMessage(targets)
  const isNew = errorMessage !== post.errorMessage
  if (status === post.status && !isNew) return
  await setPost(tx, owner, post.id, { status, errorMessage, ...(status === post.status ? {} : { updatedAt: now }) })
  if (status !== post.status) {
    if (status !== 'scheduled') await notifyOutcome(system, tx, owner, post, targets, status)
    await emitEvent(system, tx, owner, `post.${status}`, async () => await readPost(tx, owner, post.id))
  } else if (isNew && errorMessage !== null && areOthersDueLater(targets, now))
    await notifyOutcome(system, tx, owner, post, targets, 'failed')
}

/** Deletes a post with its thumbnails, and emits the event. */
export async function deletePost(system: System, tx: Tx, owner: OwnerId, postId: string): Promise<void> {
  await emitEvent(system, tx, owner, 'post.deleted', async () => await readPost(tx, owner, postId))
  const thumbnails = await listThumbnailKeys(tx, owner, postId)
  await deletePostRow(tx, owner, postId, system.now())
  await releaseThumbnails(system, tx, thumbnails)
}

function areOthersDueLater(targets: readonly TargetRow[], now: Date): boolean {
  const open = targets.filter((target) => targetStatus(target.phase) === 'scheduled')
  return open.every((target) => target.dueAt.getTime() > now.getTime() + waitForOthersMs)
}

/** Whether the post is, or may be, published on some page, or still can be. */
function reachesSome(targets: readonly TargetRow[]): boolean {
  return targets.some((target) => target.phase !== 'failed' || target.unclear)
}

function failureTitle(targets: readonly TargetRow[]): string {
  const [only, ...others] = targets
  if (only && others.length === 0) {
    const page = `${only.pageName} (${platformNames[only.platform]})`
    return only.unclear ? `Please check whether your post is on ${page}` : `Your post did not get to ${page}`
  }
  return reachesSome(targets) ? 'A post could not be published everywhere' : 'A post could not be published'
}

/** Stays until another target fails: a failure that was notified at once is not notified again when the last target is final. */
function failureKey(targets: readonly TargetRow[]): string {
  const times = targets.flatMap(({ failedAt }) => failedAt?.getTime() ?? [])
  return `${times.length} ${Math.max(...times)}`
}

async function notifyOutcome(
  system: System,
  tx: Tx,
  owner: OwnerId,
  post: PostRow,
  targets: readonly TargetRow[],
  status: PostStatus,
): Promise<void> {
  const title = postTitle(targets)
  const reasons = (postErrorMessage(targets) ?? '').split('\n').filter(Boolean)
  const failed = status === 'failed'
  await notifyArtist(system, tx, owner, {
    kind: failed ? 'post_failed' : 'post_posted',
    dedupeKey: `post ${post.id} ${status} ${failed ? failureKey(targets) : system.now().getTime()}`,
    title: failed ? failureTitle(targets) : 'Your post is out',
    text: failed ? reasons.join('\n') : title,
    link: `/scheduled-posts?post=${post.id}`,
    action: 'See the post',
    ...(failed ? { mail: postFailedTexts(title, reasons, reachesSome(targets)) } : {}),
  })
}
