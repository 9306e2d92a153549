import type { CalendarPost, PostStatus } from '@flashsheet/contracts/posts'
import type { Platform } from '@flashsheet/contracts/social'

/** A post as the calendar shows it. */
export type CalendarEntry = {
  id: string
  status: PostStatus
  /** Where it stands, in milliseconds: a final post at its last change, else at its time (spec 3). */
  at: number
  /** The day of the viewer it stands on, `2026-11-21`. */
  day: string
  title: string
  thumbnail: string | null
  isVideo: boolean
  /** Pictures beside the first. */
  more: number
  /** Each network once, in the order of its pages. */
  platforms: readonly Platform[]
}

export const statusWords: Record<PostStatus, string> = { posted: 'Posted', scheduled: 'Scheduled', failed: 'Failed' }
/** In the order of the legend (spec 2). */
export const legend = ['posted', 'scheduled', 'failed'] as const satisfies readonly PostStatus[]

/** When a post stands in the calendar: failed and posted ones at `updatedAt`, others at `scheduledAt` (spec 3). */
export function placeOf(post: Pick<CalendarPost, 'status' | 'scheduledAt' | 'updatedAt'>): number {
  return Date.parse(post.status === 'scheduled' ? post.scheduledAt : post.updatedAt)
}

const two = (value: number) => String(value).padStart(2, '0')

/** The viewer's day of an instant. Thousands are asked for at once, so this is plain arithmetic of the browser. */
export function dayOf(at: number): string {
  const date = new Date(at)
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
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
  }
}

function sameEntry(a: CalendarEntry, b: CalendarEntry): boolean {
  return (
    a.id === b.id &&
    a.status === b.status &&
    a.at === b.at &&
    a.title === b.title &&
    a.thumbnail === b.thumbnail &&
    a.more === b.more &&
    a.platforms.join() === b.platforms.join()
  )
}

/**
 * The posts of these weeks that stand from `from` up to and without `to`, by time. What looks as it did keeps its object,
 * and when nothing changed the very same list is answered:
 * a post's progress must not paint two thousand others anew.
 */
export function entriesOf(weeks: readonly (readonly CalendarPost[])[], from: number, to: number, before: readonly CalendarEntry[] = []): readonly CalendarEntry[] {
  const known = new Map(before.map((entry) => [entry.id, entry]))
  const found = new Map<string, CalendarEntry>()
  for (const week of weeks) {
    for (const post of week) {
      const entry = entryOf(post)
      if (entry.at < from || entry.at >= to) continue
      const old = known.get(entry.id)
      found.set(entry.id, old && sameEntry(old, entry) ? old : entry)
    }
  }
  const entries = [...found.values()].sort(byTime)
  return entries.length === before.length && entries.every((entry, index) => entry === before[index]) ? before : entries
}

/** By time, and among equals always in one order. */
export function byTime(a: Pick<CalendarEntry, 'at' | 'id'>, b: Pick<CalendarEntry, 'at' | 'id'>): number {
  return a.at - b.at || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
}

/** By day, each day in order of time. */
export function entriesByDay(entries: readonly CalendarEntry[]): ReadonlyMap<string, readonly CalendarEntry[]> {
  return Map.groupBy(entries, (entry) => entry.day)
}

const time = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' })

/** `h:mm AM`, in the viewer's zone. */
export function timeOf(at: number): string {
  return time.format(at).replaceAll('\u202F', ' ')
}

/** "3 posts", "1 post", "no posts". */
export function countWords(count: number): string {
  return count === 0 ? 'no posts' : `${count} ${count === 1 ? 'post' : 'posts'}`
}
