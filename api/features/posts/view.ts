import type { PostStatus } from '@flashsheet/contracts/posts/limits'
import { postMessages } from '@flashsheet/contracts/posts/messages'
import { calendarTitle, isBeingConfirmed, targetStatus } from '@flashsheet/contracts/posts/rules'
import type { CalendarPost, Post, PostMedia, PostResult, PostVariant } from '@flashsheet/contracts/posts/schema'
import { neverDue, type queueStates } from '@flashsheet/contracts/queue/limits'
import type { CalendarRow, CalendarTargetRow } from './queries/calendar.ts'
import type { PostMediaRow, PostRow } from './queries/posts.ts'
import type { TargetRow } from './queries/targets.ts'

/** The public form of a post. */
export function postView(post: PostRow, targets: readonly TargetRow[], media: readonly PostMediaRow[]): Post {
  return {
    _id: post.id,
    status: post.status,
    scheduledAt: post.scheduledAt.toISOString(),
    updatedAt: post.updatedAt.toISOString(),
    errorMessage: post.errorMessage,
    mediaIds: media.flatMap((item) => item.mediaId ?? []),
    media: media.map(postMediaView),
    variants: targets.map(variantView),
    ...(post.toGallery ? { toGallery: true } : {}),
    ...queueOf(post, targets),
  }
}

/** The calendar's form of a post: the same that `calendarPost` makes of a whole post. */
export function calendarView(post: CalendarRow, targets: readonly CalendarTargetRow[]): CalendarPost {
  return {
    _id: post.id,
    status: post.status,
    scheduledAt: post.scheduledAt.toISOString(),
    updatedAt: post.updatedAt.toISOString(),
    title: calendarTitle(targets),
    platforms: [...new Set(targets.map((target) => target.platform))],
    thumbnailUrl: post.mediaCount === 0 ? null : thumbnailAddress({ postId: post.id, position: 0 }),
    isVideo: post.kind === 'video',
    mediaCount: post.mediaCount,
    ...queueOf(post, targets),
  }
}

/** The queue state of a scheduled post with queued targets. */
function queueOf(
  post: { status: PostStatus },
  targets: readonly { isQueued: boolean; dueAt: Date }[],
): { queue?: (typeof queueStates)[number] } {
  const queued = post.status === 'scheduled' ? targets.filter((target) => target.isQueued) : []
  if (queued.length === 0) return {}
  return { queue: queued.some((target) => target.dueAt.getTime() === neverDue.getTime()) ? 'paused' : 'placed' }
}

function variantView(target: TargetRow): PostVariant {
  return {
    _id: target.id,
    platform: target.platform,
    postId: target.postId,
    socialAccountId: target.accountId,
    pageId: target.pageId,
    pageName: target.pageName,
    title: target.title,
    message: target.message,
    options: target.options,
    ...(target.crops ? { crops: target.crops } : {}),
    status: targetStatus(target.phase),
    phase: target.phase,
    progress: target.progress,
    errorMessage: target.awaitsAccount
      ? `${target.errorMessage ?? ''} ${isBeingConfirmed(target.phase) ? postMessages.awaitsLookup : postMessages.awaitsAccount}`.trim()
      : target.errorMessage,
    nextTryAt:
      target.errorMessage !== null && !target.awaitsAccount && targetStatus(target.phase) === 'scheduled'
        ? target.dueAt.toISOString()
        : null,
    mayBeThere: target.phase !== 'failed' ? null : target.unclear ? 'unclear' : target.leftBehind,
    pageUrl: target.phase === 'failed' ? target.pageUrl : null,
    permalink: target.permalink,
  }
}

/** The address of a thumbnail stored for a post. */
function thumbnailAddress(media: Pick<PostMediaRow, 'postId' | 'position'>): string {
  return `/files/posts/${media.postId}/${media.position}`
}

function postMediaView(media: PostMediaRow): PostMedia {
  const thumbnailUrl = thumbnailAddress(media)
  const url =
    media.mediaId === null
      ? thumbnailUrl
      : `/files/media/${media.mediaId}/${media.kind === 'image' ? 'display' : 'original'}`
  return { _id: media.mediaId, type: media.kind, url, thumbnailUrl, fileName: media.fileName, name: media.fileName }
}

/** The answer to `POST /api/posts`. */
export function postResult(post: { id: string; scheduledAt: Date }, targets: readonly TargetRow[]): PostResult {
  return {
    _id: post.id,
    scheduledAt: post.scheduledAt.toISOString(),
    targets: targets.map((target) => ({
      pageId: target.pageId,
      socialAccountId: target.accountId ?? '',
      status: targetStatus(target.phase),
      phase: target.phase,
    })),
  }
}
