import type { Pagination } from '@flashsheet/contracts/admin/schema'
import { useRef, type ReactNode } from 'react'
import { classes } from '../../../ui/classes.ts'
import layout from '../../../ui/layout.module.css'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import { ListPagination } from './list-pagination.tsx'
import styles from './paged-section.module.css'

type PagedSectionProps = {
  label: string
  /** The requested page. */
  page: number
  pagination: Pagination
  /** The previous page is shown while the requested one loads. */
  isPending: boolean
  onPage: (page: number) => void
  children: ReactNode
}

/** One page of a list, announced, with its pages below. */
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
      <ListPagination page={page} pagination={pagination} onPage={turnTo} />
    </section>
  )
}

/** `Results: 37, page 2 of 4`, for screen readers. */
function formatResults({ total, more, pages, current }: Pagination): string {
  const results = `Results: ${total.toLocaleString('en-US')}${more ? '+' : ''}`
  return pages > 1 ? `${results}, page ${current} of ${pages}` : results
}
