import { maxCountedRows } from '@flashsheet/contracts/admin/limits'
import type { Pagination } from '@flashsheet/contracts/admin/schema'
import type { Slice } from '../queries/users.ts'

type PageRequest = { page: number; limit: number }

/** The pagination of a page among `total` entries. A page beyond the end exists and is empty. */
export function pagination(request: PageRequest, total: number, more = false): Pagination {
  const pages = Math.ceil(total / request.limit)
  return {
    current: request.page,
    pages,
    total,
    hasNext: request.page < pages,
    hasPrev: request.page > 1 && pages > 0,
    more,
  }
}

/**
 * How far to count a list without an exact total: to the end of the `span` that the page ends in, so that the last page
 * of a span links to the next one.
 */
export function countLimit({ page, limit }: PageRequest, span = maxCountedRows): number {
  return span * (1 + Math.floor((page * limit) / span))
}

/** The total for a count that stopped at `maxCount` + 1. */
export function cappedCount(matches: number, maxCount: number): { total: number; more: boolean } {
  return matches > maxCount ? { total: maxCount, more: true } : { total: matches, more: false }
}

/** Up to this offset, skipping rows is cheaper than finding an anchor. */
const maxSkippedRows = 500

/** Whether finding an anchor is cheaper than skipping the rows before the page. */
export const needsAnchor = ({ offset }: Slice): boolean => offset > maxSkippedRows

/** The rows of a page if the length of the list is not known. */
export const pageSlice = ({ page, limit }: PageRequest): Slice => ({ offset: (page - 1) * limit, limit })

/** The rows of a page; undefined beyond the end. */
export function sliceOf(request: PageRequest, total: number): Slice | undefined {
  const { offset } = pageSlice(request)
  return offset < total ? { offset, limit: Math.min(request.limit, total - offset) } : undefined
}

/** The same rows, counted from the end if that is nearer. `total` must be exact. */
export const fromNearerEnd = ({ offset, limit }: Slice, total: number): Slice =>
  offset > total / 2 ? { offset: total - offset - limit, limit, isBackwards: true } : { offset, limit }
