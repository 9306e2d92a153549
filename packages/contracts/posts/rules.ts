import { type PostStatus, type TargetPhase, calendarTitleMax } from './limits.ts'
import { postMessages } from './messages.ts'
import type { CalendarPost, Post } from './schema.ts'
import type { TiktokPrivacyLevel } from '../social/limits.ts'

/** A target's status as the outside sees it: scheduled until it is final. */
export function targetStatus(phase: TargetPhase): PostStatus {
  return phase === 'posted' || phase === 'failed' ? phase : 'scheduled'
}

/** The title a post is listed under: its first variant's title, else its message, else 'Untitled Post'. */
export function postTitle(variants: readonly { title: string; message: string }[]): string {
  return variants[0]?.title || variants[0]?.message || postMessages.untitled
}

/** A whole post as a calendar shows it. */
export function calendarPost(post: Post): CalendarPost {
  const [first] = post.media
  return {
    _id: post._id,
    status: post.status,
    scheduledAt: post.scheduledAt,
    updatedAt: post.updatedAt,
    title: postTitle(post.variants).slice(0, calendarTitleMax),
    platforms: [...new Set(post.variants.map((variant) => variant.platform))],
    thumbnailUrl: first?.thumbnailUrl ?? null,
    isVideo: first?.type === 'video',
    mediaCount: post.media.length,
  }
}

/** From the fewest who can see it to the most. */
const byVisibility: readonly TiktokPrivacyLevel[] = [
  'SELF_ONLY',
  'MUTUAL_FOLLOW_FRIENDS',
  'FOLLOWER_OF_CREATOR',
  'PUBLIC_TO_EVERYONE',
]

/** The privacy level that shows a TikTok post to the fewest, of those a creator is offered. */
export function leastVisible(offered: readonly TiktokPrivacyLevel[]): TiktokPrivacyLevel {
  return byVisibility.find((level) => offered.includes(level)) ?? 'SELF_ONLY'
}
