import { retryOnDeadlock } from '@flashsheet/db/retry-on-deadlock'
import type { System } from '../../../core/context.ts'
import { everyoneScope } from '../../../core/scope.ts'
import type { TiktokEvent } from '../../../gateways/networks/callbacks.ts'
import { handleRevocation } from '../../social/service/removals.ts'
import { enqueueReconcile, enqueuePublish } from '../jobs.ts'
import { bringPublishForward, bringReconcileForward } from '../queries/sent-targets.ts'

const settledEvents = ['post.publish.complete', 'post.publish.failed', 'post.publish.inbox_delivered']

/**
 * Handles a TikTok event. A post that waits for its outcome or public address is polled now, because the event's own claim is not trusted.
 * A removed permission is recorded. Safe to run twice.
 */
export async function handleTiktokEvent(system: System, { event, openId, at, publishId }: TiktokEvent): Promise<void> {
  if (event === 'authorization.removed')
    return await handleRevocation(system, { platform: 'tiktok', userId: openId, at })
  if (publishId === undefined) return
  const now = system.now()
  await retryOnDeadlock(system.db, async (tx) => {
    if (settledEvents.includes(event)) {
      for (const id of await bringPublishForward(tx, everyoneScope(), publishId, now))
        await enqueuePublish(system, tx, { id, at: now }, 'begun')
    }
    if (event === 'post.publish.publicly_available') {
      for (const id of await bringReconcileForward(tx, everyoneScope(), publishId, now))
        await enqueueReconcile(system, tx, { id, at: now })
    }
  })
}
