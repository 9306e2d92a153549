import type { Pagination } from '@flashsheet/contracts/admin/schema'
import { Search } from 'lucide-react'
import { useRef, type ReactNode } from 'react'
import { tabletWidth, useMediaQuery } from '../../../lib/use-media-query.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import { Records, type RecordsProps } from '../../../ui/records.tsx'
import { ListPagination } from './list-pagination.tsx'
import { ListPending } from './list-pending.tsx'
import layout from '../../../ui/layout.module.css'
import { classes } from '../../../ui/classes.ts'
import styles from './list-result.module.css'
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
  columns,
  rows,
  rowId,
}: ListResultProps<T>) {
  const isNarrow = useMediaQuery(tabletWidth)
  const list = useRef<HTMLElement>(null)
  const turnTo = (next: number) => {
    onPage(next)
    // A page that begins above the window is read from its beginning.
    if (!list.current || list.current.getBoundingClientRect().top >= 0) return
    list.current.scrollIntoView({ behavior: 'instant' })
    list.current.focus({ preventScroll: true })
  }
  useLastPage(query.data?.pagination)
  const failed = query.error ? <LoadFailed query={query} failed={`Failed to load ${what}`} /> : null
  if (!query.data) return failed ?? <ListPending label={`Loading ${what}`} />
  return (
    <section
      ref={list}
      aria-label={label}
      tabIndex={-1}
      className={classes(layout['stack-4'], styles['list'])}
      aria-busy={query.isPlaceholderData}
    >
      {failed}
      <VisuallyHidden>
        {/* Empty in between, so that the same number of other rows is announced too. */}
        <output>{!query.isPlaceholderData && formatResults(query.data.pagination)}</output>
      </VisuallyHidden>
      <Records
        label={label}
        phone={isNarrow}
        columns={columns}
        rows={rows}
        rowId={rowId}
        empty={
          <EmptyState variant="bare" icon={<Search />} title={emptyTitle}>
            {emptyText}
          </EmptyState>
        }
      />
      <ListPagination page={page} pagination={query.data.pagination} onPage={turnTo} />
    </section>
  )
}

/** `Results: 37, page 2 of 4`, for screen readers. */
function formatResults({ total, more, pages, current }: Pagination): string {
  const results = `Results: ${total.toLocaleString('en-US')}${more ? '+' : ''}`
  return pages > 1 ? `${results}, page ${current} of ${pages}` : results
}
