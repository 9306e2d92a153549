import { countedMatches } from '@flashsheet/contracts/admin/limits'
import type { Pagination } from '@flashsheet/contracts/admin/schema'
import type { Slice } from '../queries/users.ts'

type Asked = { page: number; limit: number }

/** The pagination of a page among `total` entries. A page beyond the end exists and is empty. */
export function pagination(asked: Asked, total: number, more = false): Pagination {
  const pages = Math.ceil(total / asked.limit)
  return { current: asked.page, pages, total, hasNext: asked.page < pages, hasPrev: asked.page > 1 && pages > 0, more }
}

/**
 * How far to count a list without an exact total: to the end of the `span` that the page is in, so that its last page
 * shows the next ones.
 */
export function countLimit({ page, limit }: Asked, span = countedMatches): number {
  return span * (1 + Math.floor((page * limit) / span))
}

/** A count that stopped at `most` + 1. */
export function cappedCount(matches: number, most: number): { total: number; more: boolean } {
  return matches > most ? { total: most, more: true } : { total: matches, more: false }
}

/** Up to this offset, skipping rows is cheaper than finding an anchor. */
const nearRows = 500

/** Whether finding an anchor is worthwhile. */
export const isFarFromStart = ({ offset }: Slice): boolean => offset > nearRows

/** The rows of a page, when the length of the list is not known yet. */
export const pageSlice = ({ page, limit }: Asked): Slice => ({ offset: (page - 1) * limit, limit, backwards: false })

/**
 * The rows of a page; undefined beyond the end. Pages in the second half are counted from the end, which is exact and
 * at most half as far.
 */
export function sliceOf(asked: Asked, total: number, isExact = true): Slice | undefined {
  const offset = (asked.page - 1) * asked.limit
  const limit = Math.min(asked.limit, total - offset)
  if (limit <= 0) return undefined
  return isExact && offset > total / 2
    ? { offset: total - offset - limit, limit, backwards: true }
    : { offset, limit, backwards: false }
}
