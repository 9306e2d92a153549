import { retryOnDeadlock } from '@flashsheet/db/retry-on-deadlock'
import { opens } from '@flashsheet/contracts/plans'
import { errorMessages } from '@flashsheet/contracts/errors/messages'
import { postMessages } from '@flashsheet/contracts/posts/messages'
import type { CreatePostInput, PostResult, SchedulePostInput } from '@flashsheet/contracts/posts/schema'
import { nextSlot } from '@flashsheet/contracts/queue/limits'
import type { Tx } from '@flashsheet/db/client'
import { notifyLive } from '@flashsheet/db/live'
import type { SubscriberCtx } from '../../../core/context.ts'
import { sha256 } from '../../../core/crypto.ts'
import { conflict, forbidden } from '../../../core/errors.ts'
import { newId } from '../../../core/ids.ts'
import { videoOf, lockMediaForUse } from '../../media/service/list.ts'
import { emitEvent } from '../../webhooks/service/emit.ts'
import { connectedPages } from '../../social/service/accounts.ts'
import { enqueuePublish } from '../jobs.ts'
import { findByRequest, insertPost, insertPostMedia, lockMayPublish } from '../queries/posts.ts'
import { insertTargets, listTargets } from '../queries/targets.ts'
import { insertQueuePlaces } from '../queries/queue.ts'
import { bucketOf } from '../rules/quota.ts'
import {
  ownOptions,
  ownPage,
  refuse,
  refuseCrops,
  refuseMedia,
  refusePages,
  refuseTime,
  requestText,
} from '../rules/compose.ts'
import { postResult } from '../view.ts'
import { isPostedAsReel } from './quota.ts'
import { takeSlot } from './queue.ts'
import { readPost } from './read.ts'

/**
 * Posts to every picked page, at once or at a time to come (`POST /api/posts`, `POST /api/posts/schedule`); the outcome of each follows by
 * SSE. A repeat with the same request id answers the first result. Throws invalid, and conflict for a request id used for another post.
 */
export async function createPost(ctx: SubscriberCtx, input: CreatePostInput | SchedulePostInput): Promise<PostResult> {
  // A caller who sends no id cannot repeat itself, so this call gets one of its own.
  return await createFrom(ctx, input, { requestId: input.requestId ?? newId(), requestText: requestText(input) })
}

/** What is to be posted: at an instant, or at the next free slot; without a time it goes out at once. */
export type PostFields = Pick<CreatePostInput, 'mediaIds' | 'variants' | 'toGallery'> & { scheduledAt?: string }
/** What identifies a repeated request: its id, and the text whose hash is stored. */
export type RequestIdentity = { requestId: string; requestText: string }

/** Makes a post of one request, once; `inTransaction` runs with its rows. Throws as `createPost`. */
export async function createFrom(
  ctx: SubscriberCtx,
  input: PostFields,
  request: RequestIdentity,
  inTransaction?: (tx: Tx) => Promise<void>,
): Promise<PostResult> {
  const known = await resultOfRequest(ctx, request)
  if (known) return known
  if (input.toGallery && !opens(ctx.user.subscription, 'studio')) throw forbidden('plan', errorMessages.plan)
  const now = ctx.now()
  const isQueued = input.scheduledAt === nextSlot
  const asked = input.scheduledAt === undefined || isQueued ? undefined : new Date(input.scheduledAt)
  if (asked) refuse(refuseTime(asked, now))
  const at = isQueued ? nextSlot : asked && asked > now ? asked : now
  const making: Making = { requestId: request.requestId, requestHash: sha256(request.requestText), at, now }
  const made = await retryOnDeadlock(ctx.db, async (tx) => {
    const result = await insertAll(ctx, tx, input, making)
    if (result) await inTransaction?.(tx)
    return result
  })
  if (made) return made
  // A concurrent request with the same id was faster; its post is committed by now.
  const duplicate = await resultOfRequest(ctx, request)
  if (!duplicate) throw conflict(postMessages.requestReused)
  return duplicate
}

/** What a request that was answered before came to; undefined for a new one. Throws conflict for an id used for another. */
export async function resultOfRequest(ctx: SubscriberCtx, request: RequestIdentity): Promise<PostResult | undefined> {
  const known = await findByRequest(ctx.db, ctx.owner, request.requestId)
  if (!known) return undefined
  if (known.requestHash !== sha256(request.requestText)) throw conflict(postMessages.requestReused)
  return postResult(known, await listTargets(ctx.db, ctx.owner, [known.id]))
}

type Making = { requestId: string; requestHash: string; at: Date | typeof nextSlot; now: Date }

/** Rows and jobs, all or nothing; undefined when the request id was taken meanwhile. */
async function insertAll(
  ctx: SubscriberCtx,
  tx: Tx,
  input: PostFields,
  making: Making,
): Promise<PostResult | undefined> {
  const { requestId, requestHash, at, now } = making
  const media = await lockMediaForUse(tx, ctx.owner, input.mediaIds)
  if (media.length < input.mediaIds.length) refuse({ field: 'mediaIds', message: postMessages.mediaUnknown })
  const kinds = media.map((item) => item.kind)
  refuse(refuseMedia(kinds))
  const pages = await connectedPages(tx, ctx.owner)
  const video = media.filter((item) => item.kind === 'video').map(videoOf)[0]
  refuse(refusePages(input.variants, pages, kinds, video))
  refuse(refuseCrops(input.variants, kinds))

  const isReel = isPostedAsReel(media)
  const slot = at === nextSlot ? await takeSlot(ctx, tx, input.variants) : undefined
  const { slotAt: scheduledAt, dueAt } = slot ?? { slotAt: at as Date, dueAt: at as Date }
  const postId = newId()
  const post = {
    id: postId,
    userId: ctx.owner,
    status: 'scheduled' as const,
    scheduledAt,
    timeZone: ctx.user.timeZone,
    requestId,
    requestHash,
    toGallery: input.toGallery ?? false,
  }
  if (!(await insertPost(tx, { ...post, createdAt: now, updatedAt: now }))) return undefined
  const postMedia = media.map(({ id: mediaId, kind, fileName, thumbnailKey }, position) => {
    return { postId, position, mediaId, kind, fileName, thumbnailKey }
  })
  await insertPostMedia(tx, postMedia)
  // The subscription may have ended since the guard checked it. Ending it takes the same lock: it is either visible here or comes after this transaction.
  const held = !(await lockMayPublish(tx, ctx.owner))
  const targets = input.variants.map((variant) => ({
    id: newId(),
    held,
    postId,
    userId: ctx.owner,
    platform: variant.platform,
    accountId: variant.socialAccountId,
    pageId: variant.pageId,
    pageName: ownPage(variant, pages)?.name ?? variant.pageId,
    title: variant.title,
    message: variant.message,
    options: ownOptions(variant.platform, variant.options),
    crops: variant.crops?.some(Boolean) ? variant.crops : null,
    quotaBucket: bucketOf(variant.platform, variant.pageId, isReel),
    phase: 'scheduled' as const,
    dueAt,
    checkpoint: {},
    createdAt: now,
    updatedAt: now,
  }))
  await insertTargets(tx, targets)
  if (slot) {
    const { slotAt } = slot
    const placeOf = ({ id, userId, accountId, pageId }: (typeof targets)[number]) => {
      return { targetId: id, userId, accountId, pageId, slotAt }
    }
    await insertQueuePlaces(tx, targets.map(placeOf))
  }
  // The foreign keys of the insert lock the accounts: a disconnection is either finished by now or waits for this transaction.
  refuse(refusePages(input.variants, await connectedPages(tx, ctx.owner), kinds, video))
  for (const target of targets)
    await enqueuePublish(ctx, tx, { id: target.id, at: dueAt }, dueAt > now ? 'planned' : 'asked')
  await notifyLive(tx, { owner: ctx.owner, topic: 'posts', id: postId })
  await emitEvent(ctx, tx, ctx.owner, 'post.scheduled', async () => await readPost(tx, ctx.owner, postId))
  return postResult(post, await listTargets(tx, ctx.owner, [postId]))
}
