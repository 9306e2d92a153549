import type { System } from '../../../core/context.ts'
import { everyoneScope } from '../../../core/scope.ts'
import { alarmsAheadMs, enqueuePublishes, priorityIn } from '../jobs.ts'
import { lastId, listDueAfter, lockAlarmCursor, moveAlarmCursor } from '../queries/alarms.ts'

/**
 * Half of the span in which a target gets its alarm as it is planned. A target that was planned earlier, and whose transaction took up to half
 * an hour, is therefore found here before its time.
 */
const aheadMs = alarmsAheadMs / 2
const atOnce = 1000
/** The clocks of two processes differ by less than this. */
const clockOffMs = 60_000

/**
 * Gives alarms to targets that were planned long before their time, once it comes near. How far that has come is a row, moved in the
 * transaction that sends the alarms: a process that dies in between leaves all of them to the next, and none is sent by two. After hours
 * in which nothing ran it goes on where it was, so that what is late rings at once. Answers how many it set.
 */
export async function setAlarms(system: System): Promise<number> {
  let all = 0
  for (;;) {
    const some = await setSome(system)
    all += some
    if (some < atOnce) return all
  }
}

async function setSome(system: System): Promise<number> {
  const now = system.now().getTime()
  const until = new Date(now + aheadMs)
  return await system.db.transaction(async (tx) => {
    const known = await lockAlarmCursor(tx, everyoneScope())
    if (known === undefined) return 0
    const beyondMs = known ? known.dueAt.getTime() - until.getTime() : -Infinity
    if (beyondMs >= 0 && beyondMs < clockOffMs) return 0
    // The clock was set back: targets scheduled meanwhile for a time before this mark are read again.
    const after = beyondMs > 0 ? { dueAt: new Date(now), id: lastId } : known
    const due = await listDueAfter(tx, everyoneScope(), after, until, atOnce)
    const alarms = due.map(({ id, dueAt, phase }) => ({ id, at: dueAt, priority: priorityIn(phase) }))
    await enqueuePublishes(system, tx, alarms)
    const last = due.at(-1)
    await moveAlarmCursor(tx, everyoneScope(), last && due.length === atOnce ? last : { dueAt: until, id: lastId })
    return due.length
  })
}
