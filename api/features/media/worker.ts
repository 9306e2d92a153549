import type { System } from '../../core/context.ts'
import { queueHandler, scheduledTask, type JobHandler } from '../../core/jobs.ts'
import { fetchFromUrlQueue, removeFilesQueue, sweepOrphanedFilesQueue } from './jobs.ts'
import { runFetch } from './service/fetch-from-url.ts'
import { removeFiles } from './service/remove.ts'
import { sweepOrphanedFiles } from './service/sweep-orphaned-files.ts'
import { sweepUploads } from './service/sweep.ts'

export const mediaJobs: readonly JobHandler<System>[] = [
  queueHandler(fetchFromUrlQueue, { concurrency: 4, isSlow: true }, runFetch),
  queueHandler(
    removeFilesQueue,
    { concurrency: 2 },
    async (system: System, { mediaIds }) => await removeFiles(system, mediaIds),
  ),
  scheduledTask('media.sweep-uploads', '*/3 * * * *', sweepUploads),
  queueHandler(sweepOrphanedFilesQueue, { concurrency: 1, cron: '7 2 * * *' }, sweepOrphanedFiles),
]
