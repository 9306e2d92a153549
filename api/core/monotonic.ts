/** Time as it passes in this process, by both of its clocks. A lease is believed by them; a simulation holds them. */
export type Monotonic = {
  /** Milliseconds since some moment; may stand still while the machine sleeps. */
  now: () => number
  /** Milliseconds by the machine's wall clock, which goes on then, and may be set. */
  wall: () => number
  /** Calls `work` every `ms` until the answered function is called. */
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
