import { z } from 'zod'
import { defineQueue } from '../../core/jobs.ts'

/** Adds up the tallies, so that they stay as few as the days there are. */
export const compactQueue = defineQueue('admin.compact', z.object({}), { policy: 'singleton' })
