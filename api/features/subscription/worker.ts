import type { System } from '../../core/context.ts'
import { queueHandler, type JobHandler } from '../../core/jobs.ts'
import { updateContactQueue, cancelQueue, reconcileQueue, remindQueue, syncQueue } from './jobs.ts'
import { updateContactAtStripe, cancelAtStripe } from './service/account.ts'
import { reconcileSubscriptions } from './service/reconcile.ts'
import { remindOfEndings } from './service/remind.ts'
import { syncAfterEvent } from './service/sync.ts'

export const subscriptionJobs: readonly JobHandler<System>[] = [
  queueHandler(syncQueue, { concurrency: 4 }, syncAfterEvent),
  queueHandler(remindQueue, { concurrency: 1, cron: '50 * * * *' }, remindOfEndings),
  queueHandler(updateContactQueue, { concurrency: 1 }, updateContactAtStripe),
  queueHandler(cancelQueue, { concurrency: 1 }, cancelAtStripe),
  queueHandler(reconcileQueue, { concurrency: 1, cron: '40 3 * * *' }, reconcileSubscriptions),
]
