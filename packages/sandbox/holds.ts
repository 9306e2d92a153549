import { setTimeout as sleep } from 'node:timers/promises'

export type Holds = {
  /** Waits for so long, or until `release`. */
  wait: (ms: number) => Promise<void>
  /** Ends every wait under way. */
  release: () => void
}

/**
 * The requests that a fault's delay holds. Clearing the faults releases them, so that a test acts while a request is
 * under way however slow the machine is.
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
