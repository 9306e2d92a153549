import type { DbClient } from './client.ts'

const askEveryMs = 10_000

/** The time by the database's clock, without asking it each time; `ahead`: milliseconds this machine's clock was ahead of it at first. */
export type DatabaseClock = { now: () => Date; ahead: number; stop: () => void }

/** What the clock says (milliseconds), when this was heard, by a clock of this process that nobody can set. */
type Heard = { at: number; heardAt: number }

/**
 * The one clock of all processes: what is due is due when the database says so, however wrong a machine's own clock is, or whoever
 * sets it. Never ahead of the database's, and behind it by no more than its answer took to arrive. Asked again every ten seconds, since
 * clocks drift and machines sleep; what lies between the bounds of an answer stays, so that time does not jitter.
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
  // A database that cannot be reached is said loudly enough by all others who need it.
  const timer = setInterval(() => void listen().catch(() => {}), askEveryMs)
  timer.unref()
  return { now: () => new Date(now()), ahead, stop: () => clearInterval(timer) }
}
