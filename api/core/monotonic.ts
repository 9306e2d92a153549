/** The clocks by which a process measures its leases. Simulations replace them. */
export type Monotonic = {
  /** Milliseconds of the monotonic clock, which may stop while the machine sleeps. */
  now: () => number
  /** Milliseconds of the wall clock, which never stops but can be set. */
  wall: () => number
  /** Calls `work` every `ms`. Returns a function that stops it. */
  every: (ms: number, work: () => void) => () => void
}

export const processTime: Monotonic = {
  now: () => performance.now(),
  wall: () => Date.now(),
  every(ms, work) {
    const timer = setInterval(work, ms)
    return () => clearInterval(timer)
  },
}
