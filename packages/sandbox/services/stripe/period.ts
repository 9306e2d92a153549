import type { Interval } from './state.ts'

/**
 * `count` intervals after `anchor` (seconds, UTC). In months that lack the anchor's day it is their last day.
 */
function addIntervals(anchor: number, interval: Interval, count: number): number {
  if (interval === 'day') return anchor + count * 86_400
  if (interval === 'week') return anchor + count * 7 * 86_400
  const months = interval === 'year' ? count * 12 : count
  const date = new Date(anchor * 1000)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months)
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, last))
  return date.getTime() / 1000
}

/** The first period end after `after` of a subscription anchored at `anchor`. */
export function nextEnd(anchor: number, after: number, interval: Interval, every: number): number {
  let count = every
  while (addIntervals(anchor, interval, count) <= after) count += every
  return addIntervals(anchor, interval, count)
}
