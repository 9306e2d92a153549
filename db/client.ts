import { drizzle } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { holdingConnection } from './connection-held.ts'
import { openConnections, workTimeouts, type ConnectionTimeouts } from './connection.ts'

export type DbClient = ReturnType<typeof connect>
export type Db = DbClient['db']
/** A transaction, or the pool for a single statement. */
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0] | Db

/** Statements with more values contain lists: each length of a list would be prepared as a statement of its own. */
const maxPreparedValues = 40

/** Opens a pool of at most `max` connections to a Postgres 15 or newer. */
export function connect(url: string, max = 10, timeouts: ConnectionTimeouts = workTimeouts) {
  const sql = openConnections(url, { name: 'app', max, timeouts })
  return { sql, db: drizzle(preparing(sql)), url, close: () => sql.end({ timeout: 5 }) }
}

type Body<T> = (tx: postgres.TransactionSql) => T | Promise<T>

/**
 * Makes the driver prepare Drizzle's statements once per connection. Drizzle sends them unprepared: Postgres then plans
 * each time, and a second round trip reads the types of the values.
 */
function preparing(sql: postgres.Sql): postgres.Sql {
  const begin = sql.begin.bind(sql)
  prepareUnsafe(sql)
  return Object.assign(sql, {
    begin: async <T>(first: string | Body<T>, second?: Body<T>) => {
      const [options, body] = typeof first === 'string' ? [first, second] : ['', first]
      return await begin(options, async (tx) => await holdingConnection(() => body?.(preparingTransaction(tx))))
    },
  })
}

function preparingTransaction(tx: postgres.TransactionSql): postgres.TransactionSql {
  const savepoint = tx.savepoint.bind(tx)
  prepareUnsafe(tx)
  return Object.assign(tx, {
    savepoint: async <T>(body: Body<T>) => await savepoint('', (inner) => body(preparingTransaction(inner))),
  })
}

function prepareUnsafe(sql: Pick<postgres.Sql, 'unsafe'>): void {
  const { unsafe } = sql
  // Drizzle asks for preparation only with `prepare()`, so its choice is overridden.
  sql.unsafe = (query, values, options) =>
    unsafe(
      query,
      values,
      values && values.length > 0 && values.length <= maxPreparedValues ? { ...options, prepare: true } : options,
    )
}

function postgresErrorIn(error: unknown): postgres.PostgresError | undefined {
  for (let e = error; e instanceof Error; e = e.cause) if (e instanceof postgres.PostgresError) return e
  return undefined
}

/** SQLSTATE of a failed statement, or undefined when the error is not Postgres's. */
export const sqlState = (error: unknown): string | undefined => postgresErrorIn(error)?.code

/** Whether the written row overlaps an existing one. */
export const violatesExclusion = (error: unknown): boolean => sqlState(error) === '23P01'

/** Whether `error` is a unique violation, of the constraint with that name if one is given. */
export function violatesUnique(error: unknown, constraint?: string): boolean {
  const found = postgresErrorIn(error)
  return found?.code === '23505' && (constraint === undefined || found.constraint_name === constraint)
}
