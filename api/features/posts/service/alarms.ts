import type { System } from '../../../core/context.ts'
import { everyoneScope } from '../../../core/scope.ts'
import { alarmsAheadMs, enqueuePublishes, priorityIn } from '../jobs.ts'
import { lastId, listDueAfter, lockAlarmCursor, moveAlarmCursor } from '../queries/alarms.ts'

/** Half of the time before which targets get no alarm when created: one whose transaction took half an hour is still found in time. */
const aheadMs = alarmsAheadMs / 2
const batchSize = 1000
/** The clocks of two processes differ by less than this. */
const clockSkewMs = 60_000

/**
 * Enqueues alarms for targets that were planned long before, once they are due soon. The cursor is a row, moved in the transaction that
 * enqueues the alarms, so a process that dies loses none and two processes enqueue none twice. After an outage it continues at the cursor,
 * and overdue alarms run at once. Returns how many it set.
 */
export async function setAlarms(system: System): Promise<number> {
  let total = 0
  for (;;) {
    const set = await setBatch(system)
    total += set
    if (set < batchSize) return total
  }
}

async function setBatch(system: System): Promise<number> {
  const now = system.now().getTime()
  const until = new Date(now + aheadMs)
  return await system.db.transaction(async (tx) => {
    const cursor = await lockAlarmCursor(tx, everyoneScope())
    if (cursor === undefined) return 0
    const beyondMs = cursor ? cursor.dueAt.getTime() - until.getTime() : -Infinity
    if (beyondMs >= 0 && beyondMs < clockSkewMs) return 0
    // A cursor further ahead means that the clock was set back: targets scheduled since then may be due before the cursor, so it restarts now.
    const after = beyondMs > 0 ? { dueAt: new Date(now), id: lastId } : cursor
    const due = await listDueAfter(tx, everyoneScope(), after, until, batchSize)
    const alarms = due.map(({ id, dueAt, phase }) => ({ id, at: dueAt, priority: priorityIn(phase) }))
    await enqueuePublishes(system, tx, alarms)
    const last = due.at(-1)
    await moveAlarmCursor(tx, everyoneScope(), last && due.length === batchSize ? last : { dueAt: until, id: lastId })
    return due.length
  })
}
