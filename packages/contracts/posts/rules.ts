import { type PostStatus, type TargetPhase, calendarTitleMax } from './limits.ts'
import { postMessages } from './messages.ts'
import type { CalendarPost, Post } from './schema.ts'
import { networks, type Platform, type TextLimit } from '../networks.ts'
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
    ...(post.queue ? { queue: post.queue } : {}),
  }
}

/** How long a text is as a network counts it. */
export function textLength(text: string, counts: TextLimit['counts']): number {
  if (counts === 'bytes') return new TextEncoder().encode(text).length
  return counts === 'codepoints' ? Array.from(text).length : text.length
}

/** The longest beginning of a text that fits, never ending within a character; `ending` follows a text that was cut. */
function fitting(text: string, limit: TextLimit, ending = ''): string {
  if (textLength(text, limit.counts) <= limit.max) return text
  let length = textLength(ending, limit.counts)
  let cut = ''
  for (const character of text) {
    length += textLength(character, limit.counts)
    if (length > limit.max) break
    cut += character
  }
  return cut + ending
}

/** The title of a video that was given neither title nor caption, at a network that wants one. */
const untitledVideo = 'New work'

/**
 * Title and text as a network is sent them, and as the preview shows them. A title alone stands in for a caption where a network has no
 * titles; where it always has one, the caption's first line stands in for a missing title.
 */
export function wordsOn(
  platform: Platform,
  { title, message }: { title: string; message: string },
  isVideo: boolean,
): { title: string; text: string } {
  const network = networks[platform]
  const allowed = (text: string) =>
    Object.entries(network.replaces ?? {}).reduce((all, [from, to]) => all.replaceAll(from, to), text)
  const text = fitting(allowed(network.title ? message : message || title), network.caption, '…')
  if (!network.title) return { title: isVideo && network.titlesVideos ? allowed(title) : '', text }
  const firstLine = (words: string) =>
    allowed(words)
      .trim()
      .split(/[\r\n]/)[0]
      ?.trim() ?? ''
  return { title: fitting(firstLine(title) || firstLine(message) || untitledVideo, network.title).trim(), text }
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
