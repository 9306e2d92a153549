import type { System } from '../../core/context.ts'
import { queueHandler, repeatedTask, type JobHandler } from '../../core/jobs.ts'
import { cancelPostsQueue, reconcileQueue, publishQueue, retentionQueue } from './jobs.ts'
import { setAlarms } from './service/alarms.ts'
import { finishCancelling, resumeCancelling } from './service/disconnected-pages.ts'
import { backfillFailedAt } from './service/backfill-failed-at.ts'
import { publishTarget } from './service/publish.ts'
import { releaseWaiting, deleteOldAllowanceUses } from './service/quota.ts'
import { reconcilePosted } from './service/reconcile.ts'
import { deleteOldPublishing } from './service/retention.ts'
import { sweepTargets, requeueAbandoned } from './service/sweep.ts'

const sweepEveryMs = 15_000
const setAlarmsEveryMs = 15_000
const requeueAbandonedEveryMs = 2000
const cleanUpEveryMs = 3_600_000

export const postJobs: readonly JobHandler<System>[] = [
  queueHandler(
    publishQueue,
    { concurrency: (system: System) => system.config.publishConcurrency, isDetached: true, pollSeconds: 0.5 },
    async (system: System, { targetId }, stopping, signal) => await publishTarget(system, targetId, signal, stopping),
  ),
  queueHandler(
    reconcileQueue,
    { concurrency: 4 },
    async (system: System, { targetId }, _stopping, signal) => await reconcilePosted(system, targetId, signal),
  ),
  queueHandler(
    retentionQueue,
    { concurrency: 1, cron: '37 2 * * *' },
    async (system: System, _job, stopping) => await deleteOldPublishing(system, stopping),
  ),
  queueHandler(cancelPostsQueue, { concurrency: 2 }, finishCancelling),
  repeatedTask(setAlarmsEveryMs, 'posts.alarms', setAlarms),
  repeatedTask(sweepEveryMs, 'posts.sweep', sweepTargets),
  repeatedTask(requeueAbandonedEveryMs, 'posts.abandoned', requeueAbandoned),
  repeatedTask(cleanUpEveryMs, 'posts.tidy', async (system: System, stopping) => {
    await deleteOldAllowanceUses(system)
    await releaseWaiting(system)
    await backfillFailedAt(system, stopping)
    await resumeCancelling(system)
  }),
]
