import type postgres from 'postgres'

/**
 * Makes a schema whose `clock_timestamp()` reads the time of a lane from a row. It comes before `pg_catalog` in the search path, so the
 * product's unqualified calls see the simulated time.
 */
export async function makeVirtualClock(sql: postgres.Sql): Promise<void> {
  await sql.unsafe(`
    create schema virtual;
    create table virtual.clocks (lane int primary key, at timestamptz not null);
    create function virtual.clock_timestamp() returns timestamptz language sql volatile as
      $$ select at from virtual.clocks where lane = pg_catalog.current_setting('virtual.lane')::int $$;
    create function virtual.now() returns timestamptz language sql volatile as $$ select virtual.clock_timestamp() $$;
  `)
}

/** The address of a database for connections that see the virtual clock of this lane. */
export function laneDatabaseUrl(databaseUrl: string, lane: number): string {
  const url = new URL(databaseUrl)
  url.searchParams.set('search_path', 'virtual,pg_catalog,public')
  url.searchParams.set('virtual.lane', String(lane))
  return url.toString()
}

type Timer = { dueAt: number; ms: number; work: () => void; owner: object }

/** The clock of one lane. It advances only by `set` and `pass`. */
export class VirtualTime {
  #at: number
  #writtenAt = 0
  readonly #lane: number
  readonly #sql: postgres.Sql
  readonly #timers = new Set<Timer>()

  constructor(lane: number, sql: postgres.Sql, at: number) {
    this.#lane = lane
    this.#sql = sql
    this.#at = at
  }

  now = (): number => this.#at

  set(at: number): void {
    this.#at = Math.max(this.#at, Math.ceil(at))
  }

  /** Writes the virtual time to the database if it has changed. Called before each statement. */
  writeTime = async (): Promise<void> => {
    if (this.#writtenAt === this.#at) return
    this.#writtenAt = this.#at
    const stamp = new Date(this.#at).toISOString()
    const sql = this.#sql
    await sql`insert into virtual.clocks (lane, at) values (${this.#lane}, ${stamp}) on conflict (lane) do update set at = ${stamp}`
  }

  every(owner: object, ms: number, work: () => void): () => void {
    const timer = { dueAt: this.#at + ms, ms, work, owner }
    this.#timers.add(timer)
    return () => void this.#timers.delete(timer)
  }

  removeTimers(owner: object): void {
    for (const timer of this.#timers) if (timer.owner === owner) this.#timers.delete(timer)
  }

  /** Advances the clock and runs the timers of `owner` that become due. `untilIdle` resolves once the work that they started is done. */
  async pass(ms: number, owner: object, untilIdle: () => Promise<void>): Promise<void> {
    const end = this.#at + ms
    for (;;) {
      const due = [...this.#timers]
        .filter((timer) => timer.owner === owner && timer.dueAt <= end)
        .toSorted((a, b) => a.dueAt - b.dueAt)[0]
      if (!due) break
      this.set(due.dueAt)
      due.dueAt = Math.max(due.dueAt, this.#at) + due.ms
      due.work()
      await untilIdle()
    }
    this.set(end)
  }
}
