import { mediaMessages } from '@flashsheet/contracts/media/messages'
import { retryOnDeadlock } from '@flashsheet/db/retry-on-deadlock'
import type { MediaIds } from '@flashsheet/contracts/media/schema'
import type { Tx } from '@flashsheet/db/client'
import { notifyLive } from '@flashsheet/db/live'
import type { SubscriberCtx, System } from '../../../core/context.ts'
import { notFound } from '../../../core/errors.ts'
import { everyoneScope, type OwnerId } from '../../../core/scope.ts'
import { removeFilesQueue } from '../jobs.ts'
import { deleteItems, existingItems, listOwnedIds, lockItemsForDeletion, thumbnailsOfPosts } from '../queries/items.ts'
import { itemFolder, itemIdIn } from './keys.ts'

/**
 * Deletes items of the caller's library and returns how many; ids that are not in it are skipped (`DELETE /api/media`).
 * Throws notFound when none is, and whatever the hook `mediaDeleting` throws (409 with the posts that still need an
 * item).
 */
export async function removeMedia(ctx: SubscriberCtx, input: MediaIds): Promise<{ deleted: number }> {
  return await retryOnDeadlock(ctx.db, async (tx) => {
    const mediaIds = await lockItemsForDeletion(tx, ctx.owner, input.ids)
    if (mediaIds.length === 0) throw notFound(mediaMessages.gone)
    await ctx.hooks.run('mediaDeleting', ctx, tx, { owner: ctx.owner, mediaIds })
    await deleteItems(tx, ctx.owner, mediaIds)
    await ctx.jobs.send(tx, removeFilesQueue, { mediaIds })
    await notifyLive(tx, { owner: ctx.owner, topic: 'media' })
    return { deleted: mediaIds.length }
  })
}

/** Deletes the files of deleted items, except thumbnails that posts still show. Idempotent. */
export async function removeFiles(system: System, mediaIds: readonly string[]): Promise<void> {
  const { storage } = system.gateways
  const existing = new Set(await existingItems(system.db, everyoneScope(), mediaIds))
  for (const id of mediaIds) {
    if (existing.has(id)) continue
    const keys = await storage.list(itemFolder(id))
    const shown = await thumbnailsOfPosts(system.db, everyoneScope(), keys)
    for (const key of keys) if (!shown.has(key)) await storage.remove(key)
    await storage.partialUploads.remove(id)
  }
}

/**
 * For thumbnails that posts no longer show: queues the deletion of their items' files, which spares existing items, in
 * the caller's transaction.
 */
export async function releaseThumbnails(system: System, tx: Tx, keys: readonly string[]): Promise<void> {
  const ids = new Set(keys.flatMap((key) => itemIdIn(key) ?? []))
  if (ids.size > 0) await system.jobs.send(tx, removeFilesQueue, { mediaIds: [...ids] })
}

/** For the hook `accountPurging`: queues the deletion of the artist's files, unfinished uploads included. */
export async function removeAllMedia(system: System, tx: Tx, fact: { owner: OwnerId }): Promise<void> {
  const ids = await listOwnedIds(tx, fact.owner)
  if (ids.length > 0) await system.jobs.send(tx, removeFilesQueue, { mediaIds: ids })
}
