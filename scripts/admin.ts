import { AppError } from '../api/core/errors.ts'
import { readConfig } from '../api/core/config.ts'
import { makeAdmin } from '../api/features/admin/service/manage-users.ts'
import { withDatabase } from './with-database.ts'

/** `pnpm admin grant <email>`: makes a registered user an admin, with or without a running Flashsheet. */
const [verb, email] = process.argv.slice(2)
if (verb !== 'grant' || !email) {
  console.error('Usage: pnpm admin grant <email>')
  process.exit(1)
}
const config = readConfig({ ...process.env, ROLE: 'all' })
await withDatabase(config, 'pnpm admin', async ({ db }) => {
  try {
    await makeAdmin({ config, db, now: () => new Date() }, email)
    console.log(`${email} is an admin now.`)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
})
