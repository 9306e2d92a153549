import type { System } from '../../core/context.ts'
import { handles, type JobHandler } from '../../core/jobs.ts'
import { describeQueue, leaveQueue, reconcileQueue, remindQueue, syncQueue } from './jobs.ts'
import { describeAtStripe, leaveStripe } from './service/account.ts'
import { reconcile } from './service/reconcile.ts'
import { remindOfEndings } from './service/remind.ts'
import { syncAfterEvent } from './service/sync.ts'

export const subscriptionJobs: readonly JobHandler<System>[] = [
  handles(syncQueue, { concurrency: 4 }, async (system: System, job) => await syncAfterEvent(system, job)),
  handles(remindQueue, { concurrency: 1, cron: '50 * * * *' }, async (system: System) => await remindOfEndings(system)),
  handles(describeQueue, { concurrency: 1 }, async (system: System, job) => await describeAtStripe(system, job)),
  handles(leaveQueue, { concurrency: 1 }, async (system: System, job) => await leaveStripe(system, job)),
  handles(reconcileQueue, { concurrency: 1, cron: '40 3 * * *' }, async (system: System) => await reconcile(system)),
]
