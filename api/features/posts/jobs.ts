import type { TargetPhase } from '@flashsheet/contracts/posts/limits'
import type { Tx } from '@flashsheet/db/client'
import { z } from 'zod'
import type { System } from '../../core/context.ts'
import { defineQueue } from '../../core/jobs.ts'

/** The alarm of one target. `short` allows one waiting job per key, which contains the time: a rescheduled target gets another alarm. */
export const publishQueue = defineQueue('posts.publish', z.object({ targetId: z.uuid() }), {
  policy: 'short',
  retryLimit: 3,
})

/** Reconciles a posted target. The stored name stays, because jobs of another release have it. */
export const reconcileQueue = defineQueue('posts.look-again', z.object({ targetId: z.uuid() }), {
  policy: 'short',
  retryLimit: 3,
})

/** Deletes old attempts and allowances, and empties old targets. */
export const retentionQueue = defineQueue('posts.retention', z.object({}), { policy: 'singleton' })

/** Cancels posts to a disconnected account or page, in batches. The stored name stays, because jobs of another release have it. */
export const cancelPostsQueue = defineQueue(
  'posts.leave-place',
  z.object({ owner: z.uuid(), accountId: z.uuid(), pageId: z.string() }),
  { retryLimit: 20, retryDelayMax: 600 },
)

type Alarm = { id: string; at: Date }

/** Targets due later get their alarm when their time comes near (`service/alarms.ts`), because each waiting job slows every fetch of due ones. */
export const alarmsAheadMs = 3_600_000

/** While more is due than can run: first targets that have begun (uploads expire), then those an artist waits for, then planned ones. */
const priorities = { begun: 2, asked: 1, planned: 0 } as const
export type Priority = keyof typeof priorities

/** A target that has begun comes first; any other has priority `unbegun`. */
export function priorityIn(phase: TargetPhase, unbegun: Exclude<Priority, 'begun'> = 'planned'): Priority {
  return phase === 'scheduled' ? unbegun : 'begun'
}

/**
 * Job options for the alarm's time. The delay counts by the database's clock from the beginning of the transaction, so the job may run
 * some milliseconds early; its handler then enqueues another. Two alarms of one target for the same time are one job.
 */
function alarmOptions(system: System, { id, at }: Alarm) {
  return { startInMs: Math.max(0, at.getTime() - system.now().getTime()), singletonKey: `${id} ${at.getTime()}` }
}

/** Job options that replace a lost alarm by a job that runs now. Enqueued twice, it is one job. */
const lostAlarmOptions = ({ id, at }: Alarm) => ({ singletonKey: `${id} ${at.getTime()} swept` })

/** Enqueues a target's alarm if its time is near; otherwise `setAlarms` does so later. */
export async function enqueuePublish(system: System, tx: Tx, alarm: Alarm, priority: Priority): Promise<void> {
  if (alarm.at.getTime() - system.now().getTime() > alarmsAheadMs) return
  const options = { ...alarmOptions(system, alarm), priority: priorities[priority] }
  await system.jobs.send(tx, publishQueue, { targetId: alarm.id }, options)
}

/** Enqueues the alarms of many targets whose time is near. */
export async function enqueuePublishes(
  system: System,
  tx: Tx,
  alarms: readonly (Alarm & { priority: Priority })[],
): Promise<void> {
  const jobs = alarms.map((alarm) => ({
    payload: { targetId: alarm.id },
    options: { ...alarmOptions(system, alarm), priority: priorities[alarm.priority] },
  }))
  if (jobs.length > 0) await system.jobs.sendAll(tx, publishQueue, jobs)
}

/** Enqueues an alarm that runs now, for a target whose own was lost. */
export async function enqueueOverduePublish(system: System, tx: Tx, alarm: Alarm, priority: Priority): Promise<void> {
  const options = { ...lostAlarmOptions(alarm), priority: priorities[priority] }
  await system.jobs.send(tx, publishQueue, { targetId: alarm.id }, options)
}

export async function enqueueReconcile(system: System, tx: Tx, alarm: Alarm): Promise<void> {
  await system.jobs.send(tx, reconcileQueue, { targetId: alarm.id }, alarmOptions(system, alarm))
}

export async function enqueueOverdueReconcile(system: System, tx: Tx, alarm: Alarm): Promise<void> {
  await system.jobs.send(tx, reconcileQueue, { targetId: alarm.id }, lostAlarmOptions(alarm))
}
