import { randomBytes } from 'node:crypto'
import postgres from 'postgres'
import { inject } from 'vitest'

/** The database that every test database is cloned from; made by `scripts/test-setup.ts`. */
export const templateDatabase = 'template_flashsheet'

/** One connection for all files of a test worker; it ends with the worker. */
let opened: postgres.Sql | undefined
const admin = (): postgres.Sql =>
  (opened ??= postgres(inject('adminUrl'), { max: 1, fetch_types: false, onnotice: () => {} }))

/** A migrated database for one test file. Drop it when done. */
export async function cloneDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `test_${randomBytes(6).toString('hex')}`
  const sql = admin()
  // Postgres refuses concurrent clones of one template, so a lock queues the workers.
  await sql`select pg_advisory_lock(1)`
  try {
    await sql`create database ${sql(name)} template ${sql(templateDatabase)} strategy file_copy`
  } finally {
    await sql`select pg_advisory_unlock(1)`
  }
  const url = new URL(inject('adminUrl'))
  url.pathname = `/${name}`
  return {
    url: url.toString(),
    drop: async () => {
      await sql`drop database if exists ${sql(name)} with (force)`
    },
  }
}
