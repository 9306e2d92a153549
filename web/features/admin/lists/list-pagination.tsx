import type { Pagination as Pages } from '@flashsheet/contracts/admin/schema'
import { Pagination } from '../../../ui/pagination.tsx'
import styles from './list-pagination.module.css'

/**
 * Below a list: 'Showing N Entries', and the pages when there is more than one. `page` is the one that is asked for: it
 * stands out at once and the next press counts from it, while what is shown may still be the one before.
 */
export function ListPagination({
  page,
  pagination,
  onPage,
}: {
  page: number
  pagination: Pages
  onPage: (page: number) => void
}) {
  const { pages, total, more } = pagination
  if (pages <= 1) return null
  return (
    <div className={styles['foot']}>
      <p className={styles['count']}>
        Showing {total.toLocaleString('en-US')}
        {more && '+'} Entries
      </p>
      <Pagination current={page} pages={pages} onChange={onPage} />
    </div>
  )
}
