import type { System } from '../../../core/context.ts'
import { everyoneScope } from '../../../core/scope.ts'
import { enqueueOverduePublish, enqueueOverdueReconcile, publishQueue, priorityIn } from '../jobs.ts'
import { deleteDeadWorkers, listAbandoned, listOverdueTargets, recordDeadWorkers } from '../queries/leases.ts'
import { listOverdueReconciles } from '../queries/sent-targets.ts'
import { deleteExpiredTurns } from '../queries/login-turns.ts'
import { deactivatedWaitMs } from './hold.ts'

/** A target this long overdue has lost its alarm or its worker. */
const overdueMs = 10_000
const atOnce = 500
/** How many are woken while this process is at its concurrency limit: more than a dead worker can have fetched and not begun. */
const behindALine = 40

/**
 * Finds targets that are due and that nobody works on, and wakes a worker for each. What still waits in the
 * queue is not sent twice. With its hands full a process takes it that what is due stands in line, where a second alarm for
 * each would only make the line longer: it wakes the longest overdue alone, before the line, since one of them may have lost its
 * place with the worker that had taken it. Answers how many it found.
 */
export async function sweepTargets(system: System): Promise<number> {
  const before = new Date(system.now().getTime() - overdueMs)
  const isFull = system.jobs.isFull(publishQueue)
  const deactivatedBefore = new Date(before.getTime() - deactivatedWaitMs)
  const most = isFull ? behindALine : atOnce
  const stranded = await listOverdueTargets(system.db, everyoneScope(), before, deactivatedBefore, most)
  for (const { id, dueAt, phase } of stranded)
    await enqueueOverduePublish(system, system.db, { id, at: dueAt }, priorityIn(phase, isFull ? 'asked' : 'planned'))
  const looks = await listOverdueReconciles(system.db, everyoneScope(), new Date(before.getTime() - overdueMs), atOnce)
  for (const look of looks) await enqueueOverdueReconcile(system, system.db, look)
  await deleteExpiredTurns(system.db, everyoneScope())
  return stranded.length + looks.length
}

/**
 * Finds targets whose worker is gone, long before their leases run out, and wakes another for each (decision 21). Answers how
 * many it found.
 */
export async function requeueAbandoned(system: System): Promise<number> {
  if (!(await recordDeadWorkers(system.db, everyoneScope()))) return 0
  const abandoned = await listAbandoned(system.db, everyoneScope(), system.now(), atOnce)
  for (const { id, dueAt } of abandoned) await enqueueOverduePublish(system, system.db, { id, at: dueAt }, 'begun')
  await deleteDeadWorkers(system.db, everyoneScope())
  return abandoned.length
}
