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

/** Asks what became of a posted target (YouTube rejects late, TikTok names its post late). */
export const lookAgainQueue = defineQueue('posts.look-again', z.object({ targetId: z.uuid() }), {
  policy: 'short',
  retryLimit: 3,
})

/** Removes and empties by age what publishing leaves behind. */
export const retentionQueue = defineQueue('posts.retention', z.object({}), { policy: 'singleton' })

/** Goes on with what one job left. */
export async function enqueueRetention(system: System): Promise<void> {
  await system.jobs.send(system.db, retentionQueue, {})
}

/** Lets go, in batches, of what was made for an account or page that was disconnected. */
export const leavePlaceQueue = defineQueue(
  'posts.leave-place',
  z.object({ owner: z.uuid(), accountId: z.uuid(), pageId: z.string() }),
  { retryLimit: 20, retryDelayMax: 600 },
)

type Alarm = { id: string; at: Date }

/**
 * What is due later gets its alarm when its time comes near (`service/alarms.ts`): each waiting job makes every look for due ones dearer,
 * and the rows know the time.
 */
export const alarmsAheadMs = 3_600_000

/**
 * Who goes first when more is due than there are hands: what has begun, since its container, its session and its open question
 * grow old; then what an artist asked for now and waits for; then what was planned.
 */
const urgencies = { begun: 2, asked: 1, planned: 0 } as const
export type Urgency = keyof typeof urgencies

/** What has begun in this phase goes before all others; what has not, as it came to be due. */
export function urgencyIn(phase: TargetPhase, unbegun: Exclude<Urgency, 'begun'> = 'planned'): Urgency {
  return phase === 'scheduled' ? unbegun : 'begun'
}

/**
 * When the alarm rings: so long from now by the database's clock, whatever the product's clock and this machine's say. The queue
 * counts from the beginning of the transaction, so that an alarm may ring some milliseconds early: its handler sets another.
 */
function ringing(system: System, at: Date): { startInMs?: number } {
  const ahead = at.getTime() - system.now().getTime()
  return ahead > 0 ? { startInMs: ahead } : {}
}

const alarmJob = (system: System, { id, at }: Alarm, urgency: Urgency) => ({
  payload: { targetId: id },
  options: { ...ringing(system, at), singletonKey: `${id} ${at.getTime()}`, priority: urgencies[urgency] },
})

/** Wakes a worker for a target at its time, if that is near, else leaves it to the rows; asking twice for one time rings once. */
export async function enqueuePublish(system: System, tx: Tx, alarm: Alarm, urgency: Urgency): Promise<void> {
  if (alarm.at.getTime() - system.now().getTime() > alarmsAheadMs) return
  const { payload, options } = alarmJob(system, alarm, urgency)
  await system.jobs.send(tx, publishQueue, payload, options)
}

/** The same for many targets whose time is near, at once. */
export async function enqueuePublishes(
  system: System,
  tx: Tx,
  alarms: readonly (Alarm & { urgency: Urgency })[],
): Promise<void> {
  if (alarms.length > 0)
    await system.jobs.sendAll(
      tx,
      publishQueue,
      alarms.map((alarm) => alarmJob(system, alarm, alarm.urgency)),
    )
}

/** Wakes a worker now for a target whose own alarm was lost; asking twice rings once. */
export async function enqueueStranded(system: System, tx: Tx, alarm: Alarm, urgency: Urgency): Promise<void> {
  await system.jobs.send(
    tx,
    publishQueue,
    { targetId: alarm.id },
    { singletonKey: `${alarm.id} ${alarm.at.getTime()} swept`, priority: urgencies[urgency] },
  )
}

export async function enqueueLookAgain(system: System, tx: Tx, alarm: Alarm): Promise<void> {
  await system.jobs.send(
    tx,
    lookAgainQueue,
    { targetId: alarm.id },
    { ...ringing(system, alarm.at), singletonKey: `${alarm.id} ${alarm.at.getTime()}` },
  )
}

export async function enqueueStrandedLook(system: System, tx: Tx, alarm: Alarm): Promise<void> {
  await system.jobs.send(
    tx,
    lookAgainQueue,
    { targetId: alarm.id },
    { singletonKey: `${alarm.id} ${alarm.at.getTime()} swept` },
  )
}
