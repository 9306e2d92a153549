import type { TargetPhase } from '@flashsheet/contracts/posts/limits'
import type { Tx } from '@flashsheet/db/client'
import { z } from 'zod'
import type { System } from '../../core/context.ts'
import { defineQueue } from '../../core/jobs.ts'

/**
 * The alarm clock of one target. `short` keeps at most one waiting job per key; the key holds the time it
 * rings for, so that a rescheduled target is not held back by its old alarm.
 */
export const publishQueue = defineQueue('posts.publish', z.object({ targetId: z.uuid() }), {
  policy: 'short',
  retryLimit: 3,
})

/** Reconciles a posted target (YouTube rejects late, TikTok gives an id late). The stored name stays: jobs of another release carry it. */
export const reconcileQueue = defineQueue('posts.look-again', z.object({ targetId: z.uuid() }), {
  policy: 'short',
  retryLimit: 3,
})

/** Removes and empties by age what publishing leaves behind. */
export const retentionQueue = defineQueue('posts.retention', z.object({}), { policy: 'singleton' })

/** Cancels, in batches, posts to an account or page that was disconnected. The stored name stays: jobs of another release carry it. */
export const cancelPostsQueue = defineQueue(
  'posts.leave-place',
  z.object({ owner: z.uuid(), accountId: z.uuid(), pageId: z.string() }),
  { retryLimit: 20, retryDelayMax: 600 },
)

type Alarm = { id: string; at: Date }

/**
 * Later targets get their alarm when their time comes near (`service/alarms.ts`), because each waiting job slows every fetch of due ones.
 */
export const alarmsAheadMs = 3_600_000

/**
 * Queue priority while more is due than can run: targets that have begun, since their containers and upload sessions expire; then what
 * an artist waits for; then what was planned.
 */
const priorities = { begun: 2, asked: 1, planned: 0 } as const
export type Priority = keyof typeof priorities

/** A target that has begun comes first; any other has the priority of what made it due. */
export function priorityIn(phase: TargetPhase, unbegun: Exclude<Priority, 'begun'> = 'planned'): Priority {
  return phase === 'scheduled' ? unbegun : 'begun'
}

/**
 * When the alarm rings: so long from now by the database's clock, whatever the product's clock and this machine's say. The queue
 * counts from the beginning of the transaction, so that an alarm may ring some milliseconds early: its handler sets another.
 * Asking twice for one time rings once.
 */
function ringing(system: System, { id, at }: Alarm): { startInMs?: number; singletonKey: string } {
  const ahead = at.getTime() - system.now().getTime()
  return { ...(ahead > 0 ? { startInMs: ahead } : {}), singletonKey: `${id} ${at.getTime()}` }
}

/** Rings now, for an alarm that was lost; asking twice rings once. */
const ringingAnew = ({ id, at }: Alarm) => ({ singletonKey: `${id} ${at.getTime()} swept` })

/** Wakes a worker for a target at its time, if that is near, else leaves it to the rows. */
export async function enqueuePublish(system: System, tx: Tx, alarm: Alarm, priority: Priority): Promise<void> {
  if (alarm.at.getTime() - system.now().getTime() > alarmsAheadMs) return
  const options = { ...ringing(system, alarm), priority: priorities[priority] }
  await system.jobs.send(tx, publishQueue, { targetId: alarm.id }, options)
}

/** The same for many targets whose time is near, at once. */
export async function enqueuePublishes(
  system: System,
  tx: Tx,
  alarms: readonly (Alarm & { priority: Priority })[],
): Promise<void> {
  const jobs = alarms.map((alarm) => ({
    payload: { targetId: alarm.id },
    options: { ...ringing(system, alarm), priority: priorities[alarm.priority] },
  }))
  if (jobs.length > 0) await system.jobs.sendAll(tx, publishQueue, jobs)
}

/** Wakes a worker now for a target whose own alarm was lost. */
export async function enqueueOverduePublish(system: System, tx: Tx, alarm: Alarm, priority: Priority): Promise<void> {
  const options = { ...ringingAnew(alarm), priority: priorities[priority] }
  await system.jobs.send(tx, publishQueue, { targetId: alarm.id }, options)
}

export async function enqueueReconcile(system: System, tx: Tx, alarm: Alarm): Promise<void> {
  await system.jobs.send(tx, reconcileQueue, { targetId: alarm.id }, ringing(system, alarm))
}

export async function enqueueOverdueReconcile(system: System, tx: Tx, alarm: Alarm): Promise<void> {
  await system.jobs.send(tx, reconcileQueue, { targetId: alarm.id }, ringingAnew(alarm))
}
