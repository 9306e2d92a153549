import * as path from 'node:path'
import { readConfig } from '../api/core/config.ts'
import { stopEmbeddedPostgres } from '../db/embedded.ts'
import { lockFolder } from '../db/folder-lock.ts'

/** Stops the embedded Postgres that a killed process of the product left running (scripts/supervise.mjs). */
const config = readConfig(process.env)
if (!config.databaseUrl) {
  const folder = path.join(config.dataDir, 'postgres')
  const unlock = await lockFolder(folder, { pid: process.pid, address: config.publicUrl })
  await stopEmbeddedPostgres(folder)
  await unlock()
}
