import { z } from 'zod'
import { defineQueue } from '../../core/jobs.ts'

/** Deletes notices by age. */
export const retentionQueue = defineQueue('notices.retention', z.object({}), { policy: 'singleton' })
