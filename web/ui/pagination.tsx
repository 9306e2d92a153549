import { ChevronLeft, ChevronRight } from 'lucide-react'
import { Button } from './button.tsx'
import layout from './layout.module.css'
import { classes } from './classes.ts'
import styles from './pagination.module.css'

/** Page numbers to show: the first, the last, the current and its neighbours; null is a gap. */
export function pagesToShow(current: number, pages: number): (number | null)[] {
  const shown = new Set([1, pages, current - 1, current, current + 1].filter((page) => page >= 1 && page <= pages))
  // A gap of a single page shows that page.
  if (shown.has(3)) shown.add(2)
  if (shown.has(pages - 2)) shown.add(pages - 1)
  const sorted = [...shown].toSorted((a, b) => a - b)
  return sorted.flatMap((page, index) => (index > 0 && page - (sorted[index - 1] ?? 0) > 1 ? [null, page] : [page]))
}

export type PaginationProps = {
  /** The current page, from 1. */
  current: number
  pages: number
  onChange: (page: number) => void
}

/** Previous, numbered pages, next. Renders nothing for a single page. */
export function Pagination({ current, pages, onChange }: PaginationProps) {
  if (pages <= 1) return null
  return (
    <nav className={classes(layout['row-2'], styles['pagination'])} aria-label="Pages">
      <Button
        variant="quiet"
        size="small"
        icon={<ChevronLeft />}
        aria-label="Previous"
        isDisabled={current <= 1}
        onPress={() => onChange(current - 1)}
      >
        <span className={styles['word']}>Previous</span>
      </Button>
      <ol className={styles['pages']}>
        {pagesToShow(current, pages).map((page, index) => (
          <li
            key={page ?? `gap-${index}`}
            className={
              pages >= 100 && page !== null && page > 1 && page < pages && page !== current ? styles['near'] : undefined
            }
          >
            {page === null ? (
              <span className={styles['gap']}>…</span>
            ) : (
              <Button
                size="small"
                variant={page === current ? 'ink' : 'quiet'}
                aria-label={`Page ${page}`}
                aria-current={page === current ? 'page' : undefined}
                onPress={() => onChange(page)}
              >
                {page}
              </Button>
            )}
          </li>
        ))}
      </ol>
      <Button
        variant="quiet"
        size="small"
        aria-label="Next"
        isDisabled={current >= pages}
        onPress={() => onChange(current + 1)}
      >
        <span className={styles['word']}>Next</span>
        <ChevronRight />
      </Button>
    </nav>
  )
}
