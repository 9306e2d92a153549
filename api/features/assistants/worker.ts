import type { System } from '../../core/context.ts'
import { scheduledTask, type JobHandler } from '../../core/jobs.ts'
import { deleteExpiredAccess } from './service/grants.ts'

export const assistantJobs: readonly JobHandler<System>[] = [
  scheduledTask('assistants.clean-up', '41 3 * * *', deleteExpiredAccess),
]
