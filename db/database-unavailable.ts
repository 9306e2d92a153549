import postgres from 'postgres'

/** Classes of SQLSTATE that say that the server, not the statement, is at fault: connection, resources, operator, system. */
const serverClasses = ['08', '53', '57', '58']
/** Read-only transaction, idle transaction ended, transaction too long, serialization, deadlock, lock not available. */
const passingStates = ['25006', '25P03', '25P04', '40001', '40P01', '55P03']
/** What the driver calls a connection that was lost or could not be made, and an answer that did not come. */
const driverCodes = [
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  'CONNECT_TIMEOUT',
  'QUERY_TIMEOUT',
]
/** What the system says of a connection. Everything else that speaks over a network says so too. */
const systemCodes = [
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
 * True when a statement failed because Postgres is away, restarting, overloaded or too slow, so that the same may succeed in a
 * moment. Whether a commit that was under way took effect is not known.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  for (let e = error; e instanceof Error; e = e.cause) {
    const code = 'code' in e ? String(e.code) : ''
    if (e instanceof postgres.PostgresError)
      return serverClasses.includes(code.slice(0, 2)) || passingStates.includes(code)
    if (driverCodes.includes(code)) return true
    // The driver marks what failed a statement of its own with that statement.
    if ('query' in e && systemCodes.includes(code)) return true
  }
  return false
}
