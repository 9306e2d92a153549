import type { Pagination as Pages } from '@flashsheet/contracts/admin/schema'
import { useRef, type ReactNode } from 'react'
import { classes } from '../../../ui/classes.ts'
import layout from '../../../ui/layout.module.css'
import { Pagination } from '../../../ui/pagination.tsx'
import text from '../../../ui/text.module.css'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import styles from './paged-section.module.css'

type PagedSectionProps = {
  label: string
  /** The requested page: highlighted at once, although the previous one may still be shown. */
  page: number
  pagination: Pages
  /** The previous page is shown while the requested one loads. */
  isPending: boolean
  onPage: (page: number) => void
  children: ReactNode
}

/** One page of a list, announced, with 'Showing N Entries' and its pages below. */
export function PagedSection({ label, page, pagination, isPending, onPage, children }: PagedSectionProps) {
  const section = useRef<HTMLElement>(null)
  const turnTo = (next: number) => {
    onPage(next)
    // A page that begins above the window is read from its beginning.
    if (!section.current || section.current.getBoundingClientRect().top >= 0) return
    section.current.scrollIntoView({ behavior: 'instant' })
    section.current.focus({ preventScroll: true })
  }
  return (
    <section
      ref={section}
      aria-label={label}
      tabIndex={-1}
      className={classes(layout['stack-4'], styles['section'])}
      aria-busy={isPending}
    >
      <VisuallyHidden>
        {/* Empty in between, so that the same number of other rows is announced too. */}
        <output>{!isPending && formatResults(pagination)}</output>
      </VisuallyHidden>
      {children}
      {pagination.pages > 1 && (
        <div className={classes(layout['row-3'], styles['foot'])}>
          <p className={text['numerals-muted']}>Showing {totalOf(pagination)} Entries</p>
          <Pagination current={page} pages={pagination.pages} onChange={turnTo} />
        </div>
      )}
    </section>
  )
}

/** `Results: 37, page 2 of 4`, for screen readers. */
function formatResults({ pages, current, ...pagination }: Pages): string {
  const results = `Results: ${totalOf(pagination)}`
  return pages > 1 ? `${results}, page ${current} of ${pages}` : results
}

/** `1,024`, or `1,000+` if there are more than were counted. */
const totalOf = ({ total, more }: Pick<Pages, 'total' | 'more'>): string =>
  `${total.toLocaleString('en-US')}${more ? '+' : ''}`
