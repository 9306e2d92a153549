import type { Pagination } from '@flashsheet/contracts/admin/schema'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { toSearchParams } from '../parts/search-params.ts'

/** Replaces a page past the end, such as from an old link, by the last page. */
export function useLastPage(pagination: Pagination | undefined): void {
  const navigate = useNavigate()
  const lastPage = pagination && pagination.pages > 0 && pagination.current > pagination.pages ? pagination.pages : null
  useEffect(() => {
    if (lastPage !== null)
      void navigate({
        to: '.',
        search: (params: object) => toSearchParams({ ...params, page: lastPage }),
        replace: true,
      })
  }, [lastPage, navigate])
}
