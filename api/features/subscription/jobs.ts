import type { Tx } from '@flashsheet/db/client'
import { z } from 'zod'
import type { System } from '../../core/context.ts'
import { defineQueue } from '../../core/jobs.ts'

/** Work at Stripe that must succeed eventually: retried without limit, at least every hour. */
const retryUntilDone = {
  retryLimit: 100_000,
  retryDelay: 1,
  retryDelayMax: 60 * 60,
  retentionSeconds: 10 * 365 * 24 * 60 * 60,
}

/** Reads one customer at Stripe and stores the result, while the event is unprocessed. */
export const syncQueue = defineQueue(
  'subscription.sync',
  z.object({ customerId: z.string().optional(), chargeId: z.string().optional(), eventId: z.string() }),
)

/** Reads every customer at Stripe, at night. Takes up to an hour per 10,000 customers. */
export const reconcileQueue = defineQueue('subscription.reconcile', z.object({}), {
  policy: 'singleton',
  expireInSeconds: 6 * 60 * 60,
  retryLimit: 2,
})

/** Sends reminders of subscriptions that end soon. */
export const remindQueue = defineQueue('subscription.remind', z.object({}), { policy: 'singleton', retryLimit: 2 })

/** Updates an artist's name and address at Stripe. */
export const updateContactQueue = defineQueue('subscription.describe', z.object({ userId: z.uuid() }), retryUntilDone)

/**
 * Ends everything a customer has at Stripe. By customer, since the artist may be deleted by then. `subscriptionIds` had not
 * ended when the deletion was requested; jobs of earlier versions lack them.
 */
export const cancelQueue = defineQueue(
  'subscription.leave',
  z.object({ customerId: z.string(), subscriptionIds: z.array(z.string()).optional() }),
  retryUntilDone,
)

export async function enqueueSync(
  system: System,
  tx: Tx,
  job: { customerId: string | undefined; chargeId: string | undefined; eventId: string },
): Promise<void> {
  await system.jobs.send(tx, syncQueue, job)
}

export async function enqueueContactUpdate(system: System, tx: Tx, userId: string): Promise<void> {
  await system.jobs.send(tx, updateContactQueue, { userId })
}

export async function enqueueCancelAtStripe(
  system: System,
  tx: Tx,
  job: { customerId: string; subscriptionIds: string[] },
): Promise<void> {
  await system.jobs.send(tx, cancelQueue, job)
}
