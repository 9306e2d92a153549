import { mediaLimits } from '@flashsheet/contracts/media/limits'
import type { MediaId, MediaItem, MediaUsage } from '@flashsheet/contracts/media/schema'
import type { VideoProperties } from '@flashsheet/contracts/video'
import type { Tx } from '@flashsheet/db/client'
import type { SubscriberCtx } from '../../../core/context.ts'
import { notFound } from '../../../core/errors.ts'
import type { OwnerId } from '../../../core/scope.ts'
import { countItems, findItem, holdItems, listItems, type MediaRow } from '../queries/items.ts'
import { mediaItemView } from '../view.ts'

/** The caller's library, newest first (`GET /api/media`). */
export async function listMedia(ctx: SubscriberCtx): Promise<MediaItem[]> {
  return (await listItems(ctx.db, ctx.owner)).map(mediaItemView)
}

/** One item of the caller's library. Throws notFound. */
export async function getMedia(ctx: SubscriberCtx, input: MediaId): Promise<MediaItem> {
  const item = await findItem(ctx.db, ctx.owner, input.id)
  if (!item) throw notFound()
  return mediaItemView(item)
}

/** How full the caller's library is: 'Your Media Library (n/100)'. */
export async function mediaUsage(ctx: SubscriberCtx): Promise<MediaUsage> {
  return { count: await countItems(ctx.db, ctx.owner), capacity: mediaLimits.libraryItems }
}

/**
 * For what points at items: those of these ids, in the order asked, held so that nobody deletes them before the transaction
 * ends. Ids that are not in the owner's library are left out: fewer rows than ids means some are gone.
 */
export async function holdMedia(tx: Tx, owner: OwnerId, ids: readonly string[]): Promise<MediaRow[]> {
  const rows = new Map((await holdItems(tx, owner, ids)).map((row) => [row.id, row]))
  return ids.flatMap((id) => rows.get(id) ?? [])
}

/** A video of the library, as the rules of the networks read it. */
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
