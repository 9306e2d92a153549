import type { Pagination } from '@flashsheet/contracts/admin/schema'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { toSearchParams } from '../parts/search-params.ts'

/** Replaces a page past the end, as in an old link, with the last page. */
export function useLastPage(pagination: Pagination | undefined): void {
  const navigate = useNavigate()
  const beyond = pagination && pagination.pages > 0 && pagination.current > pagination.pages ? pagination.pages : null
  useEffect(() => {
    if (beyond !== null)
      void navigate({ to: '.', search: (asked: object) => toSearchParams({ ...asked, page: beyond }), replace: true })
  }, [beyond, navigate])
}
