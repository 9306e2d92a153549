import type { System } from '../../core/context.ts'
import { queueHandler, type JobHandler } from '../../core/jobs.ts'
import { cleanUpQueue } from './jobs.ts'
import { deleteExpiredAccess } from './service/grants.ts'

export const assistantJobs: readonly JobHandler<System>[] = [
  queueHandler(cleanUpQueue, { concurrency: 1, cron: '41 3 * * *' }, deleteExpiredAccess),
]
