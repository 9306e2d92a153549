import type { System } from '../../core/context.ts'
import { handles, type JobHandler } from '../../core/jobs.ts'
import { cleanUpQueue } from './jobs.ts'
import { deleteExpiredAccess } from './service/connected.ts'

export const assistantJobs: readonly JobHandler<System>[] = [
  handles(cleanUpQueue, { concurrency: 1, cron: '41 3 * * *' }, deleteExpiredAccess),
]
