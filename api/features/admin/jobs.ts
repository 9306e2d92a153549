import { z } from 'zod'
import { defineQueue } from '../../core/jobs.ts'

/** Adds up the tallies, so that they stay as few as the days there are. */
export const compactQueue = defineQueue('admin.compact', z.object({}), { policy: 'singleton' })

/** Compares the tallies with their tables, and puts right what is not their sum. */
export const recountQueue = defineQueue('admin.recount', z.object({}), { policy: 'singleton' })
