import type { Tx } from '@flashsheet/db/client'
import { z } from 'zod'
import type { System } from '../../core/context.ts'
import { defineQueue } from '../../core/jobs.ts'

const payload = z.object({ endpointId: z.uuid() })

/** Calls endpoints whose last answer was successful and fast. */
export const fastQueue = defineQueue('webhooks.deliver', payload, { retryLimit: 0 })

/** Calls all other endpoints, so that fast ones do not wait behind them. */
export const slowQueue = defineQueue('webhooks.deliver-slow', payload, { retryLimit: 0 })

/** Queues the jobs that send the due deliveries of these endpoints, in the caller's transaction. */
export async function enqueueDeliveries(
  system: System,
  tx: Tx,
  endpoints: readonly { id: string; isFast: boolean }[],
  startInMs = 0,
): Promise<void> {
  const byQueue = Map.groupBy(endpoints, ({ isFast }) => (isFast ? fastQueue : slowQueue))
  for (const [queue, members] of byQueue) {
    const jobs = members.map(({ id }) => ({ payload: { endpointId: id }, options: { startInMs } }))
    await system.jobs.sendAll(tx, queue, jobs)
  }
}

/** Deletes old events with their deliveries. */
export const retentionQueue = defineQueue('webhooks.retention', z.object({}), { policy: 'singleton' })
