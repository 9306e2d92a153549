import type { CalendarPost } from '@flashsheet/contracts/posts/schema'
import type { PostStatus } from '@flashsheet/contracts/posts/limits'
import type { Platform } from '@flashsheet/contracts/networks'
import { byTime, dayOf, type CalendarIcon, type BaseEntry } from '../../calendar/calendar-entry.ts'

/** A post in the calendar. */
export type CalendarEntry = BaseEntry & {
  status: PostStatus
  thumbnail: string | null
  isVideo: boolean
  /** The number of pictures after the first. */
  more: number
  /** Each network once, in the order of its pages. */
  platforms: readonly Platform[]
  /** Set while the post waits in the queue; 'paused' while the queue is paused. */
  queue?: 'placed' | 'paused'
  /** Scheduled for an account that must be reconnected first. */
  mark?: 'endangered'
}

export const statusLabels: Record<PostStatus, string> = { posted: 'Posted', scheduled: 'Scheduled', failed: 'Failed' }
export const iconLabels = {
  ...statusLabels,
  endangered: 'Needs an account',
  queued: 'Queued',
  paused: 'Queue paused',
} satisfies Partial<Record<CalendarIcon, string>>
const queueIcons = { placed: 'queued', paused: 'paused' } as const
/** In the order of the legend. */
export const legend = ['posted', 'scheduled', 'failed'] as const satisfies readonly PostStatus[]
type PostIcon = keyof typeof iconLabels
const optionalIcons = ['endangered', 'queued', 'paused'] as const satisfies readonly PostIcon[]
/** The order of a day's dots on a phone, the most important last. */
export const dotOrder = ['posted', 'scheduled', 'endangered', 'failed'] as const

/** The icon of a post. An account that must be reconnected is more urgent than the state of the queue. */
export function iconOf({ status, mark, queue }: Pick<CalendarEntry, 'status' | 'mark' | 'queue'>): PostIcon {
  return mark ?? (queue ? queueIcons[queue] : status)
}

/** The icons in the legend: those of all statuses, and others that these posts have. */
export function legendOf(entries: readonly CalendarEntry[]): readonly PostIcon[] {
  const shownIcons = new Set(entries.map(iconOf))
  return [...legend, ...optionalIcons.filter((icon) => shownIcons.has(icon))]
}

/** Where the calendar shows a post: a final one at `updatedAt`, any other at `scheduledAt`. */
export function placeOf(post: Pick<CalendarPost, 'status' | 'scheduledAt' | 'updatedAt'>): number {
  return Date.parse(post.status === 'scheduled' ? post.scheduledAt : post.updatedAt)
}

export function entryOf(post: CalendarPost): CalendarEntry {
  const at = placeOf(post)
  return {
    id: post._id,
    status: post.status,
    at,
    day: dayOf(at),
    title: post.title,
    thumbnail: post.thumbnailUrl,
    isVideo: post.isVideo,
    more: Math.max(0, post.mediaCount - 1),
    platforms: post.platforms,
    ...(post.queue ? { queue: post.queue } : {}),
  }
}

function isSameEntry(a: CalendarEntry, b: CalendarEntry): boolean {
  return (
    a.id === b.id &&
    a.status === b.status &&
    a.at === b.at &&
    a.day === b.day &&
    a.title === b.title &&
    a.thumbnail === b.thumbnail &&
    a.more === b.more &&
    a.queue === b.queue &&
    a.platforms.join() === b.platforms.join()
  )
}

/**
 * The entries of these weeks from `from` to before `to`, sorted by time. Unchanged entries keep their identity, and so does an unchanged
 * list, because the progress of one post must not render two thousand others again.
 */
export function entriesOf(
  weeks: readonly (readonly CalendarPost[])[],
  from: number,
  to: number,
  before: readonly CalendarEntry[] = [],
): readonly CalendarEntry[] {
  const previous = new Map(before.map((entry) => [entry.id, entry]))
  const entriesById = new Map<string, CalendarEntry>()
  for (const week of weeks) {
    for (const post of week) {
      const entry = entryOf(post)
      if (entry.at < from || entry.at >= to) continue
      const old = previous.get(entry.id)
      entriesById.set(entry.id, old && isSameEntry(old, entry) ? old : entry)
    }
  }
  const entries = [...entriesById.values()].sort(byTime)
  return entries.length === before.length && entries.every((entry, index) => entry === before[index]) ? before : entries
}

/** Marks the scheduled posts among these ids. Returns the same list if there is none. */
export function withEndangered(entries: readonly CalendarEntry[], ids: ReadonlySet<string>): readonly CalendarEntry[] {
  if (!entries.some((entry) => entry.status === 'scheduled' && ids.has(entry.id))) return entries
  return entries.map((entry) =>
    entry.status === 'scheduled' && ids.has(entry.id) ? { ...entry, mark: 'endangered' } : entry,
  )
}

export const postNouns = { one: 'post', many: 'posts', plan: 'Plan a post' }
