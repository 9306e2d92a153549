import type { Context } from 'hono'
import { latenessOf } from './door.ts'

/** How much later than it is true a thing shows in lists, or changes its status; milliseconds, absent: at once. */
export type Late = { lateListMs?: number; lateStatusMs?: number }

/** Remembers on a thing what the `late-list` and `late-status` faults of the request that makes it want of it. */
export function makeLate(c: Context, thing: Late): void {
  const { lateListMs, lateStatusMs } = latenessOf(c)
  if (lateListMs > 0) thing.lateListMs = lateListMs
  if (lateStatusMs > 0) thing.lateStatusMs = lateStatusMs
}

/** The moment as of which lists tell of this thing: what happened to it later does not show yet. */
export function listedAsOf(c: Context, thing: Late, now: number): number {
  return now - Math.max(thing.lateListMs ?? 0, latenessOf(c).lateListMs)
}

/** The moment as of which the thing's own status is told. */
export function statusAsOf(c: Context, thing: Late, now: number): number {
  return now - Math.max(thing.lateStatusMs ?? 0, latenessOf(c).lateStatusMs)
}
