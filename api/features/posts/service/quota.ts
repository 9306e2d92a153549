import { retryOnDeadlock } from '@flashsheet/db/retry-on-deadlock'
import { isReel } from '@flashsheet/contracts/video'
import type { Tx } from '@flashsheet/db/client'
import type { System } from '../../../core/context.ts'
import { newId } from '../../../core/ids.ts'
import { everyoneScope, ownerScope, type OwnerId } from '../../../core/scope.ts'
import type { PublishJob, PublishSteps } from '../../../gateways/networks/adapter.ts'
import type { MediaRow } from '../../media/queries/items.ts'
import { videoOf } from '../../media/service/list.ts'
import type { ArtistNotice } from '../../notices/service.ts'
import type { ClaimedTarget } from '../queries/leases.ts'
import { enqueuePublish } from '../jobs.ts'
import {
  releaseFirstWaiting,
  countWaitingBefore,
  countReserved,
  deleteOldUses,
  endUse,
  findOpenUse,
  estimateWaitingBefore,
  listDrawn,
  listBucketsWaitedFor,
  lockBucket,
  upsertUse,
  setBucket,
  clearDrawnAt,
  type BucketRow,
  type WaitingTarget,
} from '../queries/quotas.ts'
import type { Decision } from '../rules/retry.ts'
import {
  allowanceAt,
  quotaOf,
  quotaSentence,
  shareBucketOf,
  sharedBucketOf,
  windowStart,
  type Quota,
  type AllowanceUsage,
} from '../rules/quota.ts'

/** Longer than any window of a network. */
const usesKeptMs = 3 * 24 * 3_600_000

/** Whether Facebook publishes these media as a reel. The number of a page's reels a day is limited. */
export function isPostedAsReel(media: readonly MediaRow[]): boolean {
  const [first] = media
  return first?.kind === 'video' && isReel(videoOf(first))
}

/** The target has to wait for a daily allowance until `freesAt`; `message` is for the artist. */
export type AllowanceWait = { freesAt: Date; message: string }

/**
 * Reserves one use of the daily allowance for a target that has not begun; undefined: it may begin. With nothing left the target is queued
 * by its time. Two workers cannot both reserve the last use. Throws NetworkError where the network is asked how much is left.
 */
export async function reserveAllowance(
  system: System,
  target: ClaimedTarget,
  steps: PublishSteps,
  job: PublishJob,
): Promise<AllowanceWait | undefined> {
  const { quotaBucket: bucket } = target
  if (bucket === null || !system.config.enforcesNetworkQuotas || Object.keys(target.checkpoint).length > 0)
    return undefined
  const quota = quotaOf(bucket)
  const now = system.now()
  const openUse = await findOpenUse(system.db, everyoneScope(), target.id)
  if (openUse?.state === 'taken' && (openUse.drawnAt === null || openUse.drawnAt > windowStart(quota, now)))
    return undefined
  const reported = await steps.allowance?.(job)
  return await retryOnDeadlock(system.db, async (tx) => {
    let row = await lockBucket(tx, everyoneScope(), bucket)
    if (reported) {
      row = { ...row, reportedLimit: reported.limit, reportedUsed: reported.used, reportedAt: now }
      await setBucket(tx, everyoneScope(), bucket, row)
    }
    const waiting: WaitingTarget = { targetId: target.id, since: target.scheduledAt }
    const use = useOf(target, bucket)
    const share = shareBucketOf(bucket, target.userId)
    if (share !== null) {
      const own = allowanceAt(await shareUsage(tx, bucket, share, ownerScope(target.userId), now, waiting), now)
      if (own.freesAt !== null) {
        // Queued for the artist's share alone, so that no other artist waits behind this target.
        await lockBucket(tx, everyoneScope(), share)
        await upsertUse(tx, everyoneScope(), { ...use, bucketId: share, state: 'waiting', drawnAt: null })
        return { freesAt: own.freesAt, message: quotaSentence(share, own.limit) }
      }
    }
    const { left, freesAt, limit } = allowanceAt(await allowanceUsage(tx, bucket, quota, row, now, waiting), now)
    if (left > 0 || freesAt === null) {
      const drawnAt = quota.drawnBy === 'prepare' ? now : null
      await upsertUse(tx, everyoneScope(), { ...use, state: 'taken', drawnAt })
      return undefined
    }
    await upsertUse(tx, everyoneScope(), { ...use, state: 'waiting', drawnAt: null })
    return { freesAt, message: quotaSentence(bucket, limit) }
  })
}

const useOf = ({ id, userId, scheduledAt }: ClaimedTarget, bucketId: string) => ({
  id: newId(),
  bucketId,
  userId,
  targetId: id,
  since: scheduledAt,
})

/** The artist is not notified of shorter waits. */
const minNotifiedWaitMs = 10 * 60_000

/** The notice about a waiting post. Its `dedupeKey` makes it one, however often the post waits. */
export function waitingNotice(target: ClaimedTarget, wait: AllowanceWait, now: Date): ArtistNotice | undefined {
  if (wait.freesAt.getTime() - now.getTime() < minNotifiedWaitMs) return undefined
  return noticeOfWaiting(target, wait.message)
}

/** The same notice for a post that the network refuses for now, once its waits add up to `minNotifiedWaitMs`. */
export function laterNotice(target: ClaimedTarget, decision: Decision, message: string): ArtistNotice | undefined {
  if (decision.kind !== 'wait' || decision.waitedMs < minNotifiedWaitMs) return undefined
  return noticeOfWaiting(target, message)
}

function noticeOfWaiting(target: ClaimedTarget, message: string): ArtistNotice {
  return {
    kind: 'post_waiting',
    dedupeKey: `target ${target.id} waits for ${target.quotaBucket} ${target.scheduledAt.getTime()}`,
    title: `A post to ${target.pageName} has to wait`,
    text: `${message} It goes out by itself as soon as it can.`,
    link: `/scheduled-posts?post=${target.postId}`,
    action: 'See the post',
  }
}

/** The usage of an allowance; with `waiting` as that target sees it, behind those that wait before it. */
export async function allowanceUsage(
  db: Tx,
  bucket: string,
  quota: Quota,
  row: BucketRow,
  now: Date,
  waiting?: WaitingTarget,
): Promise<AllowanceUsage> {
  const reported = reportedUsage(row, windowStart({ days: 'rolling' }, now))
  const [drawn, reserved, ahead] = await Promise.all([
    listDrawn(db, everyoneScope(), bucket, windowStart(quota, now)),
    countReserved(db, everyoneScope(), bucket),
    countWaitingOf(db, bucket, Math.max(quota.limit, reported?.limit ?? 0), waiting),
  ])
  return { quota, drawn, reserved, ahead, fullUntil: row.fullUntil, reported }
}

/** How many wait before this target: exact up to `limit`, estimated beyond, which is enough to name the day. */
async function countWaitingOf(db: Tx, bucket: string, limit: number, waiting?: WaitingTarget): Promise<number> {
  const most = limit + 1
  const counted = await countWaitingBefore(db, everyoneScope(), bucket, most, waiting)
  return counted < most ? counted : Math.max(most, await estimateWaitingBefore(db, everyoneScope(), bucket, waiting))
}

/** The usage of one artist's share of a shared allowance. Ahead are the artist's own targets, queued for the share or for the whole. */
export async function shareUsage(
  db: Tx,
  bucket: string,
  share: string,
  owner: OwnerId,
  now: Date,
  waiting?: WaitingTarget,
): Promise<AllowanceUsage> {
  const quota = quotaOf(share)
  const [drawn, reserved, aheadInShare, aheadInWhole] = await Promise.all([
    listDrawn(db, everyoneScope(), bucket, windowStart(quota, now), owner),
    countReserved(db, everyoneScope(), bucket, owner),
    countWaitingOf(db, share, quota.limit, waiting),
    countWaitingBefore(db, everyoneScope(), bucket, quota.limit + 1, waiting, owner),
  ])
  return { quota, drawn, reserved, ahead: aheadInShare + aheadInWhole, fullUntil: null, reported: undefined }
}

function reportedUsage(row: BucketRow, notBefore: Date): AllowanceUsage['reported'] {
  if (row.reportedLimit === null || row.reportedUsed === null || row.reportedAt === null || row.reportedAt < notBefore)
    return undefined
  return { limit: row.reportedLimit, used: row.reportedUsed, at: row.reportedAt }
}

/** Whether the network counts a post from its irreversible call on. */
export function isDrawnByCall({ quotaBucket }: Pick<ClaimedTarget, 'quotaBucket'>): boolean {
  return quotaBucket !== null && quotaOf(quotaBucket).drawnBy === 'publish'
}

/** The irreversible call was clearly refused, so the network counted nothing. */
export async function releaseAllowance(system: System, target: ClaimedTarget): Promise<void> {
  if (!isDrawnByCall(target)) return
  await clearDrawnAt(system.db, everyoneScope(), target.id)
}

/** The target is final: what the network counted stays counted, the reservation is released. */
export async function settleAllowance(tx: Tx, target: Pick<ClaimedTarget, 'id' | 'quotaBucket'>): Promise<void> {
  if (target.quotaBucket !== null) await endUse(tx, everyoneScope(), target.id)
}

/** An upload starts again: where the network counts uploads, it needs another use. */
export async function renewAllowance(tx: Tx, target: ClaimedTarget): Promise<void> {
  if (target.quotaBucket !== null && quotaOf(target.quotaBucket).drawnBy === 'prepare')
    await endUse(tx, everyoneScope(), target.id)
}

/** The network itself reports that nothing is left: no target tries before `until`, and this one is queued again. */
export async function markAllowanceExhausted(
  system: System,
  target: ClaimedTarget,
  code: string,
  until: Date,
): Promise<void> {
  const { quotaBucket: bucket } = target
  if (bucket === null || !system.config.enforcesNetworkQuotas) return
  const { refusals } = quotaOf(bucket)
  if (refusals && !refusals.includes(code)) return
  await retryOnDeadlock(system.db, async (tx) => {
    const { fullUntil } = await lockBucket(tx, everyoneScope(), bucket)
    if (fullUntil === null || fullUntil < until) await setBucket(tx, everyoneScope(), bucket, { fullUntil: until })
    if (Object.keys(target.checkpoint).length > 0) return
    await upsertUse(tx, everyoneScope(), { ...useOf(target, bucket), state: 'waiting', drawnAt: null })
  })
}

/** Makes the first waiting targets due while an allowance is left, since their stored times are estimates. Returns how many. */
export async function releaseWaiting(system: System): Promise<number> {
  if (!system.config.enforcesNetworkQuotas) return 0
  let released = 0
  for (const { bucketId, userId } of await listBucketsWaitedFor(system.db, everyoneScope())) {
    released += await retryOnDeadlock(system.db, async (tx) => {
      const now = system.now()
      const row = await lockBucket(tx, everyoneScope(), bucketId)
      const whole = sharedBucketOf(bucketId)
      const usage =
        whole !== null && userId !== null
          ? await shareUsage(tx, whole, bucketId, ownerScope(userId), now)
          : await allowanceUsage(tx, bucketId, quotaOf(bucketId), row, now)
      const { left } = allowanceAt({ ...usage, ahead: 0 }, now)
      const ids = left > 0 ? await releaseFirstWaiting(tx, everyoneScope(), bucketId, left, now) : []
      for (const id of ids) await enqueuePublish(system, tx, { id, at: now }, 'planned')
      return ids.length
    })
  }
  return released
}

/** Deletes uses that are older than any window. */
export async function deleteOldAllowanceUses(system: System): Promise<void> {
  await deleteOldUses(system.db, everyoneScope(), new Date(system.now().getTime() - usesKeptMs))
}
