import { z } from 'zod'
import type { System } from '../../core/context.ts'
import { defineQueue } from '../../core/jobs.ts'

/** Removes notices by their age. */
export const retentionQueue = defineQueue('notices.retention', z.object({}), { policy: 'singleton' })

/** Goes on with what one job left. */
export async function enqueueRetention(system: System): Promise<void> {
  await system.jobs.send(system.db, retentionQueue, {})
}
