import type { Context } from 'hono'
import { delaysOf } from './request-middleware.ts'

/** The milliseconds by which an object's lists and its status lag behind its state. Absent: no delay. */
export type Delays = { lateListMs?: number; lateStatusMs?: number }

/** Stores on `object` the delays of the `late-list` and `late-status` faults of the request that creates it. */
export function applyDelays(c: Context, object: Delays): void {
  const { lateListMs, lateStatusMs } = delaysOf(c)
  if (lateListMs > 0) object.lateListMs = lateListMs
  if (lateStatusMs > 0) object.lateStatusMs = lateStatusMs
}

/** The time whose state lists show of this object. */
export function listedAsOf(c: Context, object: Delays, now: number): number {
  return now - Math.max(object.lateListMs ?? 0, delaysOf(c).lateListMs)
}

/** The time whose state the object's status shows. */
export function statusAsOf(c: Context, object: Delays, now: number): number {
  return now - Math.max(object.lateStatusMs ?? 0, delaysOf(c).lateStatusMs)
}
