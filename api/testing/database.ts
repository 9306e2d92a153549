import { randomBytes } from 'node:crypto'
import postgres from 'postgres'
import { inject } from 'vitest'

/** The database that every test database is cloned from; made by `scripts/test-setup.ts`. */
export const templateDatabase = 'template_flashsheet'

/** A migrated database for one test file. Drop it when done. */
export async function cloneDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const adminUrl = inject('adminUrl')
  const name = `test_${randomBytes(6).toString('hex')}`
  const admin = postgres(adminUrl, { max: 1, onnotice: () => {} })
  // Postgres refuses concurrent clones of one template, so a lock queues them.
  await admin`select pg_advisory_lock(1)`
  await admin`create database ${admin(name)} template ${admin(templateDatabase)} strategy file_copy`
  await admin.end()
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return {
    url: url.toString(),
    drop: async () => {
      const again = postgres(adminUrl, { max: 1, onnotice: () => {} })
      await again`drop database if exists ${again(name)} with (force)`
      await again.end()
    },
  }
}
