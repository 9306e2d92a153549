import { retryOnDeadlock } from '@flashsheet/db/retry-on-deadlock'
import type { Tx } from '@flashsheet/db/client'
import { endLease, lockLease, prolongLease, takeLease } from '@flashsheet/db/leases'
import { setTimeout as sleep } from 'node:timers/promises'
import type { System } from './context.ts'
import { unavailable } from './errors.ts'
import { newId } from './ids.ts'

/** How long a lease outlives a process that died with it. */
const leaseMs = 15_000
const prolongEveryMs = 5000
/** Poll interval while a lease is taken. */
const lookEveryMs = 100

export type Lease = {
  /**
   * Writes the result in a transaction that has checked that the lease is still held. Throws unavailable when another
   * process has taken it: that one's result is newer.
   */
  write: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
}

/** Waiters of this process per lease; only the first polls the database. */
const queues = new WeakMap<System['hooks'], Map<string, Promise<unknown>>>()

/**
 * Runs `work` while no other process and no other caller holds the lease `key`. It may wait for outside services: no database
 * connection is held meanwhile, and a lease whose process died is free after 15 s. Throws unavailable after `waitMs`.
 */
export async function withLease<T>(
  system: System,
  key: string,
  waitMs: number,
  work: (lease: Lease) => Promise<T>,
): Promise<T> {
  const until = Date.now() + waitMs
  const waiting = queues.get(system.hooks) ?? new Map<string, Promise<unknown>>()
  queues.set(system.hooks, waiting)
  const before = waiting.get(key) ?? Promise.resolve()
  const over = Promise.withResolvers<void>()
  const mine = before.then(async () => await over.promise)
  waiting.set(key, mine)
  try {
    await inTime(before, until)
    return await held(system, key, until, work)
  } finally {
    over.resolve()
    if (waiting.get(key) === mine) waiting.delete(key)
  }
}

async function inTime(turn: Promise<unknown>, until: number): Promise<void> {
  const over = new AbortController()
  const late = sleep(Math.max(0, until - Date.now()), 'late' as const, { signal: over.signal }).catch(
    () => 'aborted' as const,
  )
  const first = await Promise.race([turn.then(() => 'turn' as const), late])
  over.abort()
  if (first === 'late') throw unavailable()
}

async function held<T>(system: System, key: string, until: number, work: (lease: Lease) => Promise<T>): Promise<T> {
  const token = newId()
  while (!(await takeLease(system.db, key, token, leaseMs))) {
    if (Date.now() > until) throw unavailable()
    await sleep(lookEveryMs)
  }
  const beating = setInterval(() => {
    // An unavailable database does not end the work: the write checks the lease.
    prolongLease(system.db, key, token, leaseMs).catch(() => {})
  }, prolongEveryMs)
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
    clearInterval(beating)
    await endLease(system.db, key, token).catch((error: unknown) =>
      system.log.warn({ err: error, key }, 'a lease could not be given back; it ends by itself'),
    )
  }
}

/**
 * Concurrent calls with the same key share one run. A call during a run shares the next run, since the current one
 * may have read its data before the change that the caller asks about.
 */
export function shareInFlight<T>(): (key: string, work: () => Promise<T>) => Promise<T> {
  const running = new Map<string, Promise<T>>()
  const next = new Map<string, Promise<T>>()
  const start = (key: string, work: () => Promise<T>): Promise<T> => {
    const answer = work()
    running.set(key, answer)
    const done = () => void (running.get(key) === answer && running.delete(key))
    answer.then(done, done)
    return answer
  }
  return async (key, work) => {
    const waiting = next.get(key)
    if (waiting) return await waiting
    const before = running.get(key)
    if (!before) return await start(key, work)
    const begin = () => {
      next.delete(key)
      return start(key, work)
    }
    const answer = before.then(begin, begin)
    next.set(key, answer)
    return await answer
  }
}

/**
 * The result of `work` if it comes within the time that a person waits. Otherwise throws `tooLate`, while `work` goes on and still
 * writes its result.
 */
export async function whilePersonWaits<T>(
  system: Pick<System, 'log' | 'personWaitsMs'>,
  work: Promise<T>,
  tooLate: () => Error,
): Promise<T> {
  const over = new AbortController()
  const late = sleep(system.personWaitsMs, undefined, { signal: over.signal }).then(
    () => 'late' as const,
    () => 'aborted' as const,
  )
  try {
    const first = await Promise.race([work.then((value) => ({ value })), late])
    if (typeof first === 'object') return first.value
    work.catch((error: unknown) => system.log.warn({ err: error }, 'what nobody waited for any longer failed'))
    throw tooLate()
  } finally {
    over.abort()
  }
}
