import type { ReactNode } from 'react'
import { useLayoutEffect, useRef, useState } from 'react'
import text from '../../../ui/text.module.css'
import { classes } from '../../../ui/classes.ts'
import layout from '../../../ui/layout.module.css'
import styles from './chart.module.css'

export const chartHeight = 260
export const chartMargin = { top: 12, right: 8, bottom: 28, left: 56 }

/** The tick of a month such as `2026-11`: `Nov`, with the year for January: `Jan 26`. */
export function monthTick(month: string): string {
  const date = new Date(`${month}-01T00:00:00Z`)
  const name = date.toLocaleString('en-US', { month: 'short', timeZone: 'UTC' })
  return month.endsWith('-01') ? `${name} ${month.slice(2, 4)}` : name
}

/** Dollars in short: `$1.2K`. */
const compactDollars = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  maximumFractionDigits: 1,
})
export const shortDollars = (cents: number): string => compactDollars.format(cents / 100)

/** A chart as wide as its container. `description` is its text alternative; the table in another tab has every number. */
export function ChartFrame({
  description,
  legend,
  children,
}: {
  description: string
  legend: ReactNode
  children: (width: number) => ReactNode
}) {
  const frame = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = frame.current
    if (!element) return undefined
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)))
    observer.observe(element)
    setWidth(element.clientWidth)
    return () => observer.disconnect()
  }, [])
  return (
    <figure className={layout['stack-3']}>
      <div ref={frame} className={styles['frame']}>
        {width > 0 && (
          <svg width={width} height={chartHeight} role="img" aria-label={description}>
            {children(width)}
          </svg>
        )}
      </div>
      <figcaption className={classes(text['note'], styles['legend'])}>{legend}</figcaption>
    </figure>
  )
}
