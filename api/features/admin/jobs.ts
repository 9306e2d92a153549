import { z } from 'zod'
import { defineQueue } from '../../core/jobs.ts'

/** Compacts the tallies, so that their number grows with days and not with changes. */
export const compactQueue = defineQueue('admin.compact', z.object({}), { policy: 'singleton' })

/** Compares the tallies with their tables and corrects differences. */
export const recountQueue = defineQueue('admin.recount', z.object({}), { policy: 'singleton' })
