import { setTimeout as sleep } from 'node:timers/promises'

export type Holds = ReturnType<typeof createHolds>

/**
 * Holds requests that a fault delays. Clearing the faults releases them, so that a test can act during a request however
 * slow the machine is.
 */
export function createHolds() {
  let released = new AbortController()
  return {
    /** Waits for `ms`, or until `release`. */
    wait: async (ms: number) => await sleep(ms, undefined, { signal: released.signal }).catch(() => {}),
    /** Ends all waits. */
    release() {
      released.abort()
      released = new AbortController()
    },
  }
}
