import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate } from 'drizzle-orm/postgres-js/migrator'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'

const migrationsFolder = fileURLToPath(new URL('migrations', import.meta.url))
/** Any constant: all processes that migrate one database must agree on it. */
const migrationLock = 7_318_201

export type DbClient = ReturnType<typeof connect>
export type Db = DbClient['db']
/** A transaction, or the pool where a statement stands alone. */
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0] | Db

/** Opens a pool of at most `max` connections to a Postgres 15 or newer. */
export function connect(url: string, max = 10) {
  const sql = postgres(url, { max, onnotice: () => {}, types: {} })
  return { sql, db: drizzle(sql), url, close: () => sql.end({ timeout: 5 }) }
}

/** Brings the database up to the newest migration; safe when several processes start at once. */
export async function migrateUp(url: string): Promise<void> {
  const client = connect(url, 1)
  try {
    await client.sql`select pg_advisory_lock(${migrationLock})`
    await migrate(client.db, { migrationsFolder })
  } finally {
    await client.close()
  }
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
