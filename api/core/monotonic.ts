/** The clocks by which a process judges its leases. A simulation replaces them. */
export type Monotonic = {
  /** Milliseconds of the monotonic clock, which may stop while the machine sleeps. */
  now: () => number
  /** Milliseconds of the wall clock, which does not stop then but can be set. */
  wall: () => number
  /** Calls `work` every `ms`. Returns what stops it. */
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
