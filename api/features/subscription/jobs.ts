import type { Tx } from '@flashsheet/db/client'
import { z } from 'zod'
import type { System } from '../../core/context.ts'
import { defineQueue } from '../../core/jobs.ts'

/** What must be done at Stripe sooner or later: tried for as long as it takes, at least every hour. */
const untilDone = {
  retryLimit: 100_000,
  retryDelay: 1,
  retryDelayMax: 60 * 60,
  retentionSeconds: 10 * 365 * 24 * 60 * 60,
}

/** Reads one customer at Stripe and writes what is true. With an event, only while that event waits to be worked off. */
export const syncQueue = defineQueue(
  'subscription.sync',
  z.object({ customerId: z.string().optional(), chargeId: z.string().optional(), eventId: z.string().optional() }),
)

/** Reads every customer at Stripe, at night. An hour at most per 10,000 customers, so it may run long. */
export const reconcileQueue = defineQueue('subscription.reconcile', z.object({}), {
  policy: 'singleton',
  expireInSeconds: 6 * 60 * 60,
  retryLimit: 2,
})

/** Reminds of ends that are near. */
export const remindQueue = defineQueue('subscription.remind', z.object({}), { policy: 'singleton', retryLimit: 2 })

/** Tells Stripe the name and address an artist has now. */
export const describeQueue = defineQueue('subscription.describe', z.object({ userId: z.uuid() }), untilDone)

/** Ends everything a customer has at Stripe. By customer, since the artist may be gone by then. */
export const leaveQueue = defineQueue('subscription.leave', z.object({ customerId: z.string() }), untilDone)

export async function enqueueSync(
  system: System,
  tx: Tx,
  job: { customerId?: string; chargeId?: string; eventId: string },
): Promise<void> {
  await system.jobs.send(tx, syncQueue, job)
}

export async function enqueueDescription(system: System, tx: Tx, userId: string): Promise<void> {
  await system.jobs.send(tx, describeQueue, { userId })
}

export async function enqueueLeaving(system: System, tx: Tx, customerId: string): Promise<void> {
  await system.jobs.send(tx, leaveQueue, { customerId })
}
