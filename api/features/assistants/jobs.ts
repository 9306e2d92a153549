import { z } from 'zod'
import { defineQueue } from '../../core/jobs.ts'

/** Drops tokens, codes and programs that are over. */
export const cleanUpQueue = defineQueue('assistants.clean-up', z.object({}), { policy: 'singleton' })
