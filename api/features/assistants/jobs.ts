import { z } from 'zod'
import { defineQueue } from '../../core/jobs.ts'

/** Deletes expired tokens and codes, assistants without a token, and unused programs. */
export const cleanUpQueue = defineQueue('assistants.clean-up', z.object({}), { policy: 'singleton' })
