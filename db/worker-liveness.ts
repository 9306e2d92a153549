import { setTimeout as sleep } from 'node:timers/promises'
import { openConnections, sessionLimits } from './connection.ts'

/** The first half of a worker's advisory lock; the second is its id. */
export const livenessLockSpace = 7_318_203
const beatEveryMs = 1000
/** After this long without an answer from its session a process counts itself as dead; others may a little later. */
export const silentMs = 10_000

/** This process's identity for others. */
export type WorkerIdentity = {
  id: number
  /** Aborts when others may count this process as dead. */
  lost: AbortSignal
  /** Aborts `lost` if the time is up. Called right before an irreversible call, since a timer may be late. */
  check: () => void
}

export type WorkerLiveness = {
  /** Undefined while this process is not sure that others see it as alive. */
  identity: () => WorkerIdentity | undefined
  stop: () => Promise<void>
}

/** For a process that claims nothing. */
export const absent: WorkerLiveness = { identity: () => undefined, stop: async () => await Promise.resolve() }

/** The time of a heartbeat, by the monotonic clock, which stops while a machine sleeps, and by the wall clock. */
type Moment = { monotonic: number; wall: number }
type Registration = { id: number; seenAt: Moment; lost: AbortController }

const thisMoment = (): Moment => ({ monotonic: performance.now(), wall: Date.now() })

/**
 * Registers this process: a row in `publish_workers` and, on a connection of its own, the advisory lock on its id. The
 * lock of a dead process is free at once. A live process that only lost its session takes the lock again, unless
 * somebody has recorded it as dead meanwhile: then, or after `silentMs` without an answer, it gives up its id and gets
 * another.
 */
export async function openWorkerLiveness(url: string): Promise<WorkerLiveness> {
  const stopping = new AbortController()
  let poke = new AbortController()
  const open = () =>
    openConnections(url, {
      name: 'liveness',
      max: 1,
      limits: sessionLimits,
      lasting: true,
      onclose: () => poke.abort(),
    })
  let session = open()
  let current: Registration | undefined

  const giveUp = (old: Registration): void => {
    old.lost.abort(new Error('this worker may be taken for gone'))
    if (current === old) current = undefined
  }
  const isSilent = (one: Registration): boolean =>
    performance.now() - one.seenAt.monotonic > silentMs || Date.now() - one.seenAt.wall > silentMs

  const register = async (): Promise<void> => {
    const askedAt = thisMoment()
    // The row becomes visible after the lock is held.
    const id = await session.begin(async (tx) => {
      const [row] = await tx<
        { id: number }[]
      >`insert into publish_workers (started_at) values (clock_timestamp()) returning id`
      if (!row) throw new Error('a worker could not be put on record')
      await tx`select pg_advisory_lock(${livenessLockSpace}, ${row.id})`
      return row.id
    })
    current = { id, seenAt: askedAt, lost: new AbortController() }
  }
  const isHeld = async (id: number): Promise<boolean> => {
    const [row] = await session<{ held: boolean }[]>`
      select exists (
        select 1 from pg_locks
        where pid = pg_backend_pid() and locktype = 'advisory' and classid = ${livenessLockSpace} and objid = ${id} and objsubid = 2 and granted
      ) as held`
    return row?.held ?? false
  }
  /**
   * After a reconnect. Whoever records a worker as dead holds its lock meanwhile, so what is read under it is final.
   */
  const takeAgain = async (id: number): Promise<boolean> => {
    const [lock] = await session<
      { taken: boolean }[]
    >`select pg_try_advisory_lock(${livenessLockSpace}, ${id}) as taken`
    if (!lock?.taken) return false
    const [row] = await session<
      { known: boolean }[]
    >`select exists (select 1 from publish_workers where id = ${id} and gone_at is null) as known`
    return row?.known ?? false
  }
  const beat = async (): Promise<void> => {
    const mine = current
    if (!mine) return await register()
    const askedAt = thisMoment()
    // The old session may still hold the lock: the next heartbeat tries again, while there is time.
    if (await isHeld(mine.id)) mine.seenAt = askedAt
    else if (await takeAgain(mine.id)) mine.seenAt = askedAt
    else if (await isGone(mine.id)) giveUp(mine)
  }
  const isGone = async (id: number): Promise<boolean> => {
    const [row] = await session<
      { gone: boolean }[]
    >`select not exists (select 1 from publish_workers where id = ${id} and gone_at is null) as gone`
    return row?.gone ?? true
  }

  const watch = setInterval(() => {
    if (!current || !isSilent(current)) return
    giveUp(current)
    // A hanging connection is closed with its statements.
    const old = session
    session = open()
    old.end({ timeout: 0 }).catch(() => {})
  }, 500)
  const beating = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      poke = new AbortController()
      await sleep(beatEveryMs, undefined, { signal: AbortSignal.any([stopping.signal, poke.signal]) }).catch(() => {})
      // A database that cannot be reached is logged by everything else that needs it.
      if (!stopping.signal.aborted) await beat().catch(async () => await sleep(beatEveryMs / 4))
    }
  }
  await register()
  const beats = beating()

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
      clearInterval(watch)
      // Leases that were not released in time expire.
      if (current)
        await Promise.race([session`delete from publish_workers where id = ${current.id}`.catch(() => {}), sleep(1000)])
      await session.end({ timeout: 1 })
      await beats
    },
  }
}
