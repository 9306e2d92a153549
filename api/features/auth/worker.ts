import type { System } from '../../core/context.ts'
import { queueHandler, scheduledTask, type JobHandler } from '../../core/jobs.ts'
import { linkQueue, purgeQueue } from './jobs.ts'
import { mailRequestedLink } from './service/links.ts'
import { purgeAccount, closeExpiredAccounts } from './service/purge.ts'
import { cleanUpAuth } from './service/clean-up.ts'

export const authJobs: readonly JobHandler<System>[] = [
  queueHandler(linkQueue, { concurrency: 4 }, mailRequestedLink),
  scheduledTask('auth.tidy', '23 * * * *', cleanUpAuth),
  queueHandler(purgeQueue, { concurrency: 2 }, purgeAccount),
  scheduledTask('auth.leaving', '41 * * * *', closeExpiredAccounts),
]
