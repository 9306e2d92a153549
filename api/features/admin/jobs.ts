import { z } from 'zod'
import { defineQueue } from '../../core/jobs.ts'

/** Compacts the tallies: each change of a row inserts one, and rows of the same group are merged. */
export const compactQueue = defineQueue('admin.compact', z.object({}), { policy: 'singleton' })

/** Compares the tallies with their tables and corrects differences. */
export const recountQueue = defineQueue('admin.recount', z.object({}), { policy: 'singleton' })
