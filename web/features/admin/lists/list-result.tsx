import type { Pagination } from '@flashsheet/contracts/admin/schema'
import { Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { tabletWidth, useMediaQuery } from '../../../ui/use-media-query.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Records, type RecordsProps } from '../../../ui/records.tsx'
import { ListPending } from './list-pending.tsx'
import { PagedSection } from './paged-section.tsx'
import { LoadFailed, type FailedQuery } from '../../parts/pending-query.tsx'
import { useLastPage } from './use-last-page.ts'

type ListResultProps<T extends object> = Pick<RecordsProps<T>, 'columns' | 'rows' | 'rowId'> & {
  query: FailedQuery & { data: { pagination: Pagination } | undefined; isPlaceholderData: boolean }
  /** The requested page. */
  page: number
  label: string
  /** As in "Failed to load orders". */
  what: string
  emptyTitle: string
  emptyText?: ReactNode
  onPage: (page: number) => void
}

/** A page of a list: pending, failed, empty or rows. The previous page is shown while the next one loads. */
export function ListResult<T extends object>({
  query,
  page,
  label,
  what,
  emptyTitle,
  emptyText,
  onPage,
  ...records
}: ListResultProps<T>) {
  const isNarrow = useMediaQuery(tabletWidth)
  useLastPage(query.data?.pagination)
  const failed = query.error ? <LoadFailed query={query} failed={`Failed to load ${what}`} /> : null
  if (!query.data) return failed ?? <ListPending label={`Loading ${what}`} />
  return (
    <PagedSection
      label={label}
      page={page}
      pagination={query.data.pagination}
      isPending={query.isPlaceholderData}
      onPage={onPage}
    >
      {failed}
      <Records
        label={label}
        phone={isNarrow}
        {...records}
        empty={
          <EmptyState variant="bare" icon={<Search />} title={emptyTitle}>
            {emptyText}
          </EmptyState>
        }
      />
    </PagedSection>
  )
}
