import type { Context } from 'hono'
import { delaysOf } from './request-middleware.ts'

/** How many milliseconds a thing appears in lists, or changes its status, after it really did. Absent: no delay. */
export type Delays = { lateListMs?: number; lateStatusMs?: number }

/** Stores on `thing` the delays that `late-list` and `late-status` faults ask for in the request that makes it. */
export function applyDelays(c: Context, thing: Delays): void {
  const { lateListMs, lateStatusMs } = delaysOf(c)
  if (lateListMs > 0) thing.lateListMs = lateListMs
  if (lateStatusMs > 0) thing.lateStatusMs = lateStatusMs
}

/** The moment whose state lists show of this thing; later changes are not visible yet. */
export function listedAsOf(c: Context, thing: Delays, now: number): number {
  return now - Math.max(thing.lateListMs ?? 0, delaysOf(c).lateListMs)
}

/** The moment whose state the thing's own status shows. */
export function statusAsOf(c: Context, thing: Delays, now: number): number {
  return now - Math.max(thing.lateStatusMs ?? 0, delaysOf(c).lateStatusMs)
}
