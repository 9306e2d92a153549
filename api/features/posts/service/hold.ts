import { postMessages } from '@flashsheet/contracts/posts'
import type { Tx } from '@flashsheet/db/client'
import { notifyLive } from '@flashsheet/db/live'
import type { System } from '../../../core/context.ts'
import { everyoneScope, ownerScope, type OwnerId } from '../../../core/scope.ts'
import { enqueuePublish } from '../jobs.ts'
import { lockPost } from '../queries/posts.ts'
import { failHeld, findTargetPost, setHeld } from '../queries/targets.ts'
import { settlePost } from './settle.ts'

/** The subscription left active and past_due: what has not begun waits for it (design 4). */
export async function holdTargets(system: System, tx: Tx, fact: { owner: OwnerId }): Promise<void> {
  const held = await setHeld(tx, fact.owner, true, system.now())
  if (held.length > 0) await notifyLive(tx, { owner: fact.owner, topic: 'posts' })
}

/** The subscription is back: what waited for it goes out at its time. */
export async function releaseTargets(system: System, tx: Tx, fact: { owner: OwnerId }): Promise<void> {
  const released = await setHeld(tx, fact.owner, false, system.now())
  for (const target of released) await enqueuePublish(system, tx, { id: target.id, at: target.dueAt })
  if (released.length > 0) await notifyLive(tx, { owner: fact.owner, topic: 'posts' })
}

/** A held target's time has passed without a subscription: it fails, and says why. */
export async function endHeld(system: System, targetId: string): Promise<void> {
  await system.db.transaction(async (tx) => {
    const found = await findTargetPost(tx, everyoneScope(), targetId)
    if (!found) return
    const owner = ownerScope(found.userId)
    const post = await lockPost(tx, owner, found.postId)
    if (post && (await failHeld(tx, everyoneScope(), targetId, postMessages.subscriptionEnded, system.now()))) await settlePost(system, tx, owner, post)
  })
}
