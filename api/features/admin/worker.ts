import type { System } from '../../core/context.ts'
import { handles, type JobHandler } from '../../core/jobs.ts'
import { compactQueue, recountQueue } from './jobs.ts'
import { compact, recount } from './service/compact-tallies.ts'

export const adminJobs: readonly JobHandler<System>[] = [
  handles(compactQueue, { concurrency: 1, cron: '*/10 * * * *' }, compact),
  handles(recountQueue, { concurrency: 1, cron: '13 4 * * *' }, recount),
]
