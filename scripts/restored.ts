import { readConfig } from '../api/core/config.ts'
import { createLogger } from '../api/core/log.ts'
import { recount } from '../api/features/admin/service/compact-tallies.ts'
import { reconcileAfterRestore } from '../api/features/posts/service/after-restore.ts'
import { openDiskSpace } from '../api/gateways/disk-space.ts'
import { openStorage } from '../api/gateways/open-storage.ts'
import { resumePublishing } from '../db/publish-progress.ts'
import { withDatabase } from './with-database.ts'

/** `pnpm restored`: lets workers check at the networks what was published since the backup, and resumes publishing. */
const config = readConfig({ ...process.env, ROLE: 'all' })
const now = () => new Date()
await withDatabase(config, 'pnpm restored', async (client) => {
  const storage = await openStorage(config, openDiskSpace(config.dataDir, config.diskReserve))
  try {
    const due = await reconcileAfterRestore({ db: client.db, now })
    await resumePublishing(client, storage)
    await recount({ db: client.db, now, log: createLogger(config.logLevel) })
    console.log(
      `Publishing continues. ${due} due targets are first checked at their networks; where that does not tell whether a post is out, the artist is asked.`,
    )
  } finally {
    await storage.stop()
  }
})
