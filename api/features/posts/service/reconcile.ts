import { retryOnDeadlock } from '@flashsheet/db/retry-on-deadlock'
import type { System } from '../../../core/context.ts'
import { everyoneScope, ownerScope } from '../../../core/scope.ts'
import { NetworkError, type ReconcileResult, type PublishSteps } from '../../../gateways/networks/adapter.ts'
import { enqueueReconcile } from '../jobs.ts'
import { lockPost } from '../queries/posts.ts'
import type { StoredTarget } from '../queries/leases.ts'
import { findTargetToReconcile, writeReconciled } from '../queries/sent-targets.ts'
import { isReconcileOver, reconcileDelayMs } from '../rules/retry.ts'
import { readOnlyJob, openAccount } from './prepare-job.ts'
import { updatePostOutcome } from './post-outcome.ts'

/**
 * Checks a posted target for later changes (YouTube may reject it, TikTok may return its id late), until its network says that nothing more
 * will change, for at most a day. A rejection makes it failed, with a notice.
 */
export async function reconcilePosted(system: System, targetId: string, signal: AbortSignal): Promise<void> {
  const target = await findTargetToReconcile(system.db, everyoneScope(), targetId)
  const steps = target && system.gateways.networks[target.platform]?.publish
  if (!target?.reconcileAt || !steps) return
  // The job may run a moment early (`jobs.ts`).
  if (target.reconcileAt > system.now())
    return await enqueueReconcile(system, system.db, { id: target.id, at: target.reconcileAt })
  const result = await readState(system, steps, target, signal)
  await write(system, target, target.reconcileAt, result)
}

async function readState(
  system: System,
  steps: PublishSteps,
  target: StoredTarget,
  signal: AbortSignal,
): Promise<ReconcileResult> {
  try {
    const job = readOnlyJob(system, target, await openAccount(system, target), signal)
    const result: ReconcileResult = (await steps.reconcilePosted?.(job, target.remoteId)) ?? { state: 'settled' }
    if (result.state !== 'settled') return result
    const remoteId = result.remoteId ?? target.remoteId
    if (result.permalink || target.permalink || remoteId === null) return result
    const permalink = await steps.link(job, remoteId)
    return permalink === null ? { state: 'working' } : { ...result, permalink }
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    // The target stays posted. A refused account may be reconnected within the day.
    return { state: error.class === 'permanent' ? 'settled' : 'working' }
  }
}

async function write(system: System, target: StoredTarget, readAt: Date, result: ReconcileResult): Promise<void> {
  const now = system.now()
  const owner = ownerScope(target.userId)
  const ageMs = now.getTime() - (target.postedAt ?? now).getTime()
  await retryOnDeadlock(system.db, async (tx) => {
    const post = await lockPost(tx, owner, target.postId)
    if (!post) return
    if (result.state === 'working' && !isReconcileOver(ageMs)) {
      const at = new Date(now.getTime() + reconcileDelayMs(ageMs))
      if (await writeReconciled(tx, everyoneScope(), target.id, readAt, { reconcileAt: at }))
        await enqueueReconcile(system, tx, { id: target.id, at })
      return
    }
    const patch =
      result.state === 'rejected'
        ? { phase: 'failed' as const, postedAt: null, errorMessage: result.message, permalink: null, updatedAt: now }
        : result.state === 'settled'
          ? {
              remoteId: result.remoteId ?? target.remoteId,
              permalink: result.permalink ?? target.permalink,
              updatedAt: now,
            }
          : {}
    if (await writeReconciled(tx, everyoneScope(), target.id, readAt, { reconcileAt: null, ...patch }))
      await updatePostOutcome(system, tx, owner, post)
  })
}
