import { drizzle } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { holdingConnection } from './connection-held.ts'
import { openConnections, workLimits, type Limits } from './connection.ts'

export type DbClient = ReturnType<typeof connect>
export type Db = DbClient['db']
/** A transaction, or the pool for a single statement. */
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0] | Db

/** Statements with more values have lists of changing length: each length would be prepared. */
const maxPreparedValues = 40

/** Opens a pool of at most `max` connections to a Postgres 15 or newer. */
export function connect(url: string, max = 10, limits: Limits = workLimits) {
  const sql = openConnections(url, { name: 'app', max, limits })
  return { sql, db: drizzle(preparing(sql)), url, close: () => sql.end({ timeout: 5 }) }
}

type Inside<T> = (tx: postgres.TransactionSql) => T | Promise<T>

/**
 * Makes the driver prepare Drizzle's statements once per connection. Drizzle sends them unprepared: Postgres then plans
 * each time, and a second round trip reads the types of the values.
 */
function preparing(sql: postgres.Sql): postgres.Sql {
  const begin = sql.begin.bind(sql)
  prepareUnsafe(sql)
  return Object.assign(sql, {
    begin: async <T>(first: string | Inside<T>, second?: Inside<T>) => {
      const [options, inside] = typeof first === 'string' ? [first, second] : ['', first]
      return await begin(options, async (tx) => await holdingConnection(() => inside?.(preparingInside(tx))))
    },
  })
}

function preparingInside(tx: postgres.TransactionSql): postgres.TransactionSql {
  const savepoint = tx.savepoint.bind(tx)
  prepareUnsafe(tx)
  return Object.assign(tx, {
    savepoint: async <T>(inside: Inside<T>) => await savepoint('', (inner) => inside(preparingInside(inner))),
  })
}

function prepareUnsafe(sql: Pick<postgres.Sql, 'unsafe'>): void {
  const { unsafe } = sql
  // Drizzle requests preparation for hardly any statement; its choice is ignored.
  sql.unsafe = (query, values, options) =>
    unsafe(
      query,
      values,
      values && values.length > 0 && values.length <= maxPreparedValues ? { ...options, prepare: true } : options,
    )
}

/** SQLSTATE of a failed statement, or undefined when the error is not Postgres's. */
export function sqlState(error: unknown): string | undefined {
  for (let e = error; e instanceof Error; e = e.cause) {
    if (e instanceof postgres.PostgresError) return e.code
  }
  return undefined
}

/** True when `error` is an exclusion violation: the written row overlaps an existing one. */
export const violatesExclusion = (error: unknown): boolean => sqlState(error) === '23P01'

/** True when `error` is a unique violation, of the constraint with that name if one is given. */
export function violatesUnique(error: unknown, constraint?: string): boolean {
  for (let e = error; e instanceof Error; e = e.cause) {
    if (e instanceof postgres.PostgresError) {
      return e.code === '23505' && (constraint === undefined || e.constraint_name === constraint)
    }
  }
  return false
}
