import type { System } from '../../core/context.ts'
import { queueHandler, type JobHandler } from '../../core/jobs.ts'
import { compactQueue, recountQueue } from './jobs.ts'
import { compact, recount } from './service/compact-tallies.ts'

export const adminJobs: readonly JobHandler<System>[] = [
  queueHandler(compactQueue, { concurrency: 1, cron: '*/10 * * * *' }, compact),
  queueHandler(recountQueue, { concurrency: 1, cron: '13 4 * * *' }, recount),
]
