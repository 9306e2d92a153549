import { setTimeout as sleep } from 'node:timers/promises'

/** Between two batches others get their turn at the disk and the processor. */
const pauseMs = 50
/** A job ends well before the queue takes it for lost. */
const mostBatches = 2000

/**
 * Calls `step`, which does one batch and answers whether there is more, with pauses until there is not. Answers whether something is
 * left: after very many batches, or because the process wants to end.
 */
export async function inBatches(stopping: AbortSignal, step: () => Promise<boolean>): Promise<boolean> {
  for (let batch = 0; batch < mostBatches; batch += 1) {
    if (stopping.aborted) return true
    if (!(await step())) return false
    await sleep(pauseMs, undefined, { signal: stopping }).catch(() => {})
  }
  return true
}
