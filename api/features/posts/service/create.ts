import { retryOnDeadlock } from '@flashsheet/db/retry-on-deadlock'
import { isEntitled } from '@flashsheet/contracts/plans'
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
import { findByRequest, insertPost, isOfDeletedPost, insertPostMedia, lockMayPublish } from '../queries/posts.ts'
import { insertTargets, listTargets } from '../queries/targets.ts'
import { insertQueuePlaces } from '../queries/queue.ts'
import { bucketOf } from '../rules/quota.ts'
import {
  ownOptions,
  ownPage,
  pageProblem,
  refuse,
  refuseCrops,
  refuseMedia,
  refusePages,
  refuseTime,
  requestText,
  type NamedPage,
  type TimeField,
} from '../rules/compose.ts'
import { postResult } from '../view.ts'
import { isPostedAsReel } from './quota.ts'
import { reserveSlot } from './queue.ts'
import { readPost } from './read.ts'

/**
 * Creates a post to every picked page, now or later (`POST /api/posts`, `POST /api/posts/schedule`); outcomes follow by SSE. A repeat with
 * the same request id returns the first result. Throws invalid, and conflict for a request id used for another post or one deleted since.
 */
export async function createPost(ctx: SubscriberCtx, input: CreatePostInput | SchedulePostInput): Promise<PostResult> {
  return await createFrom(ctx, input, { requestId: input.requestId ?? newId(), requestText: requestText(input) })
}

/** `scheduledAt`: an instant, or the next free slot; without it the post is due at once. */
export type PostFields = Pick<CreatePostInput, 'mediaIds' | 'variants' | 'toGallery'> & { scheduledAt?: string }
/** Identifies a repeated request: its id, and the text whose hash is stored. */
export type RequestIdentity = { requestId: string; requestText: string }

/** Creates a post once per request; `inTransaction` runs in its transaction. Throws as `createPost`, with `timeField` for a time in the past. */
export async function createFrom(
  ctx: SubscriberCtx,
  input: PostFields,
  request: RequestIdentity,
  inTransaction?: (tx: Tx) => Promise<void>,
  timeField?: TimeField,
): Promise<PostResult> {
  const earlier = await resultOfRequest(ctx, request)
  if (earlier) return earlier
  if (input.toGallery && !isEntitled(ctx.user.subscription, 'studio')) throw forbidden('plan', errorMessages.plan)
  const now = ctx.now()
  const isQueued = input.scheduledAt === nextSlot
  const requestedAt = input.scheduledAt === undefined || isQueued ? undefined : new Date(input.scheduledAt)
  if (requestedAt) refuseTime(requestedAt, now, timeField)
  const at = isQueued ? nextSlot : requestedAt && requestedAt > now ? requestedAt : now
  const details: PostDetails = { requestId: request.requestId, requestHash: sha256(request.requestText), at, now }
  const created = await retryOnDeadlock(ctx.db, async (tx) => {
    const result = await insertAll(ctx, tx, input, details)
    if (result) await inTransaction?.(tx)
    return result
  })
  if (created) return created
  // A concurrent request with the same id was faster, and its post is committed by now.
  const duplicate = await resultOfRequest(ctx, request)
  if (!duplicate) throw conflict(postMessages.requestReused)
  return duplicate
}

/** The result of an earlier request with this id; undefined for a new one. Throws conflict for an id used for another post. */
export async function resultOfRequest(ctx: SubscriberCtx, request: RequestIdentity): Promise<PostResult | undefined> {
  const post = await findByRequest(ctx.db, ctx.owner, request.requestId)
  if (!post) return undefined
  if (post.requestHash !== sha256(request.requestText)) throw conflict(postMessages.requestReused)
  return postResult(post, await listTargets(ctx.db, ctx.owner, [post.id]))
}

/** Why nothing can be posted to these pages: one is not the artist's, or is given twice. */
export async function problemOfPages(
  ctx: SubscriberCtx,
  tx: Tx,
  pages: readonly NamedPage[],
): Promise<string | undefined> {
  return pages.length === 0 ? undefined : pageProblem(pages, await connectedPages(tx, ctx.owner))
}

type PostDetails = { requestId: string; requestHash: string; at: Date | typeof nextSlot; now: Date }

/** Inserts a post's rows and jobs; undefined when a concurrent request has used the id. */
async function insertAll(
  ctx: SubscriberCtx,
  tx: Tx,
  input: PostFields,
  details: PostDetails,
): Promise<PostResult | undefined> {
  const { requestId, requestHash, at, now } = details
  const media = await lockMediaForUse(tx, ctx.owner, input.mediaIds)
  if (media.length < input.mediaIds.length) refuse('mediaIds', postMessages.mediaUnknown)
  const kinds = media.map((item) => item.kind)
  refuseMedia(kinds)
  const pages = await connectedPages(tx, ctx.owner)
  const video = media.filter((item) => item.kind === 'video').map(videoOf)[0]
  refusePages(input.variants, pages, kinds, video)
  refuseCrops(input.variants, kinds)

  const isReel = isPostedAsReel(media)
  const slot = at === nextSlot ? await reserveSlot(ctx, tx, input.variants) : undefined
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
  // After the insert, which waits for a deletion of the first post.
  if (await isOfDeletedPost(tx, ctx.owner, requestId)) throw conflict(postMessages.deletedMeanwhile)
  const postMedia = media.map(({ id: mediaId, kind, fileName, thumbnailKey }, position) => {
    return { postId, position, mediaId, kind, fileName, thumbnailKey }
  })
  await insertPostMedia(tx, postMedia)
  // The subscription may have ended since the guard checked it. Ending it takes the same lock, so it is visible here or follows this transaction.
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
  // The inserts' foreign keys lock the accounts, so a disconnection is either committed by now or waits for this transaction.
  refusePages(input.variants, await connectedPages(tx, ctx.owner), kinds, video)
  for (const target of targets)
    await enqueuePublish(ctx, tx, { id: target.id, at: dueAt }, dueAt > now ? 'planned' : 'asked')
  await notifyLive(tx, { owner: ctx.owner, topic: 'posts', id: postId })
  await emitEvent(ctx, tx, ctx.owner, 'post.scheduled', async () => await readPost(tx, ctx.owner, postId))
  return postResult(post, await listTargets(tx, ctx.owner, [postId]))
}
