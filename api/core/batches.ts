import { setTimeout as sleep } from 'node:timers/promises'

/** The pause between batches, so that other work gets the database. */
const pauseMs = 50
/** Keeps a job well below the time-out of its queue. */
const maxBatches = 2000

/** Repeats `step` while it returns true, with pauses. True: work is left, because `maxBatches` is reached or the process stops. */
export async function inBatches(stopping: AbortSignal, step: () => Promise<boolean>): Promise<boolean> {
  for (let batch = 0; batch < maxBatches; batch += 1) {
    if (stopping.aborted) return true
    if (!(await step())) return false
    await sleep(pauseMs, undefined, { signal: stopping }).catch(() => {})
  }
  return true
}
