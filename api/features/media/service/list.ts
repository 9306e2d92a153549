import { mediaLimits } from '@flashsheet/contracts/media/limits'
import type { IdParam } from '@flashsheet/contracts/input'
import type { ListMediaInput, MediaItem, MediaUsage } from '@flashsheet/contracts/media/schema'
import type { VideoProperties } from '@flashsheet/contracts/video'
import type { Tx } from '@flashsheet/db/client'
import type { SubscriberCtx } from '../../../core/context.ts'
import { anchorOf, pageOf, type Anchor, type Page } from '../../../core/cursor.ts'
import { notFound } from '../../../core/errors.ts'
import type { OwnerId } from '../../../core/scope.ts'
import { countItems, findItem, lockItemsForUse, listItems, type MediaRow } from '../queries/items.ts'
import { mediaItemView } from '../view.ts'

/** The caller's library, newest first, a page of it (`GET /api/media`). A library is small enough to be read whole. */
export async function pageOfMedia(ctx: SubscriberCtx, input: ListMediaInput): Promise<Page<MediaItem>> {
  const after = anchorOf(input.cursor)
  const isBehind = ({ createdAt, id }: MediaRow, { at, id: last }: Anchor) =>
    createdAt < at || (createdAt.getTime() === at.getTime() && id < last)
  const rows = (await listItems(ctx.db, ctx.owner)).filter((row) => !after || isBehind(row, after))
  const { items, next } = pageOf(rows, input.limit, ({ createdAt, id }) => ({ at: createdAt, id }))
  return { items: items.map(mediaItemView), next }
}

/** The same without the way on. */
export async function listMedia(ctx: SubscriberCtx, input: ListMediaInput): Promise<MediaItem[]> {
  return (await pageOfMedia(ctx, input)).items
}

/** One item of the caller's library. Throws notFound. */
export async function getMedia(ctx: SubscriberCtx, input: IdParam): Promise<MediaItem> {
  const item = await findItem(ctx.db, ctx.owner, input.id)
  if (!item) throw notFound()
  return mediaItemView(item)
}

/** How full the caller's library is: 'Your Media Library (n/100)'. */
export async function mediaUsage(ctx: SubscriberCtx): Promise<MediaUsage> {
  return { count: await countItems(ctx.db, ctx.owner), capacity: mediaLimits.libraryItems }
}

/**
 * For slices that reference items: the items with these ids, in order, locked against deletion until the transaction
 * ends. Ids outside the owner's library are left out: fewer rows than ids means that some are deleted.
 */
export async function lockMediaForUse(tx: Tx, owner: OwnerId, ids: readonly string[]): Promise<MediaRow[]> {
  const rows = new Map((await lockItemsForUse(tx, owner, ids)).map((row) => [row.id, row]))
  return ids.flatMap((id) => rows.get(id) ?? [])
}

/** The facts of a video for the networks' rules. */
export function videoOf({ bytes, mimeType, width, height, durationMs, videoFacts }: MediaRow): VideoProperties {
  const { codec = null, audioCodec = null, fps = null } = videoFacts ?? {}
  return {
    bytes,
    mimeType,
    width,
    height,
    seconds: durationMs === null ? null : durationMs / 1000,
    codec,
    audioCodec,
    fps,
  }
}
