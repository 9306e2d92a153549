import { startEmbeddedPostgres } from '../db/embedded.ts'
import { connect, migrateUp } from '../db/client.ts'
import { AppError } from '../api/core/errors.ts'
import { readConfig } from '../api/core/config.ts'
import { makeAdmin } from '../api/features/admin/service/act.ts'
import * as path from 'node:path'

/** `pnpm admin grant <email>`: makes a registered person an admin, beside a running Flashsheet or without one. */
async function main(): Promise<void> {
  const [verb, email] = process.argv.slice(2)
  if (verb !== 'grant' || !email) {
    console.error('Usage: pnpm admin grant <email>')
    process.exit(1)
  }
  const config = readConfig({ ...process.env, ROLE: 'all' })
  const embedded = config.databaseUrl ? undefined : await startEmbeddedPostgres({ dataDir: path.join(config.dataDir, 'postgres') })
  const databaseUrl = config.databaseUrl ?? embedded?.url ?? ''
  try {
    await migrateUp(databaseUrl)
    const client = connect(databaseUrl, 1)
    try {
      await makeAdmin({ db: client.db, now: () => new Date() }, email)
      console.log(`${email} is an admin now.`)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      console.error(error.message)
      process.exitCode = 1
    } finally {
      await client.close()
    }
  } finally {
    // One that runs for the product goes on running.
    if (embedded && !embedded.adopted) await embedded.stop()
  }
}

await main()
