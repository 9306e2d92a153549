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
  callFirst,
  countAhead,
  countFlying,
  dropOldUses,
  endUse,
  findOpenUse,
  guessAhead,
  listDrawn,
  listLines,
  lockBucket,
  putUse,
  setBucket,
  undrawUse,
  type BucketRow,
  type InLine,
} from '../queries/quotas.ts'
import type { Decision } from '../rules/retry.ts'
import {
  allowanceAt,
  quotaOf,
  quotaSentence,
  shareOf,
  wholeOf,
  windowStart,
  type Quota,
  type Standing,
} from '../rules/quota.ts'

/** Longer than any window of a network. */
const forgottenAfterMs = 3 * 24 * 3_600_000

/** Whether Facebook takes these media as a reel, of which a page may have only so many a day. */
export function goesAsReel(media: readonly MediaRow[]): boolean {
  const [first] = media
  return first?.kind === 'video' && isReel(videoOf(first))
}

/** The target has to wait for a daily allowance: until then, and why. */
export type NoneLeft = { freesAt: Date; message: string }

/**
 * Reserves one of its network's daily allowance for a target that has not begun, or else puts it in line behind those whose
 * time came earlier; undefined: it may begin. Of workers that ask at the same moment no two get the last one. Throws
 * NetworkError where the network is asked how much is left.
 */
export async function takeAllowance(
  system: System,
  target: ClaimedTarget,
  steps: PublishSteps,
  job: PublishJob,
): Promise<NoneLeft | undefined> {
  const { quotaBucket: bucket } = target
  if (bucket === null || !system.config.networkQuotas || Object.keys(target.checkpoint).length > 0) return undefined
  const quota = quotaOf(bucket)
  const now = system.now()
  const known = await findOpenUse(system.db, everyoneScope(), target.id)
  if (known?.state === 'taken' && (known.drawnAt === null || known.drawnAt > windowStart(quota, now))) return undefined
  const said = await steps.allowance?.(job)
  return await retryOnDeadlock(system.db, async (tx) => {
    let row = await lockBucket(tx, everyoneScope(), bucket)
    if (said) {
      row = { ...row, saidLimit: said.limit, saidUsed: said.used, saidAt: now }
      await setBucket(tx, everyoneScope(), bucket, row)
    }
    const place: InLine = { targetId: target.id, since: target.scheduledAt }
    const use = { id: newId(), bucketId: bucket, userId: target.userId, targetId: target.id, since: place.since }
    const share = shareOf(bucket, target.userId)
    if (share !== null) {
      const own = allowanceAt(await shareStanding(tx, bucket, share, ownerScope(target.userId), now, place), now)
      if (own.freesAt !== null) {
        // In a line of the artist's own, which keeps nobody else waiting.
        await lockBucket(tx, everyoneScope(), share)
        await putUse(tx, everyoneScope(), { ...use, bucketId: share, state: 'waiting', drawnAt: null })
        return { freesAt: own.freesAt, message: quotaSentence(share, own.limit) }
      }
    }
    const { left, freesAt, limit } = allowanceAt(await allowanceStanding(tx, bucket, quota, row, now, place), now)
    if (left > 0 || freesAt === null) {
      await putUse(tx, everyoneScope(), { ...use, state: 'taken', drawnAt: quota.drawnBy === 'prepare' ? now : null })
      return undefined
    }
    await putUse(tx, everyoneScope(), { ...use, state: 'waiting', drawnAt: null })
    return { freesAt, message: quotaSentence(bucket, limit) }
  })
}

/** Waits shorter than this are nobody's business. */
const patienceMs = 10 * 60_000

/** What the artist is told of a post that has to wait, once however often it has to. */
export function waitingNotice(target: ClaimedTarget, none: NoneLeft, now: Date): ArtistNotice | undefined {
  if (none.freesAt.getTime() - now.getTime() < patienceMs) return undefined
  return waitingTold(target, none.message)
}

/** The same for a network that refuses for now, once the waits add up. */
export function laterNotice(target: ClaimedTarget, decision: Decision, message: string): ArtistNotice | undefined {
  if (decision.kind !== 'wait' || decision.waitedMs < patienceMs) return undefined
  return waitingTold(target, message)
}

function waitingTold(target: ClaimedTarget, message: string): ArtistNotice {
  return {
    kind: 'post_waiting',
    dedupeKey: `target ${target.id} waits for ${target.quotaBucket} ${target.scheduledAt.getTime()}`,
    title: `A post to ${target.pageName} has to wait`,
    text: `${message} It goes out by itself as soon as it can.`,
    link: `/scheduled-posts?post=${target.postId}`,
    action: 'See the post',
  }
}

/** What is known of an allowance; `place` is who asks, if somebody in line does. */
export async function allowanceStanding(
  db: Tx,
  bucket: string,
  quota: Quota,
  row: BucketRow,
  now: Date,
  place?: InLine,
): Promise<Standing> {
  const said = saidOf(row, windowStart({ days: 'rolling' }, now))
  const [drawn, flying, ahead] = await Promise.all([
    listDrawn(db, everyoneScope(), bucket, windowStart(quota, now)),
    countFlying(db, everyoneScope(), bucket),
    aheadOf(db, bucket, Math.max(quota.limit, said?.limit ?? 0), place),
  ])
  return { quota, drawn, flying, ahead, fullUntil: row.fullUntil, said }
}

/** How many stand before this one: exactly while that decides whose turn it is, beyond that about how many, which tells the day. */
async function aheadOf(db: Tx, bucket: string, limit: number, place?: InLine): Promise<number> {
  const most = limit + 1
  const counted = await countAhead(db, everyoneScope(), bucket, most, place)
  return counted < most ? counted : Math.max(most, await guessAhead(db, everyoneScope(), bucket, place))
}

/** What is known of one artist's share of everybody's allowance; in front are the artist's own, wherever they stand. */
export async function shareStanding(
  db: Tx,
  bucket: string,
  share: string,
  owner: OwnerId,
  now: Date,
  place?: InLine,
): Promise<Standing> {
  const quota = quotaOf(share)
  const [drawn, flying, before, inLine] = await Promise.all([
    listDrawn(db, everyoneScope(), bucket, windowStart(quota, now), owner),
    countFlying(db, everyoneScope(), bucket, owner),
    aheadOf(db, share, quota.limit, place),
    countAhead(db, everyoneScope(), bucket, quota.limit + 1, place, owner),
  ])
  return { quota, drawn, flying, ahead: before + inLine, fullUntil: null, said: undefined }
}

function saidOf(row: BucketRow, notBefore: Date): Standing['said'] {
  if (row.saidLimit === null || row.saidUsed === null || row.saidAt === null || row.saidAt < notBefore) return undefined
  return { limit: row.saidLimit, used: row.saidUsed, at: row.saidAt }
}

/** Whether the network may count a target from when its irreversible call leaves. */
export function isDrawnByCall({ quotaBucket }: Pick<ClaimedTarget, 'quotaBucket'>): boolean {
  return quotaBucket !== null && quotaOf(quotaBucket).drawnBy === 'publish'
}

/** The irreversible call was clearly refused, so the network counted nothing. */
export async function returnAllowance(system: System, target: ClaimedTarget): Promise<void> {
  if (!isDrawnByCall(target)) return
  await undrawUse(system.db, everyoneScope(), target.id)
}

/** The target is final: what the network counted stays counted, the rest is free again. */
export async function settleAllowance(tx: Tx, target: Pick<ClaimedTarget, 'id' | 'quotaBucket'>): Promise<void> {
  if (target.quotaBucket !== null) await endUse(tx, everyoneScope(), target.id)
}

/** An upload begins anew: where beginning is what counts, it takes another one. */
export async function renewAllowance(tx: Tx, target: ClaimedTarget): Promise<void> {
  if (target.quotaBucket !== null && quotaOf(target.quotaBucket).drawnBy === 'prepare')
    await endUse(tx, everyoneScope(), target.id)
}

/** Of YouTube's refusals, those that mean the allowance of all; others mean one channel. */
const ofEveryone = ['quotaExceeded', 'dailyLimitExceeded']

/** The network itself says that nothing is left: nobody else needs to try before `until`, and this target goes back in line. */
export async function closeAllowance(
  system: System,
  target: ClaimedTarget,
  refusal: { code: string; retryAt: Date },
): Promise<void> {
  const { quotaBucket: bucket } = target
  if (bucket === null || !system.config.networkQuotas) return
  if (quotaOf(bucket).whose === 'everyone' && !ofEveryone.includes(refusal.code)) return
  await retryOnDeadlock(system.db, async (tx) => {
    const { fullUntil } = await lockBucket(tx, everyoneScope(), bucket)
    if (fullUntil === null || fullUntil < refusal.retryAt)
      await setBucket(tx, everyoneScope(), bucket, { fullUntil: refusal.retryAt })
    if (Object.keys(target.checkpoint).length > 0) return
    await putUse(tx, everyoneScope(), {
      id: newId(),
      bucketId: bucket,
      userId: target.userId,
      targetId: target.id,
      state: 'waiting',
      since: target.scheduledAt,
      drawnAt: null,
    })
  })
}

/**
 * Calls who is first in line when there is some left for them: places tell about when it is whose turn, and those who left the line
 * early make that too late. Answers how many it called.
 */
export async function callWaiting(system: System): Promise<number> {
  if (!system.config.networkQuotas) return 0
  let called = 0
  for (const { bucketId, userId } of await listLines(system.db, everyoneScope())) {
    called += await retryOnDeadlock(system.db, async (tx) => {
      const now = system.now()
      const row = await lockBucket(tx, everyoneScope(), bucketId)
      const whole = wholeOf(bucketId)
      const standing =
        whole !== null && userId !== null
          ? await shareStanding(tx, whole, bucketId, ownerScope(userId), now)
          : await allowanceStanding(tx, bucketId, quotaOf(bucketId), row, now)
      const { left } = allowanceAt({ ...standing, ahead: 0 }, now)
      const ids = left > 0 ? await callFirst(tx, everyoneScope(), bucketId, left, now) : []
      for (const id of ids) await enqueuePublish(system, tx, { id, at: now }, 'planned')
      return ids.length
    })
  }
  return called
}

/** Deletes uses that are older than any window. */
export async function tidyAllowances(system: System): Promise<void> {
  await dropOldUses(system.db, everyoneScope(), new Date(system.now().getTime() - forgottenAfterMs))
}
