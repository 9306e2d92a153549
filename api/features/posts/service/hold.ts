import { retryOnDeadlock } from '@flashsheet/db/retry-on-deadlock'
import { postLimits } from '@flashsheet/contracts/posts/limits'
import { postMessages } from '@flashsheet/contracts/posts/messages'
import type { Tx } from '@flashsheet/db/client'
import { notifyLive } from '@flashsheet/db/live'
import type { System } from '../../../core/context.ts'
import { everyoneScope, ownerScope, type OwnerId } from '../../../core/scope.ts'
import { enqueuePublish } from '../jobs.ts'
import { findOwnerState, lockPost } from '../queries/posts.ts'
import { failHeld, findTargetPost, setHeld } from '../queries/targets.ts'
import { updatePostOutcome } from './post-outcome.ts'

/** Hook: the subscription ended or staff deactivated the artist. Targets that have not begun are held. */
export async function holdTargets(system: System, tx: Tx, fact: { owner: OwnerId }): Promise<void> {
  const held = await setHeld(tx, fact.owner, true, system.now())
  if (held.length > 0) await notifyLive(tx, { owner: fact.owner, topic: 'posts' })
}

/** Hook: the subscription resumed or the artist was reactivated. Held targets are released once both are in order. */
export async function releaseTargets(system: System, tx: Tx, fact: { owner: OwnerId }): Promise<void> {
  const ownerState = await findOwnerState(tx, fact.owner)
  if (!ownerState?.isActive || !ownerState.isLive) return
  const released = await setHeld(tx, fact.owner, false, system.now())
  for (const target of released) await enqueuePublish(system, tx, { id: target.id, at: target.dueAt }, 'planned')
  if (released.length > 0) await notifyLive(tx, { owner: fact.owner, topic: 'posts' })
}

/** How long a deactivated artist's targets wait past their time: as long as any post may be late, because the artist may be reactivated. */
export const deactivatedWaitMs = postLimits.missedAfterHours * 3_600_000

/** Fails a held target whose time has passed: without a subscription at once, for a deactivated artist after `deactivatedWaitMs`. */
export async function endHeld(system: System, targetId: string): Promise<void> {
  await retryOnDeadlock(system.db, async (tx) => {
    const found = await findTargetPost(tx, everyoneScope(), targetId)
    if (!found) return
    const owner = ownerScope(found.userId)
    const post = await lockPost(tx, owner, found.postId)
    const ownerState = await findOwnerState(tx, owner)
    // This target was not released with the artist's others, for example because a worker had it.
    if (ownerState?.isLive && ownerState.isActive) return await releaseTargets(system, tx, { owner })
    const waits = ownerState?.isLive && !ownerState.isActive
    const now = system.now()
    const dueBefore = waits ? new Date(now.getTime() - deactivatedWaitMs) : now
    const message = waits ? postMessages.deactivated : postMessages.subscriptionEnded
    if (post && (await failHeld(tx, everyoneScope(), targetId, message, dueBefore, now)))
      await updatePostOutcome(system, tx, owner, post)
  })
}
