import { z } from 'zod'
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

/** Expires the checkout pages of an artist whom staff deactivated. */
export const expireCheckoutsQueue = defineQueue(
  'subscription.expire-checkouts',
  z.object({ userId: z.uuid() }),
  retryUntilDone,
)
