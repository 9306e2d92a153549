import type { Pagination as Pages } from '@flashsheet/contracts/admin'
import { Pagination } from '../../ui/pagination.tsx'
import styles from './list-foot.module.css'

/** Below a list: 'Showing N Entries', and the pages when there is more than one (spec 2). */
export function ListFoot({ pagination, onPage }: { pagination: Pages; onPage: (page: number) => void }) {
  const { current, pages, total, more } = pagination
  if (pages <= 1) return null
  return (
    <div className={styles['foot']}>
      <p className={styles['count']}>
        Showing {total.toLocaleString('en-US')}
        {more && '+'} Entries
      </p>
      <Pagination current={current} pages={pages} onChange={onPage} />
    </div>
  )
}
