import * as fs from 'node:fs'
import * as path from 'node:path'
import { noTimeouts, openConnections } from '../db/connection.ts'
import { readConfig } from '../api/core/config.ts'
import { deleteEmbeddedPostgres } from '../db/embedded.ts'
import { lockFolder } from '../db/folder-lock.ts'

/** Deletes all data of the configured database; the next start migrates it and, with the sandbox, seeds it. */
const config = readConfig(process.env)
if (config.isProduction) throw new Error('db:reset does not run in production.')
if (config.databaseUrl) {
  const sql = openConnections(config.databaseUrl, { name: 'reset', max: 1, timeouts: noTimeouts })
  for (const schema of ['public', 'drizzle', 'pgboss']) await sql`drop schema if exists ${sql(schema)} cascade`
  await sql`create schema public`
  await sql.end()
} else {
  const folder = path.join(config.dataDir, 'postgres')
  const unlock = await lockFolder(folder, { pid: process.pid, address: 'pnpm db:reset' })
  await deleteEmbeddedPostgres(folder)
  await unlock()
}
for (const folder of ['storage', 'sandbox'])
  fs.rmSync(path.join(config.dataDir, folder), { recursive: true, force: true })
console.log('The data is deleted. npm start creates it again.')
