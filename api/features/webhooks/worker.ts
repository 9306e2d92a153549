import type { System } from '../../core/context.ts'
import { handles, repeats, type JobHandler } from '../../core/jobs.ts'
import { fastQueue, retentionQueue, slowQueue } from './jobs.ts'
import { deliverTo, sweepDeliveries } from './service/deliver.ts'
import { deleteExpiredEvents } from './service/deliveries.ts'

/** A call waits for somebody else's server and holds nothing meanwhile, so that many may wait at a time. */
const concurrency = 200

/** Each worker looks; the row decides who delivers. */
const sweepMs = 15_000

export const webhookJobs: readonly JobHandler<System>[] = [
  ...[fastQueue, slowQueue].map((queue) =>
    handles(
      queue,
      { concurrency, detached: true },
      async (system: System, { endpointId }, _signal, stopping) => await deliverTo(system, endpointId, stopping),
    ),
  ),
  repeats(sweepMs, 'webhook deliveries', sweepDeliveries),
  handles(
    retentionQueue,
    { concurrency: 1, cron: '41 2 * * *' },
    async (system: System, _job, _signal, stopping) => await deleteExpiredEvents(system, stopping),
  ),
]
