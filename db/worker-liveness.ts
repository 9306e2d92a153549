import { setTimeout as sleep } from 'node:timers/promises'
import { openConnections, sessionTimeouts } from './connection.ts'
import { untilAvailable } from './database-unavailable.ts'
import { withTimeout } from './with-timeout.ts'

/** The first half of a worker's advisory lock; the second is its id. */
export const livenessLockSpace = 7_318_203
const heartbeatMs = 1000
/** A process without a successful heartbeat for this long considers itself dead; others may do so a little later. */
export const heartbeatTimeoutMs = 10_000

/** This process's identity for others. */
export type WorkerIdentity = {
  id: number
  /** Aborts when others may count this process as dead. */
  lost: AbortSignal
  /** Aborts `lost` if the last heartbeat is too old. Called right before an irreversible call, since a timer may be late. */
  check: () => void
}

export type WorkerLiveness = {
  /** Undefined while other processes may count this one as dead. */
  identity: () => WorkerIdentity | undefined
  stop: () => Promise<void>
}

/** For a process that claims no targets. */
export const noLiveness: WorkerLiveness = { identity: () => undefined, stop: async () => await Promise.resolve() }

/** Two clocks, because the monotonic one stops while a machine sleeps, and the wall clock may be set back. */
type Instant = { monotonicMs: number; wallMs: number }
type Registration = { id: number; heartbeatAt: Instant; lost: AbortController }

const currentInstant = (): Instant => ({ monotonicMs: performance.now(), wallMs: Date.now() })

/**
 * Registers this process: a row in `publish_workers` and, on a dedicated connection, the advisory lock on its id, which
 * Postgres frees as soon as the process dies. A live process that only lost its session takes the lock again. If
 * another process has recorded it as dead, or after `heartbeatTimeoutMs` without a heartbeat, it gets a new id.
 */
export async function openWorkerLiveness(url: string): Promise<WorkerLiveness> {
  const stopping = new AbortController()
  /** Aborted when the session closes, so that the next heartbeat comes at once. */
  let sessionClosed = new AbortController()
  const open = () =>
    openConnections(url, {
      name: 'liveness',
      max: 1,
      timeouts: sessionTimeouts,
      isLongLived: true,
      onclose: () => sessionClosed.abort(),
    })
  let session = open()
  let current: Registration | undefined

  const giveUp = (old: Registration): void => {
    old.lost.abort(new Error('other processes may count this worker as dead'))
    if (current === old) current = undefined
  }
  const isSilent = (one: Registration): boolean =>
    performance.now() - one.heartbeatAt.monotonicMs > heartbeatTimeoutMs ||
    Date.now() - one.heartbeatAt.wallMs > heartbeatTimeoutMs

  const register = async (): Promise<void> => {
    const startedAt = currentInstant()
    // In a transaction, so that the row becomes visible only once the lock is held.
    const id = await session.begin(async (tx) => {
      const [row] = await tx<
        { id: number }[]
      >`insert into publish_workers (started_at) values (clock_timestamp()) returning id`
      if (!row) throw new Error('the INSERT into publish_workers returned no row')
      await tx`select pg_advisory_lock(${livenessLockSpace}, ${row.id})`
      return row.id
    })
    current = { id, heartbeatAt: startedAt, lost: new AbortController() }
  }
  const isHeld = async (id: number): Promise<boolean> => {
    const [row] = await session<{ held: boolean }[]>`
      select exists (
        select 1 from pg_locks
        where pid = pg_backend_pid() and locktype = 'advisory' and classid = ${livenessLockSpace} and objid = ${id} and objsubid = 2 and granted
      ) as held`
    return row?.held ?? false
  }
  const isRecordedDead = async (id: number): Promise<boolean> => {
    const [row] = await session<
      { dead: boolean }[]
    >`select not exists (select 1 from publish_workers where id = ${id} and gone_at is null) as dead`
    return row?.dead ?? true
  }
  /** After a reconnect. A process that records a worker as dead holds the worker's lock, so the row cannot change here. */
  const relock = async (id: number): Promise<boolean> => {
    const [lock] = await session<
      { taken: boolean }[]
    >`select pg_try_advisory_lock(${livenessLockSpace}, ${id}) as taken`
    return lock?.taken === true && !(await isRecordedDead(id))
  }
  const heartbeat = async (): Promise<void> => {
    const mine = current
    if (!mine) return await register()
    const startedAt = currentInstant()
    if ((await isHeld(mine.id)) || (await relock(mine.id))) mine.heartbeatAt = startedAt
    // Otherwise the old session may still hold the lock, and the next heartbeat tries again.
    else if (await isRecordedDead(mine.id)) giveUp(mine)
  }

  const watchdog = setInterval(() => {
    if (!current || !isSilent(current)) return
    giveUp(current)
    // The connection may hang: it is closed together with its statements.
    const old = session
    session = open()
    old.end({ timeout: 0 }).catch(() => {})
  }, 500)
  const runHeartbeats = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      sessionClosed = new AbortController()
      await sleep(heartbeatMs, undefined, {
        signal: AbortSignal.any([stopping.signal, sessionClosed.signal]),
      }).catch(() => {})
      // No log line here: every other user of an unreachable database logs it.
      if (!stopping.signal.aborted) await heartbeat().catch(async () => await sleep(heartbeatMs / 4))
    }
  }
  await untilAvailable(register)
  const heartbeats = runHeartbeats()

  return {
    identity() {
      const mine = current
      if (!mine || isSilent(mine)) return undefined
      return {
        id: mine.id,
        lost: mine.lost.signal,
        check: () => {
          if (isSilent(mine)) giveUp(mine)
        },
      }
    },
    async stop() {
      stopping.abort()
      clearInterval(watchdog)
      // Leases that were not released in time expire.
      if (current) {
        const deleted = session`delete from publish_workers where id = ${current.id}`.catch(() => {})
        await withTimeout(deleted, 1000, 'late')
      }
      await session.end({ timeout: 1 })
      await heartbeats
    },
  }
}
