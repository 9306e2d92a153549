import { retryOnDeadlock } from '@flashsheet/db/retry-on-deadlock'
import { postMessages } from '@flashsheet/contracts/posts/messages'
import type { LeftBehind, NetworkErrorClass, TargetPhase } from '@flashsheet/contracts/posts/limits'
import { pageAddress } from '@flashsheet/contracts/page-address'
import type { Tx } from '@flashsheet/db/client'
import type { LiveHint } from '@flashsheet/db/live'
import type { System } from '../../../core/context.ts'
import { everyoneScope, ownerScope, type OwnerId } from '../../../core/scope.ts'
import type { PublishJob, PublishSteps } from '../../../gateways/networks/adapter.ts'
import { notifyArtist, type ArtistNotice } from '../../notices/service.ts'
import { accountState } from '../../social/service/tokens.ts'
import { showOnWebsite } from '../../website/service/gallery.ts'
import { enqueueReconcile, enqueuePublish, priorityIn } from '../jobs.ts'
import { writeLeased, type EndedAttempt, type TargetPatch } from '../queries/leases.ts'
import { listPostMedia, lockPost, lockMayPublish, setPost, type PostRow } from '../queries/posts.ts'
import { reconcileDelayMs } from '../rules/retry.ts'
import { lockIfReconnected, resumeTargets } from './await-account.ts'
import { LeaseLost, type Lease } from './lease.ts'
import { settleAllowance } from './quota.ts'
import { updatePostOutcomeWithoutHint } from './post-outcome.ts'

/** One claim of a target by one worker, until its lease is released. */
export type Run = {
  system: System
  lease: Lease
  /** The lease's copy of the row. */
  target: Lease['target']
  /** Aborts when the process shuts down: no further step begins. */
  stopping: AbortSignal
  /** When `confirm` last did not find the post in this run. */
  absentAt?: Date
  /** For the link to the page, once its account has been opened. */
  pageUsername?: string | null
  attempt: Pick<EndedAttempt, 'id' | 'startedAt' | 'fromPhase' | 'wasPoll'>
}

export type AttemptError = { class: NetworkErrorClass; code: string; message: string }

/**
 * Releases the lease and schedules the next run at `dueAt`, in the same phase unless another is given. Alarm and, where given, the
 * notice to the artist are written in the same transaction. A target that would wait for an account that is reconnected by now is due at once.
 */
export async function concludeWaiting(
  run: Run,
  patch: TargetPatch & { dueAt: Date },
  error?: AttemptError,
  notice?: ArtistNotice,
): Promise<void> {
  const { system, target } = run
  const { phase = target.phase } = patch
  const owner = ownerScope(target.userId)
  const sendsHint =
    phase !== run.attempt.fromPhase || (patch.errorMessage !== undefined && patch.errorMessage !== target.errorMessage)
  const disconnecting = await retryOnDeadlock(system.db, async (tx) => {
    if (phase === 'scheduled' && (await isDisconnecting(tx, target))) return true
    const reconnectedId = patch.awaitsAccount ? await lockIfReconnected(tx, target) : undefined
    // `holdTargets` skipped this target if the subscription ended while this worker had it, so it is held as it returns to `scheduled`.
    const held = phase === 'scheduled' && !(await lockMayPublish(tx, owner))
    await release(run, tx, held ? { ...patch, held } : patch, error, sendsHint)
    await enqueuePublish(system, tx, { id: target.id, at: patch.dueAt }, priorityIn(phase))
    if (reconnectedId !== undefined) await resumeTargets(system, tx, { owner, accountId: reconnectedId })
    else if (notice) await notifyArtist(system, tx, owner, notice)
    return false
  })
  if (disconnecting) await concludeFailed(run, postMessages.accountGone, error)
}

/** Whether the account is being disconnected: its scheduled targets were deleted while this worker had this one. */
async function isDisconnecting(tx: Tx, { userId, accountId }: Lease['target']): Promise<boolean> {
  if (accountId === null) return false
  const account = await accountState(tx, ownerScope(userId), accountId)
  return account === undefined || account.disconnectingAt !== null
}

/** The target is posted; its address is fetched if the network has not returned it. */
export async function concludePosted(
  run: Run,
  steps: PublishSteps,
  job: PublishJob,
  posted: { remoteId: string | null; permalink: string | null },
): Promise<void> {
  const { system } = run
  const { remoteId } = posted
  const permalink = posted.permalink ?? (remoteId === null ? null : await fetchPermalink(run, steps, job, remoteId))
  const now = system.now()
  const reconcileAt = steps.reconcilePosted || permalink === null ? new Date(now.getTime() + reconcileDelayMs(0)) : null
  const patch = { phase: 'posted' as const, postedAt: now, errorMessage: null, remoteId, permalink, reconcileAt }
  await run.lease.retryUntilWritten(async () => await finish(run, patch, undefined))
}

/** The target has failed for good, with a sentence for the artist, and the address of its page where something may be there. */
export async function concludeFailed(
  run: Run,
  message: string,
  error: AttemptError | undefined,
  remains: { unclear?: boolean; leftBehind?: LeftBehind | undefined } = {},
  extraColumns: TargetPatch = {},
): Promise<void> {
  const { platform, pageId } = run.target
  const { unclear = false, leftBehind = null } = remains
  const pageUrl = unclear || leftBehind ? pageAddress(platform, pageId, run.pageUsername ?? null) : null
  await finish(run, { ...extraColumns, phase: 'failed', errorMessage: message, unclear, leftBehind, pageUrl }, error)
}

/** The address of a post; null when it cannot be fetched now. Reconciling fetches it later. */
async function fetchPermalink(
  run: Run,
  steps: PublishSteps,
  job: PublishJob,
  remoteId: string,
): Promise<string | null> {
  try {
    return await steps.link(job, remoteId)
  } catch (error) {
    if (run.lease.signal.reason instanceof LeaseLost) throw run.lease.signal.reason
    run.system.log.warn({ err: error, targetId: run.target.id }, 'the address of a posted target could not be fetched')
    return null
  }
}

/** Writes target, post, notice, mail and the next alarm in one transaction. */
async function finish(
  run: Run,
  patch: TargetPatch & { phase: 'posted' | 'failed' },
  error: AttemptError | undefined,
): Promise<void> {
  const { system, target } = run
  const owner = ownerScope(target.userId)
  await retryOnDeadlock(system.db, async (tx) => {
    // The post is locked before the target, as everywhere, so that two targets of one post finish one after the other.
    const post = await lockPost(tx, owner, target.postId)
    await release(run, tx, { ...patch, progress: null }, error, true)
    if (!post) throw new LeaseLost(target.id)
    await settleAllowance(tx, target)
    if (patch.phase === 'posted' && post.toGallery) await moveToGallery(system, tx, owner, post)
    if (patch.reconcileAt) await enqueueReconcile(system, tx, { id: target.id, at: patch.reconcileAt })
    await updatePostOutcomeWithoutHint(system, tx, owner, post)
  })
}

/** Writes the last patch, ends the attempt and releases the lease. Throws LeaseLost. */
async function release(
  run: Run,
  tx: Tx,
  patch: TargetPatch,
  error: AttemptError | undefined,
  sendsHint: boolean,
): Promise<void> {
  const { system, lease, target } = run
  const { id, userId, postId } = target
  const allColumns = { ...lease.unwritten(), ...patch, updatedAt: system.now() }
  const hint: LiveHint | undefined = sendsHint ? { owner: userId, topic: 'posts', id: postId } : undefined
  const attempt = endedAttempt(run, patch.phase ?? target.phase, error)
  if (!(await writeLeased(tx, everyoneScope(), id, lease.token, allColumns, { releases: true, hint, attempt })))
    throw new LeaseLost(id)
}

/** Adds a post's pictures to the website, once: when its first page is posted. The artist may remove them from the gallery afterwards. */
export async function moveToGallery(system: System, tx: Tx, owner: OwnerId, post: PostRow): Promise<void> {
  const media = await listPostMedia(tx, owner, [post.id])
  const mediaIds = media.flatMap((item) => item.mediaId ?? [])
  await showOnWebsite(system, tx, owner, mediaIds)
  await setPost(tx, owner, post.id, { toGallery: false })
}

/** The record of this attempt; undefined for a poll that found nothing new. */
function endedAttempt(run: Run, toPhase: TargetPhase, error: AttemptError | undefined): EndedAttempt | undefined {
  const { system, attempt } = run
  if (attempt.wasPoll && !error && toPhase === attempt.fromPhase) return undefined
  return {
    ...attempt,
    finishedAt: system.now(),
    toPhase,
    errorClass: error?.class ?? null,
    errorCode: error?.code ?? null,
    errorMessage: error?.message ?? null,
  }
}
