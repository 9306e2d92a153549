import { countedMatches } from '@flashsheet/contracts/admin/limits'
import type { Pagination } from '@flashsheet/contracts/admin/schema'
import type { Slice } from '../queries/users.ts'

type Asked = { page: number; limit: number }

/** Where a page lies among `total` entries. A page beyond the end is there and empty. */
export function pagination(asked: Asked, total: number, more = false): Pagination {
  const pages = Math.ceil(total / asked.limit)
  return { current: asked.page, pages, total, hasNext: asked.page < pages, hasPrev: asked.page > 1 && pages > 0, more }
}

/** How far a list is counted that has no exact number: to the end of the `span` a page is in, and whoever comes to that end sees the next. */
export function countedTo({ page, limit }: Asked, span = countedMatches): number {
  return span * (1 + Math.floor((page * limit) / span))
}

/** A count that stopped one above the most that are counted. */
export function counted(matches: number, most: number): { total: number; more: boolean } {
  return matches > most ? { total: most, more: true } : { total: matches, more: false }
}

/** Up to here it costs less to pass over rows than to ask where a page begins. */
const nearRows = 500

/** Whether it is worth asking where a page begins. */
export const isFar = ({ offset }: Slice): boolean => offset > nearRows

/** Which rows a page is, of a list whose length is not known yet. */
export const pageSlice = ({ page, limit }: Asked): Slice => ({ offset: (page - 1) * limit, limit, backwards: false })

/** Which rows a page is; undefined beyond the end. What lies past the middle is counted from the end, which is as exact and half as far. */
export function sliceOf(asked: Asked, total: number, isExact = true): Slice | undefined {
  const offset = (asked.page - 1) * asked.limit
  const limit = Math.min(asked.limit, total - offset)
  if (limit <= 0) return undefined
  return isExact && offset > total / 2
    ? { offset: total - offset - limit, limit, backwards: true }
    : { offset, limit, backwards: false }
}

/** The same rows, counted from the other end. */
export const mirrored = ({ offset, limit, backwards }: Slice, total: number): Slice => ({
  offset: total - offset - limit,
  limit,
  backwards: !backwards,
})
