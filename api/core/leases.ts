import { retryOnDeadlock } from '@flashsheet/db/retry-on-deadlock'
import type { Tx } from '@flashsheet/db/client'
import { releaseLease, lockLease, renewLease, acquireLease } from '@flashsheet/db/leases'
import { setTimeout as sleep } from 'node:timers/promises'
import type { System } from './context.ts'
import { unavailable } from './errors.ts'
import { newId } from './ids.ts'
import { withTimeout } from '@flashsheet/db/with-timeout'

/** How long a lease outlives a process that died while holding it. */
const leaseMs = 15_000
const renewEveryMs = 5000
/** Poll interval while another process holds the lease. */
const pollMs = 100

export type Lease = {
  /**
   * Writes the result in a transaction that checks that the lease is still held. Throws unavailable when another process
   * has taken it, whose result is newer.
   */
  write: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
}

/** The last waiter of this process for each lease; only the first one polls the database. */
const queues = new WeakMap<System['hooks'], Map<string, Promise<unknown>>>()

/**
 * Runs `work` while no other process and no other caller holds the lease `key`. `work` may wait for outside services, since
 * no database connection is held. A lease whose process died is free after 15 s. Throws unavailable after `waitMs`.
 */
export async function withLease<T>(
  system: System,
  key: string,
  waitMs: number,
  work: (lease: Lease) => Promise<T>,
): Promise<T> {
  const until = Date.now() + waitMs
  const queue = queues.get(system.hooks) ?? new Map<string, Promise<unknown>>()
  queues.set(system.hooks, queue)
  const previous = queue.get(key) ?? Promise.resolve()
  const done = Promise.withResolvers<void>()
  const own = previous.then(async () => await done.promise)
  queue.set(key, own)
  try {
    if ((await withTimeout(previous, Math.max(0, until - Date.now()), 'late')) === 'late') throw unavailable()
    return await acquireAndRun(system, key, until, work)
  } finally {
    done.resolve()
    if (queue.get(key) === own) queue.delete(key)
  }
}

async function acquireAndRun<T>(
  system: System,
  key: string,
  until: number,
  work: (lease: Lease) => Promise<T>,
): Promise<T> {
  const token = newId()
  while (!(await acquireLease(system.db, key, token, leaseMs))) {
    if (Date.now() > until) throw unavailable()
    await sleep(pollMs)
  }
  const heartbeat = setInterval(() => {
    // A failure does not end the work, since the write checks the lease.
    renewLease(system.db, key, token, leaseMs).catch(() => {})
  }, renewEveryMs)
  try {
    return await work({
      write: async (inside) =>
        await retryOnDeadlock(system.db, async (tx) => {
          if (!(await lockLease(tx, key, token)))
            throw unavailable(undefined, undefined, new Error(`the lease ${key} was lost`))
          return await inside(tx)
        }),
    })
  } finally {
    clearInterval(heartbeat)
    await releaseLease(system.db, key, token).catch((error: unknown) =>
      system.log.warn({ err: error, key }, 'a lease could not be released; it expires by itself'),
    )
  }
}

/**
 * Concurrent calls with the same key share a run. A call during a run shares the next one, since the current run may have
 * read its data before the change that the caller asks about.
 */
export function shareInFlight<T>(): (key: string, work: () => Promise<T>) => Promise<T> {
  const running = new Map<string, Promise<T>>()
  const next = new Map<string, Promise<T>>()
  const start = (key: string, work: () => Promise<T>): Promise<T> => {
    const run = work()
    running.set(key, run)
    const end = () => void (running.get(key) === run && running.delete(key))
    run.then(end, end)
    return run
  }
  return async (key, work) => {
    const waiting = next.get(key)
    if (waiting) return await waiting
    const current = running.get(key)
    if (!current) return await start(key, work)
    const startNext = () => {
      next.delete(key)
      return start(key, work)
    }
    const run = current.then(startNext, startNext)
    next.set(key, run)
    return await run
  }
}

/**
 * The result of `work` if it comes within the time that a person waits. Otherwise throws `tooLate`, while `work` continues
 * and still writes its result.
 */
export async function withInteractiveTimeout<T>(
  system: Pick<System, 'log' | 'interactiveTimeoutMs'>,
  work: Promise<T>,
  tooLate: () => Error,
): Promise<T> {
  const result = await withTimeout(
    work.then((value) => ({ value })),
    system.interactiveTimeoutMs,
    'late',
  )
  if (result !== 'late') return result.value
  work.catch((error: unknown) => system.log.warn({ err: error }, 'work failed after its caller had stopped waiting'))
  throw tooLate()
}
