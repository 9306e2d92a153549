import postgres from 'postgres'

/** How long one connection may keep others waiting, in milliseconds; 0 = as long as it takes. */
export type Limits = {
  /** One statement; the server ends it then. */
  statementMs: number
  /** A statement that waits for a row, a table or an advisory lock. */
  lockMs: number
  /** A transaction that asks nothing and does not end. */
  idleTransactionMs: number
}

/** For what somebody waits for: an answer, or that there is none, comes within five seconds. */
export const answerLimits: Limits = { statementMs: 3500, lockMs: 3000, idleTransactionMs: 15_000 }
/** For work nobody waits for, such as sums over a whole table. */
export const workLimits: Limits = { statementMs: 60_000, lockMs: 20_000, idleTransactionMs: 60_000 }
/** For a session that holds locks or LISTENs: all it asks is answered at once. */
export const sessionLimits: Limits = { statementMs: 3500, lockMs: 3000, idleTransactionMs: 15_000 }
/** For what may rightly take hours: migrations and backfills. Whoever takes locks in them says how long to wait. */
export const noLimits: Limits = { statementMs: 0, lockMs: 0, idleTransactionMs: 0 }

/** By how much the server's own deadline comes first: its refusal keeps the connection, silence costs it. */
const answerOnItsWayMs = 500

export type ConnectionOptions = {
  /** What `pg_stat_activity` shows. */
  name: string
  /** At most so many connections. */
  max: number
  limits: Limits
  onclose?: () => void
  onnotify?: (channel: string, payload: string) => void
  /** A connection that holds a session's locks or LISTENs: it is not replaced because of its age. */
  lasting?: boolean
}

/** Seconds until a connection that cannot be made is given up. */
const connectSeconds = 4
/** Seconds of silence until the machine asks whether the other end is still there; ten questions, a second apart. */
const keepAliveSeconds = 10
const nameOf = (name: string) => `flashsheet-${name}`
/** Absent where there is none: as 0 it would undo what a database sets for itself. */
const serverSettings = ({ statementMs, lockMs, idleTransactionMs }: Limits): Record<string, number> =>
  Object.fromEntries(
    Object.entries({
      statement_timeout: statementMs,
      lock_timeout: lockMs,
      idle_in_transaction_session_timeout: idleTransactionMs,
    }).filter(([, ms]) => ms > 0),
  )

/** Opens connections to Postgres, all with deadlines and keepalives. The one place of the product that does. */
export function openConnections(
  url: string,
  { name, max, limits, onclose, onnotify, lasting = false }: ConnectionOptions,
): postgres.Sql {
  return postgres(url, {
    max,
    types: {},
    onnotice: () => {},
    // A frozen or unreachable server says nothing: only a deadline of one's own notices.
    query_timeout: limits.statementMs === 0 ? null : (limits.statementMs + answerOnItsWayMs) / 1000,
    connect_timeout: connectSeconds,
    // A server that is back is found at once; the driver's own pause grows to twenty seconds.
    backoff: () => 0.1 + Math.random() * 0.2,
    keep_alive: keepAliveSeconds,
    ...(lasting ? { max_lifetime: null, idle_timeout: 0, fetch_types: false } : {}),
    ...(onclose ? { onclose } : {}),
    ...(onnotify ? { onnotify } : {}),
    connection: { application_name: nameOf(name), ...serverSettings(limits) },
  })
}

/** The same for the driver that pg-boss brings. */
export function pgOptions(url: string, name: string, limits: Limits) {
  return {
    connectionString: url,
    application_name: nameOf(name),
    options: Object.entries(serverSettings(limits))
      .map(([setting, ms]) => `-c ${setting}=${ms}`)
      .join(' '),
    query_timeout: limits.statementMs + answerOnItsWayMs,
    connectionTimeoutMillis: connectSeconds * 1000,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveSeconds * 1000,
  }
}
