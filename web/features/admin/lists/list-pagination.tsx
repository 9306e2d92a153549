import type { Pagination as Pages } from '@flashsheet/contracts/admin/schema'
import { Pagination } from '../../../ui/pagination.tsx'
import text from '../../../ui/text.module.css'
import layout from '../../../ui/layout.module.css'
import { classes } from '../../../ui/classes.ts'
import styles from './list-pagination.module.css'

/** 'Showing N Entries' and the pages. `page` is the requested one: highlighted at once, although the previous one may still be shown. */
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
    <div className={classes(layout['row-3'], styles['foot'])}>
      <p className={text['numerals-muted']}>
        Showing {total.toLocaleString('en-US')}
        {more && '+'} Entries
      </p>
      <Pagination current={page} pages={pages} onChange={onPage} />
    </div>
  )
}
