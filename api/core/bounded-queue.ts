import { unavailable } from './errors.ts'

type BoundedQueue = {
  /** Runs `work` in its turn. Throws unavailable, with Retry-After, when too many tasks wait. */
  run: <T>(caller: string, work: () => Promise<T>) => Promise<T>
}

/**
 * Runs `atATime` tasks at once and lets `waiting` more wait, at most `waitingPerCaller` of one caller. Callers take turns
 * (round robin), so a task does not wait for a hundred tasks of another caller.
 */
export function createBoundedQueue(limits: {
  atATime: number
  waiting: number
  waitingPerCaller: number
  retryAfterSeconds: number
}): BoundedQueue {
  /** Callers with waiting tasks, in the order of their turns. */
  const callers = new Map<string, (() => void)[]>()
  let running = 0
  let waiting = 0

  async function acquireTurn(caller: string): Promise<void> {
    if (running < limits.atATime) {
      running += 1
      return
    }
    const queue = callers.get(caller) ?? []
    if (waiting >= limits.waiting || queue.length >= limits.waitingPerCaller)
      throw unavailable(undefined, limits.retryAfterSeconds)
    waiting += 1
    await new Promise<void>((resolve) => {
      queue.push(resolve)
      callers.set(caller, queue)
    })
  }

  /** Gives the turn to the next caller, and moves that caller to the end of the round. */
  function passTurn(): void {
    const [first] = callers
    if (!first) {
      running -= 1
      return
    }
    const [caller, queue] = first
    const start = queue.shift()
    callers.delete(caller)
    if (queue.length > 0) callers.set(caller, queue)
    waiting -= 1
    start?.()
  }

  return {
    async run(caller, work) {
      await acquireTurn(caller)
      try {
        return await work()
      } finally {
        passTurn()
      }
    },
  }
}
