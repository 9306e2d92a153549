import type { Tx } from '@flashsheet/db/client'
import { z } from 'zod'
import type { System } from '../../core/context.ts'
import { defineQueue } from '../../core/jobs.ts'

/** Reads one customer at Stripe and writes what is true. With an event, only while that event waits to be worked off. */
export const syncQueue = defineQueue('subscription.sync', z.object({ customerId: z.string(), eventId: z.string().optional() }))

/** Reads every customer at Stripe, at night. An hour at most per 10,000 customers, so it may run long. */
export const reconcileQueue = defineQueue('subscription.reconcile', z.object({}), { policy: 'singleton', expireInSeconds: 6 * 60 * 60, retryLimit: 2 })

export async function enqueueSync(system: System, tx: Tx, job: { customerId: string; eventId: string }): Promise<void> {
  await system.jobs.send(tx, syncQueue, job)
}
