import { characters } from '../characters.ts'
import { type PostStatus, type TargetPhase, calendarTitleMax } from './limits.ts'
import { postMessages } from './messages.ts'
import type { CalendarPost, Post } from './schema.ts'
import { networks, type Platform, type TextLimit } from '../networks.ts'
import type { TiktokPrivacyLevel } from '../social/limits.ts'

/** Whether an irreversible call has ended and its outcome is still unknown. */
export function isBeingConfirmed(phase: TargetPhase): boolean {
  return phase === 'unknown' || phase === 'confirming'
}

/** The status of a target in answers: `scheduled` until it is final. */
export function targetStatus(phase: TargetPhase): PostStatus {
  return phase === 'posted' || phase === 'failed' ? phase : 'scheduled'
}

/** The title of a post in lists: its first variant's title, otherwise its message, otherwise 'Untitled Post'. */
export function postTitle(variants: readonly { title: string; message: string }[]): string {
  return variants[0]?.title || variants[0]?.message || postMessages.untitled
}

/** The title of a post in a calendar. */
export function calendarTitle(variants: readonly { title: string; message: string }[]): string {
  return truncate(postTitle(variants), { max: calendarTitleMax, counts: 'utf16' })
}

/** The summary of a post for a calendar. */
export function calendarPost(post: Post): CalendarPost {
  const [first] = post.media
  return {
    _id: post._id,
    status: post.status,
    scheduledAt: post.scheduledAt,
    updatedAt: post.updatedAt,
    title: calendarTitle(post.variants),
    platforms: [...new Set(post.variants.map((variant) => variant.platform))],
    thumbnailUrl: first?.thumbnailUrl ?? null,
    isVideo: first?.type === 'video',
    mediaCount: post.media.length,
    ...(post.queue ? { queue: post.queue } : {}),
  }
}

/** The length of a text as a network counts it. The # of a hashtag counts as escaped, although it is not. */
export function textLength(text: string, { counts, escapes = '' }: TextLimit): number {
  if (counts === 'bytes') return new TextEncoder().encode(text).length
  // A calendar asks for the lengths of thousands of texts, and most networks escape nothing.
  if (escapes === '') return text.length
  return text.length + Array.from(text).filter((character) => escapes.includes(character)).length
}

/** Cuts a text to a limit, between two characters; `ending` is appended to a text that was cut. */
export function truncate(text: string, limit: TextLimit, ending = ''): string {
  if (textLength(text, limit) <= limit.max) return text
  let length = textLength(ending, limit)
  let cut = ''
  for (const { segment } of characters.segment(text)) {
    length += textLength(segment, limit)
    if (length > limit.max) break
    cut += segment
  }
  return cut + ending
}

/** The first line of a title, cut to `max` UTF-16 units, for a list or a sentence. */
export function shortTitle(title: string, max = 80): string {
  const [line = ''] = title.trim().split('\n')
  return truncate(line, { max, counts: 'utf16' }, '…')
}

/** The title of a video without title and caption, at a network that requires a title. */
const untitledVideo = 'New work'

/**
 * Title and text as they are sent to a network, and as the preview shows them. Where a network has no titles, a missing
 * caption is replaced by the title; where it requires one, a missing title is replaced by the caption's first line.
 */
export function networkTexts(
  platform: Platform,
  { title, message }: { title: string; message: string },
  isVideo: boolean,
): { title: string; text: string } {
  const network = networks[platform]
  const replaceForbidden = (text: string) =>
    Object.entries(network.replaces ?? {}).reduce((all, [from, to]) => all.replaceAll(from, to), text)
  const text = truncate(replaceForbidden(network.title ? message : message || title), network.caption, '…')
  if (!network.title) return { title: isVideo && network.titlesVideos ? replaceForbidden(title) : '', text }
  const firstLine = (content: string) =>
    replaceForbidden(content)
      .trim()
      .split(/[\r\n]/)[0]
      ?.trim() ?? ''
  return { title: truncate(firstLine(title) || firstLine(message) || untitledVideo, network.title).trim(), text }
}

/** From the smallest audience to the largest. */
const byVisibility: readonly TiktokPrivacyLevel[] = [
  'SELF_ONLY',
  'MUTUAL_FOLLOW_FRIENDS',
  'FOLLOWER_OF_CREATOR',
  'PUBLIC_TO_EVERYONE',
]

/** The privacy level with the smallest audience, of those that TikTok offers a creator. */
export function leastVisible(offered: readonly TiktokPrivacyLevel[]): TiktokPrivacyLevel {
  return byVisibility.find((level) => offered.includes(level)) ?? 'SELF_ONLY'
}
