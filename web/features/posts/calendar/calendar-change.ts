import type { CalendarPost } from '@flashsheet/contracts/posts/schema'
import { placeOf } from './calendar-entries.ts'

export type CalendarChange = { posts: readonly CalendarPost[]; gone: readonly string[] }

/** Applies a change to a loaded list: adds posts of its range, and removes moved and deleted ones. Returns the same list if nothing changes. */
export function applyChange(
  list: readonly CalendarPost[],
  range: { from: string; to: string },
  change: CalendarChange,
): readonly CalendarPost[] {
  const from = Date.parse(range.from)
  const to = Date.parse(range.to)
  const isInside = (post: CalendarPost) => placeOf(post) >= from && placeOf(post) < to
  const changed = new Map(change.posts.map((post) => [post._id, post]))
  const gone = new Set(change.gone)
  const present = new Set(list.map((post) => post._id))
  if (
    !change.posts.some((post) => present.has(post._id) || isInside(post)) &&
    !change.gone.some((id) => present.has(id))
  )
    return list
  const remaining = list.filter((post) => !gone.has(post._id)).map((post) => changed.get(post._id) ?? post)
  return [...change.posts.filter((post) => !present.has(post._id)), ...remaining].filter(isInside)
}
