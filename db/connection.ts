import postgres from 'postgres'
import { adaptiveTimeoutsOf } from './adaptive-timeouts.ts'

/** How long one connection may make others wait, in milliseconds; 0 = no limit. */
export type ConnectionTimeouts = {
  /** One statement; the server cancels it then. */
  statementMs: number
  /** Waiting for a lock on a row, a table or an advisory lock. */
  lockMs: number
  /** An open transaction without a statement. */
  idleTransactionMs: number
}

/** For requests: an answer or an error within five seconds. */
export const requestTimeouts: ConnectionTimeouts = { statementMs: 3500, lockMs: 3000, idleTransactionMs: 15_000 }
/** For background work, such as sums over a whole table. */
export const workTimeouts: ConnectionTimeouts = { statementMs: 60_000, lockMs: 20_000, idleTransactionMs: 60_000 }
/** For a session with advisory locks or LISTEN: its statements are all short. */
export const sessionTimeouts: ConnectionTimeouts = { statementMs: 3500, lockMs: 3000, idleTransactionMs: 15_000 }
/** For migrations and backfills, which may take hours. They set a lock timeout themselves. */
export const noTimeouts: ConnectionTimeouts = { statementMs: 0, lockMs: 0, idleTransactionMs: 0 }

/** The client waits this much longer than the server: the server's error keeps the connection, a client timeout closes it. */
const networkDelayMs = 500

export type ConnectionOptions = {
  /** As shown in `pg_stat_activity`. */
  name: string
  /** The size of the pool. */
  max: number
  timeouts: ConnectionTimeouts
  onclose?: () => void
  onnotify?: (channel: string, payload: string) => void
  /** For session locks or LISTEN: the connection is not replaced because of its age. */
  isLongLived?: boolean
}

/** Seconds until connecting fails. */
const connectSeconds = 4
/** Idle seconds until TCP keepalive probes begin; ten probes, a second apart. */
const keepAliveSeconds = 10
const nameOf = (name: string) => `flashsheet-${name}`
/** A limit of 0 is omitted: sending 0 would override the database's own setting. */
const serverSettings = ({ statementMs, lockMs, idleTransactionMs }: ConnectionTimeouts) => ({
  // The drivers read instants as text. With another `DateStyle` of the server, March 4 would be read as April 3.
  DateStyle: 'ISO',
  // A transaction that waited for a lock must read what the other one committed.
  default_transaction_isolation: 'read committed' as const,
  ...Object.fromEntries(
    Object.entries({
      statement_timeout: statementMs,
      lock_timeout: lockMs,
      idle_in_transaction_session_timeout: idleTransactionMs,
    }).filter(([, ms]) => ms > 0),
  ),
})

/** Opens connections to Postgres with timeouts and keepalives. All connections of the product come from here. */
export function openConnections(
  url: string,
  { name, max, timeouts, onclose, onnotify, isLongLived = false }: ConnectionOptions,
): postgres.Sql {
  return postgres(url, {
    max,
    types: {},
    onnotice: () => {},
    // A frozen or unreachable server sends nothing, so only a timeout of the client notices.
    query_timeout: timeouts.statementMs === 0 ? null : (timeouts.statementMs + networkDelayMs) / 1000,
    adaptive_timeout: adaptiveTimeoutsOf(
      url,
      timeouts.statementMs > 0 && timeouts.statementMs <= requestTimeouts.statementMs,
    ),
    connect_timeout: connectSeconds,
    // Reconnects soon after the server is back; the driver's own backoff grows to twenty seconds.
    backoff: () => 0.1 + Math.random() * 0.2,
    keep_alive: keepAliveSeconds,
    ...(isLongLived ? { max_lifetime: null, idle_timeout: 0, fetch_types: false } : {}),
    ...(onclose ? { onclose } : {}),
    ...(onnotify ? { onnotify } : {}),
    connection: { application_name: nameOf(name), ...serverSettings(timeouts) },
  })
}

/** The same options for node-postgres, which pg-boss uses. */
export function pgOptions(url: string, name: string, timeouts: ConnectionTimeouts) {
  return {
    connectionString: url,
    application_name: nameOf(name),
    options: Object.entries(serverSettings(timeouts))
      .map(([setting, value]) => `-c ${setting}=${String(value).replaceAll(' ', String.raw`\ `)}`)
      .join(' '),
    query_timeout: timeouts.statementMs + networkDelayMs,
    connectionTimeoutMillis: connectSeconds * 1000,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveSeconds * 1000,
  }
}
