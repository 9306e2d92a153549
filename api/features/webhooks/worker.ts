import type { System } from '../../core/context.ts'
import { queueHandler, repeatedTask, type JobHandler } from '../../core/jobs.ts'
import { fastQueue, retentionQueue, slowQueue } from './jobs.ts'
import { deliverTo, sweepDeliveries } from './service/deliver.ts'
import { deleteExpiredEvents } from './service/deliveries.ts'

/** High, since a call mostly waits for a foreign server and holds no connection to the database while it waits. */
const concurrency = 200

/** Every worker sweeps; the lease in the endpoint's row decides which one delivers. */
const sweepMs = 15_000

export const webhookJobs: readonly JobHandler<System>[] = [
  ...[fastQueue, slowQueue].map((queue) =>
    queueHandler(
      queue,
      { concurrency, isDetached: true },
      async (system: System, { endpointId }, stopping) => await deliverTo(system, endpointId, stopping),
    ),
  ),
  repeatedTask(sweepMs, 'webhook deliveries', sweepDeliveries),
  queueHandler(
    retentionQueue,
    { concurrency: 1, cron: '41 2 * * *' },
    async (system: System, _job, stopping) => await deleteExpiredEvents(system, stopping),
  ),
]
