/**
 * Time as it passes in this process, whatever its wall clock is set to. A lease is believed by it; a simulation holds it.
 */
export type Monotonic = {
  /** Milliseconds since some moment. */
  now: () => number
  /** Calls `work` every `ms` until the answered function is called. */
  every: (ms: number, work: () => void) => () => void
}

export const processTime: Monotonic = {
  now: () => performance.now(),
  every(ms, work) {
    const timer = setInterval(work, ms)
    return () => clearInterval(timer)
  },
}
