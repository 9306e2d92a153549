import type { System } from '../../core/context.ts'
import { scheduledTask, type JobHandler } from '../../core/jobs.ts'
import { compact, recount } from './service/compact-tallies.ts'

export const adminJobs: readonly JobHandler<System>[] = [
  scheduledTask('admin.compact', '*/10 * * * *', compact),
  scheduledTask('admin.recount', '13 4 * * *', recount),
]
