import type { System } from '../../core/context.ts'
import { queueHandler, type JobHandler } from '../../core/jobs.ts'
import { accountDeletionQueue, linkQueue, purgeQueue, cleanUpQueue } from './jobs.ts'
import { mailRequestedLink } from './service/links.ts'
import { purgeAccount, closeExpiredAccounts } from './service/purge.ts'
import { cleanUpAuth } from './service/clean-up.ts'

export const authJobs: readonly JobHandler<System>[] = [
  queueHandler(
    linkQueue,
    { concurrency: 4 },
    async (system: System, { requestId }) => await mailRequestedLink(system, requestId),
  ),
  queueHandler(cleanUpQueue, { concurrency: 1, cron: '23 * * * *' }, cleanUpAuth),
  queueHandler(purgeQueue, { concurrency: 2 }, purgeAccount),
  queueHandler(accountDeletionQueue, { concurrency: 1, cron: '41 * * * *' }, closeExpiredAccounts),
]
