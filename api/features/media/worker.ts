import type { System } from '../../core/context.ts'
import { queueHandler, type JobHandler } from '../../core/jobs.ts'
import { fetchFromUrlQueue, removeFilesQueue, sweepOrphanedFilesQueue, sweepUploadsQueue } from './jobs.ts'
import { runFetch } from './service/fetch-from-url.ts'
import { removeFiles } from './service/remove.ts'
import { sweepOrphanedFiles } from './service/sweep-orphaned-files.ts'
import { sweepUploads } from './service/sweep.ts'

export const mediaJobs: readonly JobHandler<System>[] = [
  queueHandler(
    fetchFromUrlQueue,
    { concurrency: 4 },
    async (system: System, { id }, _signal, stopping) => await runFetch(system, id, stopping),
  ),
  queueHandler(
    removeFilesQueue,
    { concurrency: 2 },
    async (system: System, { mediaIds }) => await removeFiles(system, mediaIds),
  ),
  queueHandler(sweepUploadsQueue, { concurrency: 1, cron: '*/3 * * * *' }, sweepUploads),
  queueHandler(
    sweepOrphanedFilesQueue,
    { concurrency: 1, cron: '7 2 * * *' },
    async (system: System, job, _signal, stopping) => await sweepOrphanedFiles(system, job, stopping),
  ),
]
