import type { Pagination } from '@flashsheet/contracts/admin'
import { useEffect } from 'react'

/** A page past the end, from an old link or after the last of it was deleted: goes to the last one there is. */
export function useLastPage(pagination: Pagination | undefined, go: (page: number) => void): void {
  const beyond = pagination && pagination.pages > 0 && pagination.current > pagination.pages ? pagination.pages : null
  useEffect(() => {
    if (beyond !== null) go(beyond)
    // `go` is new with each render; only the page matters.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [beyond])
}
