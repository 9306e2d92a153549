import { startEmbeddedPostgres } from '../db/embedded.ts'
import { connect } from '../db/client.ts'
import { FolderInUseError, lockFolder } from '../db/folder-lock.ts'
import { migrateUp } from '../db/migrate.ts'
import { AppError } from '../api/core/errors.ts'
import { readConfig } from '../api/core/config.ts'
import { makeAdmin } from '../api/features/admin/service/manage-users.ts'
import * as path from 'node:path'

/** `pnpm admin grant <email>`: makes a registered user an admin, with or without a running Flashsheet. */
async function main(): Promise<void> {
  const [verb, email] = process.argv.slice(2)
  if (verb !== 'grant' || !email) {
    console.error('Usage: pnpm admin grant <email>')
    process.exit(1)
  }
  const config = readConfig({ ...process.env, ROLE: 'all' })
  const folder = path.join(config.dataDir, 'postgres')
  // Held while this runs, so that a Flashsheet that starts meanwhile does not lose its database when this ends.
  const unlock = config.databaseUrl
    ? undefined
    : await lockFolder(folder, { pid: process.pid, address: 'pnpm admin' }).catch(runningBeside)
  const embedded = config.databaseUrl ? undefined : await startEmbeddedPostgres({ dataDir: folder })
  const databaseUrl = config.databaseUrl ?? embedded?.url ?? ''
  try {
    await migrateUp(databaseUrl)
    const client = connect(databaseUrl, 1)
    try {
      await makeAdmin({ config, db: client.db, now: () => new Date() }, email)
      console.log(`${email} is an admin now.`)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      console.error(error.message)
      process.exitCode = 1
    } finally {
      await client.close()
    }
  } finally {
    // A database that another process started is left running.
    if (embedded && unlock) await embedded.stop()
    await unlock?.()
  }
}

/** A running Flashsheet has the folder's lock; this uses its database. */
function runningBeside(error: unknown): undefined {
  if (!(error instanceof FolderInUseError)) throw error
}

await main()
