import type { DbClient } from './client.ts'
import { untilAvailable } from './database-unavailable.ts'

const syncEveryMs = 10_000

/** The database's time in milliseconds, and when it arrived, by this process's monotonic clock. */
type Reading = { at: number; receivedAt: number }

/**
 * The common clock of all processes, so that work is due at the same time on machines whose clocks differ. It differs
 * from the database's clock by at most the time that a query took, and by the drift since the last synchronisation, which
 * is every ten seconds. A reading within the error of measurement changes nothing, which avoids jitter. `aheadMs`: how far
 * this machine's clock was ahead at the start.
 */
export async function openClock({ sql }: Pick<DbClient, 'sql'>) {
  const read = async (): Promise<Reading & { tookMs: number }> => {
    const sentAt = performance.now()
    const [row] = await sql<{ at: number }[]>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as at`
    const receivedAt = performance.now()
    if (!row) throw new Error('the database did not return its time')
    return { at: row.at, receivedAt, tookMs: receivedAt - sentAt }
  }
  let last: Reading = await untilAvailable(read)
  const timeAt = (monotonicMs: number) => last.at + (monotonicMs - last.receivedAt)
  const now = () => timeAt(performance.now())
  const synchronise = async (): Promise<void> => {
    const { tookMs, ...reading } = await read()
    const estimate = timeAt(reading.receivedAt)
    if (estimate < reading.at || estimate > reading.at + tookMs) last = reading
  }
  const aheadMs = Date.now() - now()
  // No log line here: every other user of an unreachable database logs it.
  const timer = setInterval(() => void synchronise().catch(() => {}), syncEveryMs)
  timer.unref()
  return { now: () => new Date(now()), aheadMs, stop: () => clearInterval(timer) }
}
