import type { DbClient } from './client.ts'

const askEveryMs = 10_000

/**
 * The database's time without a query for each call; `ahead`: by how many milliseconds this machine's clock was ahead
 * at first.
 */
export type DatabaseClock = { now: () => Date; ahead: number; stop: () => void }

/** The database's time (milliseconds), and when it arrived, by this process's monotonic clock. */
type Heard = { at: number; heardAt: number }

/**
 * The common clock of all processes: work is due when the database says so, however wrong a machine's clock is, or
 * whoever sets it. Never ahead of the database's, and behind it by at most the time that its answer took. Synchronised
 * every ten seconds, since clocks drift and machines sleep; the time stays unchanged while it is within an answer's
 * bounds, so that it does not jitter.
 */
export async function openClock({ sql }: Pick<DbClient, 'sql'>): Promise<DatabaseClock> {
  const ask = async (): Promise<Heard & { tookMs: number }> => {
    const askedAt = performance.now()
    const [row] = await sql<{ at: number }[]>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as at`
    const heardAt = performance.now()
    if (!row) throw new Error('the database did not say what time it is')
    return { at: row.at, heardAt, tookMs: heardAt - askedAt }
  }
  let known: Heard = await ask()
  const now = () => known.at + (performance.now() - known.heardAt)
  const listen = async (): Promise<void> => {
    const { tookMs, ...heard } = await ask()
    const believed = known.at + (heard.heardAt - known.heardAt)
    if (believed < heard.at || believed > heard.at + tookMs) known = heard
  }
  const ahead = Date.now() - now()
  // A database that cannot be reached is logged by everything else that needs it.
  const timer = setInterval(() => void listen().catch(() => {}), askEveryMs)
  timer.unref()
  return { now: () => new Date(now()), ahead, stop: () => clearInterval(timer) }
}
