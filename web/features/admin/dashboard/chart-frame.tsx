import type { ReactNode } from 'react'
import { useLayoutEffect, useRef, useState } from 'react'
import styles from './chart.module.css'

export const chartHeight = 260
export const chartMargin = { top: 12, right: 8, bottom: 28, left: 56 }

/** `2026-11` as a tick: `Nov`, and `Jan 26` where a year begins. */
export function monthTick(month: string): string {
  const at = new Date(`${month}-01T00:00:00Z`)
  const name = at.toLocaleString('en-US', { month: 'short', timeZone: 'UTC' })
  return month.endsWith('-01') ? `${name} ${month.slice(2, 4)}` : name
}

/** Cents as an axis shows them: `$1.2K`. */
const short = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  maximumFractionDigits: 1,
})
export const shortDollars = (cents: number): string => short.format(cents / 100)

/** A chart as wide as its container. `says`: its text alternative; the table beside it has every number. */
export function ChartFrame({
  says,
  legend,
  children,
}: {
  says: string
  legend: ReactNode
  children: (width: number) => ReactNode
}) {
  const frame = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = frame.current
    if (!element) return undefined
    const measure = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)))
    measure.observe(element)
    setWidth(element.clientWidth)
    return () => measure.disconnect()
  }, [])
  return (
    <figure className={styles['figure']}>
      <div ref={frame} className={styles['frame']}>
        {width > 0 && (
          <svg width={width} height={chartHeight} role="img" aria-label={says}>
            {children(width)}
          </svg>
        )}
      </div>
      <figcaption className={styles['legend']}>{legend}</figcaption>
    </figure>
  )
}
