import type { System } from '../../../core/context.ts'
import { everyoneScope } from '../../../core/scope.ts'
import { enqueueOverduePublish, enqueueOverdueReconcile, publishQueue, priorityIn } from '../jobs.ts'
import { deleteDeadWorkers, listAbandoned, listOverdueTargets, recordDeadWorkers } from '../queries/leases.ts'
import { listOverdueReconciles } from '../queries/sent-targets.ts'
import { deleteExpiredTurns } from '../queries/login-turns.ts'
import { deactivatedWaitMs } from './hold.ts'

/** A target overdue for this long has lost its alarm or its worker. */
const overdueMs = 10_000
const batchSize = 500
/** How many get an alarm while this process is at its concurrency limit: more than a dead worker can have fetched and not begun. */
const batchSizeWhenFull = 40

/**
 * Enqueues alarms for due targets that no worker has claimed; an alarm that already waits is not enqueued twice. While this process is
 * at its concurrency limit, due targets are presumed to wait in the queue, which further alarms would only make longer. Then only the
 * longest overdue get one, with a higher priority, because a dead worker may have fetched their alarms. Returns how many it found.
 */
export async function sweepTargets(system: System): Promise<number> {
  const before = new Date(system.now().getTime() - overdueMs)
  const isFull = system.jobs.isFull(publishQueue)
  const deactivatedBefore = new Date(before.getTime() - deactivatedWaitMs)
  const limit = isFull ? batchSizeWhenFull : batchSize
  const overdue = await listOverdueTargets(system.db, everyoneScope(), before, deactivatedBefore, limit)
  for (const { id, dueAt, phase } of overdue)
    await enqueueOverduePublish(system, system.db, { id, at: dueAt }, priorityIn(phase, isFull ? 'asked' : 'planned'))
  const reconciles = await listOverdueReconciles(
    system.db,
    everyoneScope(),
    new Date(before.getTime() - overdueMs),
    batchSize,
  )
  for (const reconcile of reconciles) await enqueueOverdueReconcile(system, system.db, reconcile)
  await deleteExpiredTurns(system.db, everyoneScope())
  return overdue.length + reconciles.length
}

/** Enqueues alarms for the targets of dead workers, long before their leases end (decision 21). Returns how many. */
export async function requeueAbandoned(system: System): Promise<number> {
  if (!(await recordDeadWorkers(system.db, everyoneScope()))) return 0
  const abandoned = await listAbandoned(system.db, everyoneScope(), system.now(), batchSize)
  for (const { id, dueAt } of abandoned) await enqueueOverduePublish(system, system.db, { id, at: dueAt }, 'begun')
  await deleteDeadWorkers(system.db, everyoneScope())
  return abandoned.length
}
