import type { System } from '../../core/context.ts'
import { queueHandler, type JobHandler } from '../../core/jobs.ts'
import { retentionQueue } from './jobs.ts'
import { deleteExpiredNotices } from './service.ts'

export const noticeJobs: readonly JobHandler<System>[] = [
  queueHandler(
    retentionQueue,
    { concurrency: 1, cron: '29 2 * * *' },
    async (system: System, _job, stopping) => await deleteExpiredNotices(system, stopping),
  ),
]
