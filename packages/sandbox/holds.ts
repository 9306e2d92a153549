import { setTimeout as sleep } from 'node:timers/promises'

export type Holds = {
  /** Waits for `ms`, or until `release`. */
  wait: (ms: number) => Promise<void>
  /** Ends all waits. */
  release: () => void
}

/**
 * Holds requests that a fault delays. Clearing the faults releases them, so that a test can act during a request however
 * slow the machine is.
 */
export function createHolds(): Holds {
  let released = new AbortController()
  return {
    wait: async (ms) => await sleep(ms, undefined, { signal: released.signal }).catch(() => {}),
    release() {
      released.abort()
      released = new AbortController()
    },
  }
}
