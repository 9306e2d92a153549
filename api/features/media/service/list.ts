import { mediaMessages } from '@flashsheet/contracts/media/messages'
import { mediaLimits } from '@flashsheet/contracts/media/limits'
import type { IdParam } from '@flashsheet/contracts/input'
import type { ListMediaInput, MediaItem, MediaUsage } from '@flashsheet/contracts/media/schema'
import type { VideoProperties } from '@flashsheet/contracts/video'
import type { Tx } from '@flashsheet/db/client'
import type { SubscriberCtx } from '../../../core/context.ts'
import { cursorsOf, type Anchor, type Page } from '../../../core/cursor.ts'
import { notFound } from '../../../core/errors.ts'
import type { OwnerId } from '../../../core/scope.ts'
import { countItems, findItem, lockItemsForUse, listItems, type MediaRow } from '../queries/items.ts'
import { inOrder } from '../rules/in-order.ts'
import { mediaItemView } from '../view.ts'

/** A page of the caller's library, newest first (`GET /api/media`). Reads the whole library, which is small. */
export async function pageOfMedia(ctx: SubscriberCtx, input: ListMediaInput): Promise<Page<MediaItem>> {
  const cursors = cursorsOf('media', ctx.owner)
  const after = cursors.anchorOf(input.cursor)
  const isAfter = ({ createdAt, id }: MediaRow, { at, id: last }: Anchor) =>
    createdAt < at || (createdAt.getTime() === at.getTime() && id < last)
  const rows = (await listItems(ctx.db, ctx.owner)).filter((row) => !after || isAfter(row, after))
  const { items, next } = cursors.pageOf(rows, input.limit, ({ createdAt, id }) => ({ at: createdAt, id }))
  return { items: items.map(mediaItemView), next }
}

/** One item of the caller's library. Throws notFound. */
export async function getMedia(ctx: SubscriberCtx, input: IdParam): Promise<MediaItem> {
  const item = await findItem(ctx.db, ctx.owner, input.id)
  if (!item) throw notFound(mediaMessages.gone)
  return mediaItemView(item)
}

/** The number of items in the caller's library, and its limit. */
export async function getMediaUsage(ctx: SubscriberCtx): Promise<MediaUsage> {
  return { count: await countItems(ctx.db, ctx.owner), capacity: mediaLimits.libraryItems }
}

/**
 * For slices that reference items: the items with these ids, in order, locked against deletion until the transaction
 * ends. Fewer rows than ids: some items are deleted, or not the owner's.
 */
export async function lockMediaForUse(tx: Tx, owner: OwnerId, ids: readonly string[]): Promise<MediaRow[]> {
  return inOrder(ids, await lockItemsForUse(tx, owner, ids))
}

/** A video's properties that the networks' rules check. */
export function videoOf({ bytes, mimeType, width, height, durationMs, videoFacts }: MediaRow): VideoProperties {
  const { codec = null, audioCodec = null, fps = null } = videoFacts ?? {}
  const seconds = durationMs === null ? null : durationMs / 1000
  return { bytes, mimeType, width, height, seconds, codec, audioCodec, fps }
}
