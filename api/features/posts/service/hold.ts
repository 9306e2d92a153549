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

/** The subscription left active and past_due, or staff deactivated the account: what has not begun waits. */
export async function holdTargets(system: System, tx: Tx, fact: { owner: OwnerId }): Promise<void> {
  const held = await setHeld(tx, fact.owner, true, system.now())
  if (held.length > 0) await notifyLive(tx, { owner: fact.owner, topic: 'posts' })
}

/** The subscription is back, or the account is active again: what waited goes out at its time, unless it still has to wait for the other. */
export async function releaseTargets(system: System, tx: Tx, fact: { owner: OwnerId }): Promise<void> {
  const ownerState = await findOwnerState(tx, fact.owner)
  if (!ownerState?.isActive || !ownerState.isLive) return
  const released = await setHeld(tx, fact.owner, false, system.now())
  for (const target of released) await enqueuePublish(system, tx, { id: target.id, at: target.dueAt }, 'planned')
  if (released.length > 0) await notifyLive(tx, { owner: fact.owner, topic: 'posts' })
}

/** How long a deactivated artist's targets wait past their time: as long as any post may be late. */
export const deactivatedWaitMs = postLimits.missedAfterHours * 3_600_000

/**
 * A held target's time has passed. Without a subscription it fails, and says why; for a deactivated artist it waits as long
 * as a late post may, as they may be active again.
 */
export async function endHeld(system: System, targetId: string): Promise<void> {
  await retryOnDeadlock(system.db, async (tx) => {
    const found = await findTargetPost(tx, everyoneScope(), targetId)
    if (!found) return
    const owner = ownerScope(found.userId)
    const post = await lockPost(tx, owner, found.postId)
    const ownerState = await findOwnerState(tx, owner)
    // The plan or account is active again and this target was not released with the others: it is released now.
    if (ownerState?.isLive && ownerState.isActive) return await releaseTargets(system, tx, { owner })
    const waits = ownerState?.isLive && !ownerState.isActive
    const now = system.now()
    const dueBefore = waits ? new Date(now.getTime() - deactivatedWaitMs) : now
    const message = waits ? postMessages.deactivated : postMessages.subscriptionEnded
    if (post && (await failHeld(tx, everyoneScope(), targetId, message, dueBefore, now)))
      await updatePostOutcome(system, tx, owner, post)
  })
}
