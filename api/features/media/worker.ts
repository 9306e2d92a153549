import type { System } from '../../core/context.ts'
import { handles, type JobHandler } from '../../core/jobs.ts'
import { removeFilesQueue, sweepUploadsQueue } from './jobs.ts'
import { removeFiles } from './service/remove.ts'
import { sweepUploads } from './service/sweep.ts'

export const mediaJobs: readonly JobHandler<System>[] = [
  handles(removeFilesQueue, { concurrency: 2 }, async (system: System, { mediaIds }) => await removeFiles(system, mediaIds)),
  handles(sweepUploadsQueue, { concurrency: 1, cron: '*/3 * * * *' }, async (system: System) => await sweepUploads(system)),
]
