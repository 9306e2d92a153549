import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { openConnections, sessionTimeouts } from './connection.ts'
import { listenOn } from './live.ts'

/** The NOTIFY channel on which a waiter asks the holder of a lock to release it. */
const wantedChannel = 'flashsheet_lock_wanted'
/** The first half of every key, so that no other advisory lock of the product collides. */
const keySpace = 7_318_202
const retryMs = 40
/** A waiter repeats its request this often, since a NOTIFY may be lost. */
const requestEveryMs = 500
/** A failed release is repeated this often. */
const unlockAgainMs = 250

export type LockRequest = {
  /** Cancels waiting. */
  signal: AbortSignal
  /** The longest wait in milliseconds. */
  waitMs: number
  /** Called, possibly several times, when another process or request waits for this lock, or when the lock was lost. */
  onWanted: () => void
}

/** The lock was not released in time. */
export class LockTimeout extends Error {
  constructor(name: string) {
    super(`the lock ${name} was not free in time`)
    this.name = 'LockTimeout'
  }
}

export type NamedLocks = Awaited<ReturnType<typeof openNamedLocks>>

type Holder = {
  onWanted: () => void
  released: Promise<void>
  settle: () => void
}

/**
 * Locks by name across all processes on one database: Postgres advisory locks on a dedicated connection, so that a killed
 * process releases them at once. A map separates the requests of one process, since a session may take its own lock twice.
 */
export async function openNamedLocks(url: string) {
  const holders = new Map<string, Holder>()
  let closing = false
  const sql = openConnections(url, {
    name: 'locks',
    max: 1,
    timeouts: sessionTimeouts,
    isLongLived: true,
    // All locks ended with the session, so all holders must stop.
    onclose: () => {
      for (const holder of holders.values()) holder.onWanted()
    },
  })

  const forget = (name: string, holder: Holder) => {
    if (holders.get(name) === holder) holders.delete(name)
    holder.settle()
  }
  const unlock = async (name: string, holder: Holder): Promise<void> => {
    if (!closing) await sql`select pg_advisory_unlock(${keySpace}, hashtext(${name}))`
    forget(name, holder)
  }
  const release = async (name: string, holder: Holder): Promise<void> => {
    // The holder stays in the map until the unlock is done, so that no other request of this process takes the lock.
    holder.onWanted = () => {}
    try {
      await unlock(name, holder)
    } catch {
      // An error here would replace the one of the caller's work. The session may live and hold the lock still, so the
      // statement is repeated; in a new session it does nothing.
      void repeatUnlock(name, holder)
    }
  }
  const repeatUnlock = async (name: string, holder: Holder): Promise<void> => {
    while (holders.get(name) === holder) {
      await sleep(unlockAgainMs)
      await unlock(name, holder).catch(() => {})
    }
  }
  const self = randomUUID()
  const onPayload = (payload: string) => {
    // A process receives its own notifications too, possibly after it got the lock.
    if (payload.startsWith(self)) return
    const name = payload.slice(self.length)
    holders.get(name)?.onWanted()
  }
  const requests = await listenOn(url, wantedChannel, { onPayload })

  const take = async (name: string, onWanted: () => void): Promise<(() => Promise<void>) | undefined> => {
    const { promise: released, resolve: settle } = Promise.withResolvers<void>()
    const holder: Holder = { onWanted: () => {}, released, settle }
    holders.set(name, holder)
    let isHeld = false
    try {
      const [row] = await sql<{ held: boolean }[]>`select pg_try_advisory_lock(${keySpace}, hashtext(${name})) as held`
      isHeld = row?.held === true
    } finally {
      if (!isHeld) forget(name, holder)
    }
    if (!isHeld) return undefined
    holder.onWanted = onWanted
    return async () => await release(name, holder)
  }

  return {
    /** Waits for the lock `name` and returns its release, which never fails. Throws LockTimeout, or the signal's reason. */
    async acquire(name: string, { signal, waitMs, onWanted }: LockRequest): Promise<() => Promise<void>> {
      const until = Date.now() + waitMs
      let requestedAt = 0
      for (;;) {
        signal.throwIfAborted()
        const holder = holders.get(name)
        if (!holder) {
          const releaseLock = await take(name, onWanted)
          if (releaseLock) return releaseLock
        }
        if (Date.now() > until) throw new LockTimeout(name)
        if (Date.now() - requestedAt > requestEveryMs) {
          requestedAt = Date.now()
          if (holder) holder.onWanted()
          else await sql`select pg_notify(${wantedChannel}, ${self + name})`
        }
        const pause = new Promise<void>((resolve) => setTimeout(resolve, retryMs))
        await (holder ? Promise.race([holder.released, pause]) : pause)
      }
    },
    async stop(): Promise<void> {
      closing = true
      await Promise.all([requests.stop(), sql.end({ timeout: 2 })])
    },
  }
}
