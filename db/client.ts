import { drizzle } from 'drizzle-orm/postgres-js'
import { setTimeout } from 'node:timers/promises'
import postgres from 'postgres'
import { holdingConnection } from './connection-held.ts'
import { openConnections, workLimits, type Limits } from './connection.ts'

export type DbClient = ReturnType<typeof connect>
export type Db = DbClient['db']
/** A transaction, or the pool where a statement stands alone. */
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0] | Db

/** Times a transaction is begun that Postgres ends because of a deadlock. */
const deadlockTries = 4

/** Statements with more values than this are lists of changing length: each length would be a statement of its own. */
const mostPreparedValues = 40

/** Opens a pool of at most `max` connections to a Postgres 15 or newer. */
export function connect(url: string, max = 10, limits: Limits = workLimits) {
  const sql = openConnections(url, { name: 'app', max, limits })
  return { sql, db: drizzle(preparing(sql)), url, close: () => sql.end({ timeout: 5 }) }
}

type Inside<T> = (tx: postgres.TransactionSql) => T | Promise<T>

/**
 * Lets Drizzle's statements be prepared once per connection: it sends them as ad hoc ones, which Postgres plans each time
 * and which take a second way to and fro to learn the types of their values.
 */
function preparing(sql: postgres.Sql): postgres.Sql {
  const begin = sql.begin.bind(sql)
  prepareUnsafe(sql)
  return Object.assign(sql, {
    begin: async <T>(first: string | Inside<T>, second?: Inside<T>) => {
      const [options, inside] = typeof first === 'string' ? [first, second] : ['', first]
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await begin(options, async (tx) => await holdingConnection(() => inside?.(preparingInside(tx))))
        } catch (error) {
          // Two transactions that wait for each other: Postgres undid this one whole, so it may simply begin again.
          if (sqlState(error) !== '40P01' || attempt === deadlockTries) throw error
          await setTimeout(Math.random() * 40 * attempt)
        }
      }
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
  // Drizzle says of each statement whether it asked to have it prepared, which it does of hardly any: that is not heeded.
  sql.unsafe = (query, values, options) =>
    unsafe(
      query,
      values,
      values && values.length > 0 && values.length <= mostPreparedValues ? { ...options, prepare: true } : options,
    )
}

/** SQLSTATE of a failed statement, or undefined when the error is not Postgres's. */
export function sqlState(error: unknown): string | undefined {
  for (let e = error; e instanceof Error; e = e.cause) {
    if (e instanceof postgres.PostgresError) return e.code
  }
  return undefined
}

/** True when `error` is a violated exclusion constraint: what was written overlaps what is there. */
export const violatesExclusion = (error: unknown): boolean => sqlState(error) === '23P01'

/** True when `error` is a violated unique constraint or index, of that name if one is given. */
export function violatesUnique(error: unknown, constraint?: string): boolean {
  for (let e = error; e instanceof Error; e = e.cause) {
    if (e instanceof postgres.PostgresError) {
      return e.code === '23505' && (constraint === undefined || e.constraint_name === constraint)
    }
  }
  return false
}
