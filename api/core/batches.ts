import { setTimeout as sleep } from 'node:timers/promises'

/** The pause between batches, for other work. */
const pauseMs = 50
/** Keeps a job well below the time-out of its queue. */
const mostBatches = 2000

/** Repeats `step` while it returns true, with pauses. True: work is left, after `mostBatches` or because the process stops. */
export async function inBatches(stopping: AbortSignal, step: () => Promise<boolean>): Promise<boolean> {
  for (let batch = 0; batch < mostBatches; batch += 1) {
    if (stopping.aborted) return true
    if (!(await step())) return false
    await sleep(pauseMs, undefined, { signal: stopping }).catch(() => {})
  }
  return true
}
