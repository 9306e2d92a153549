import type { System } from '../../core/context.ts'
import { queueHandler, scheduledTask, type JobHandler } from '../../core/jobs.ts'
import { updateContactQueue, cancelQueue, expireCheckoutsQueue, syncQueue } from './jobs.ts'
import { updateContactAtStripe, cancelAtStripe, expireCheckoutsAtStripe } from './service/account.ts'
import { reconcileSubscriptions } from './service/reconcile.ts'
import { remindOfEndings } from './service/remind.ts'
import { syncAfterEvent } from './service/sync.ts'

export const subscriptionJobs: readonly JobHandler<System>[] = [
  queueHandler(syncQueue, { concurrency: 4 }, syncAfterEvent),
  scheduledTask('subscription.remind', '50 * * * *', remindOfEndings, { retryLimit: 2 }),
  queueHandler(updateContactQueue, { concurrency: 1 }, updateContactAtStripe),
  queueHandler(cancelQueue, { concurrency: 1 }, cancelAtStripe),
  queueHandler(expireCheckoutsQueue, { concurrency: 1 }, expireCheckoutsAtStripe),
  // At night; takes up to an hour per 10,000 customers.
  scheduledTask('subscription.reconcile', '40 3 * * *', reconcileSubscriptions, {
    expireInSeconds: 6 * 60 * 60,
    retryLimit: 2,
  }),
]
