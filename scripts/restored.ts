import * as path from 'node:path'
import { readConfig } from '../api/core/config.ts'
import { createLogger } from '../api/core/log.ts'
import { recount } from '../api/features/admin/service/compact-tallies.ts'
import { reconcileAfterRestore } from '../api/features/posts/service/after-restore.ts'
import { openDiskSpace } from '../api/gateways/disk-space.ts'
import { createStorage } from '../api/gateways/open-storage.ts'
import { connect } from '../db/client.ts'
import { startEmbeddedPostgres } from '../db/embedded.ts'
import { FolderInUseError, lockFolder } from '../db/folder-lock.ts'
import { migrateUp } from '../db/migrate.ts'
import { resumePublishing } from '../db/publish-progress.ts'

/**
 * `pnpm restored`: after a restore, looks up at the networks what was published since the backup, then resumes
 * publishing.
 */
async function main(): Promise<void> {
  const config = readConfig({ ...process.env, ROLE: 'all' })
  const folder = path.join(config.dataDir, 'postgres')
  const unlock = config.databaseUrl
    ? undefined
    : await lockFolder(folder, { pid: process.pid, address: 'pnpm restored' }).catch(runningBeside)
  const embedded = config.databaseUrl ? undefined : await startEmbeddedPostgres({ dataDir: folder })
  const url = config.databaseUrl ?? embedded?.url ?? ''
  try {
    await migrateUp(url)
    const client = connect(url, 1)
    const storage = await createStorage(config, openDiskSpace(config.dataDir, config.diskReserve))
    try {
      const due = await reconcileAfterRestore({ db: client.db, now: () => new Date() })
      await resumePublishing(client, storage)
      await recount({ db: client.db, now: () => new Date(), log: createLogger(config.logLevel) })
      console.log(
        `Publishing goes on. ${due} that were due are looked for at their networks first; where nothing can tell, the artist is asked.`,
      )
    } finally {
      await storage.stop()
      await client.close()
    }
  } finally {
    if (embedded && unlock) await embedded.stop()
    await unlock?.()
  }
}

/** A running Flashsheet has the folder's lock; this uses its database. */
function runningBeside(error: unknown): undefined {
  if (!(error instanceof FolderInUseError)) throw error
}

await main()
