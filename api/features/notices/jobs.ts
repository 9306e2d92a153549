import { z } from 'zod'
import type { System } from '../../core/context.ts'
import { defineQueue } from '../../core/jobs.ts'

/** Deletes notices by age. */
export const retentionQueue = defineQueue('notices.retention', z.object({}), { policy: 'singleton' })

/** Queues another job for the rest. */
export async function enqueueRetention(system: System): Promise<void> {
  await system.jobs.send(system.db, retentionQueue, {})
}
