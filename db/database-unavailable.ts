import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'

/** SQLSTATE classes that blame the server and not the statement: connection, resources, operator, system. */
const serverClasses = ['08', '53', '57', '58']
/** Read-only transaction, idle transaction ended, transaction too long, serialization, deadlock, lock not available. */
const passingStates = ['25006', '25P03', '25P04', '40001', '40P01', '55P03']
/** The driver's codes for a lost or failed connection, and for a timeout. */
const driverCodes = [
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  'CONNECT_TIMEOUT',
  'QUERY_TIMEOUT',
]
/** The system's codes for a connection that cannot be made or is lost, in all network clients. */
export const networkErrorCodes = [
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
]

/**
 * True when a statement failed because Postgres is unavailable, restarting, overloaded or too slow, so that a retry may
 * succeed. Whether a commit under way took effect is unknown.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  for (let e = error; e instanceof Error; e = e.cause) {
    const code = 'code' in e ? String(e.code) : ''
    if (e instanceof postgres.PostgresError)
      return serverClasses.includes(code.slice(0, 2)) || passingStates.includes(code)
    if (driverCodes.includes(code)) return true
    // The driver attaches the statement to errors of its statements.
    if ('query' in e && networkErrorCodes.includes(code)) return true
  }
  return false
}

const startMs = 30_000

/**
 * Runs the first statement of a connection that a starting process needs, for up to 30 s again while Postgres is
 * unavailable: the supervisor does not restart a process whose first start failed. Only for statements that may run twice.
 */
export async function untilAvailable<T>(statement: () => Promise<T>): Promise<T> {
  const until = performance.now() + startMs
  for (;;) {
    try {
      return await statement()
    } catch (error) {
      if (!isDatabaseUnavailable(error) || performance.now() > until) throw error
      await sleep(100)
    }
  }
}
