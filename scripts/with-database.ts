import * as path from 'node:path'
import type { Config } from '../api/core/config.ts'
import { connect, type DbClient } from '../db/client.ts'
import { startEmbeddedPostgres } from '../db/embedded.ts'
import { FolderInUseError, lockFolder } from '../db/folder-lock.ts'
import { migrateUp } from '../db/migrate.ts'

/**
 * Runs `work` on the migrated database of an installation, whether Flashsheet is running or not. Locks the folder of an
 * embedded database in the name of `command`: Flashsheet must not start while this process can stop the database. A
 * database that another process started is not stopped.
 */
export async function withDatabase(
  config: Config,
  command: string,
  work: (client: DbClient) => Promise<void>,
): Promise<void> {
  const folder = path.join(config.dataDir, 'postgres')
  const unlock = config.databaseUrl
    ? undefined
    : await lockFolder(folder, { pid: process.pid, address: command }).catch(ignoreFolderInUse)
  const embedded = config.databaseUrl ? undefined : await startEmbeddedPostgres({ dataDir: folder })
  const url = config.databaseUrl ?? embedded?.url ?? ''
  try {
    await migrateUp(url)
    const client = connect(url, 1)
    try {
      await work(client)
    } finally {
      await client.close()
    }
  } finally {
    if (embedded && unlock) await embedded.stop()
    await unlock?.()
  }
}

/** A running Flashsheet holds the folder's lock, and its database is used. */
function ignoreFolderInUse(error: unknown): undefined {
  if (!(error instanceof FolderInUseError)) throw error
}
