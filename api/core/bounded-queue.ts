import { unavailable } from './errors.ts'
import { createRoundRobin } from './round-robin.ts'

/** Runs `atATime` tasks at once and lets `waiting` more wait, at most `waitingPerOwner` of one owner. Owners take turns. */
export function createBoundedQueue(limits: {
  atATime: number
  waiting: number
  waitingPerOwner: number
  retryAfterSeconds: number
}) {
  const waiting = createRoundRobin<() => void>(limits)
  let running = 0
  return {
    /** Runs `work` in its turn. Throws unavailable, with Retry-After, when too many tasks wait. */
    async run<T>(owner: string, work: () => Promise<T>): Promise<T> {
      if (running < limits.atATime) running += 1
      else
        await new Promise<void>((start, refuse) => {
          if (!waiting.add(owner, start)) refuse(unavailable(undefined, limits.retryAfterSeconds))
        })
      try {
        return await work()
      } finally {
        const startNext = waiting.take()
        if (startNext) startNext()
        else running -= 1
      }
    },
  }
}
