import { mediaMessages } from '@flashsheet/contracts/media/messages'
import { retryOnDeadlock } from '@flashsheet/db/retry-on-deadlock'
import type { MediaIds, MediaItem } from '@flashsheet/contracts/media/schema'
import { galleryMessages } from '@flashsheet/contracts/website/messages'
import type { DescribeGalleryItem, Gallery, GalleryItem, SetFlash } from '@flashsheet/contracts/website/schema'
import type { Tx } from '@flashsheet/db/client'
import { notifyLive } from '@flashsheet/db/live'
import type { IncomingMessage } from 'node:http'
import type { StudioCtx, System } from '../../../core/context.ts'
import { newToken } from '../../../core/crypto.ts'
import { notFound } from '../../../core/errors.ts'
import { newId } from '../../../core/ids.ts'
import type { OwnerId, PublicSite } from '../../../core/scope.ts'
import { lockMediaForUse } from '../../media/service/list.ts'
import type { FormRequest } from '../../media/service/form-requests.ts'
import { receiveForm } from '../../media/service/receive-form.ts'
import { makeRenditionsQueue, removeRenditionsQueue } from '../jobs.ts'
import {
  appendGalleryRows,
  deleteGalleryRows,
  listGalleryRows,
  listPublicGalleryRows,
  setOrder,
  updateEntry,
} from '../queries/gallery.ts'
import { touchSite } from '../queries/sites.ts'
import { galleryItemView, galleryView, publicWorkView, type PublicWork } from '../view.ts'

/** The media ids of an artist's gallery, in the artist's order. */
export async function galleryOf(db: Tx, owner: OwnerId): Promise<Gallery> {
  return galleryView(await listGalleryRows(db, owner))
}

/** The gallery that an artist's public pages show, in the artist's order: entries whose renditions are made. */
export async function publicGalleryOf(db: Tx, owner: OwnerId | PublicSite): Promise<PublicWork[]> {
  return (await listPublicGalleryRows(db, owner)).map(publicWorkView)
}

/** The caller's gallery, including entries that are not public yet. */
export async function listGallery(ctx: StudioCtx): Promise<GalleryItem[]> {
  return (await listGalleryRows(ctx.db, ctx.owner)).map(galleryItemView)
}

/**
 * Appends items of the caller's library to the gallery, in this order. Skips items that are in the gallery already or
 * not in the library; throws notFound when none is in the library.
 */
export async function addToGallery(ctx: StudioCtx, input: MediaIds): Promise<Gallery> {
  return await retryOnDeadlock(ctx.db, async (tx) => {
    const items = await lockMediaForUse(tx, ctx.owner, input.ids)
    if (items.length === 0) throw notFound(mediaMessages.gone)
    await append(ctx, tx, ctx.owner, items)
    return await galleryOf(tx, ctx.owner)
  })
}

/**
 * Removes items from the gallery, but not from the library. Skips those not in it. They are no longer public at once.
 */
export async function removeFromGallery(ctx: StudioCtx, input: MediaIds): Promise<Gallery> {
  return await retryOnDeadlock(ctx.db, async (tx) => {
    const removed = await deleteGalleryRows(tx, ctx.owner, input.ids)
    for (const { id, mediaId } of removed)
      await ctx.jobs.send(tx, removeRenditionsQueue, { galleryItemId: id, mediaId })
    if (removed.length > 0) await notifySiteChange(ctx, tx, ctx.owner)
    return await galleryOf(tx, ctx.owner)
  })
}

/** Moves these items to the front, in this order; the others follow in their previous order. Skips unknown ids. */
export async function reorderGallery(ctx: StudioCtx, input: MediaIds): Promise<Gallery> {
  return await retryOnDeadlock(ctx.db, async (tx) => {
    const { gallery } = await galleryOf(tx, ctx.owner)
    await setOrder(tx, ctx.owner, [...new Set([...input.ids, ...gallery])])
    await notifySiteChange(ctx, tx, ctx.owner)
    return await galleryOf(tx, ctx.owner)
  })
}

/** Sets an entry's alternative text. Throws notFound when it is not in the caller's gallery. */
export async function describeGalleryItem(
  ctx: StudioCtx,
  { id, altText }: DescribeGalleryItem,
): Promise<GalleryItem[]> {
  return await changeEntry(ctx, id, { altText })
}

/** Sets, changes or clears (null) an entry's flash. Throws notFound when it is not in the caller's gallery. */
export async function setGalleryFlash(ctx: StudioCtx, { id, flash }: SetFlash): Promise<GalleryItem[]> {
  return await changeEntry(ctx, id, { flash })
}

async function changeEntry(
  ctx: StudioCtx,
  id: string,
  change: Parameters<typeof updateEntry>[3],
): Promise<GalleryItem[]> {
  return await retryOnDeadlock(ctx.db, async (tx) => {
    if (!(await updateEntry(tx, ctx.owner, id, change))) throw notFound(galleryMessages.notInGallery)
    await notifySiteChange(ctx, tx, ctx.owner)
    return (await listGalleryRows(tx, ctx.owner)).map(galleryItemView)
  })
}

/**
 * Takes all or none of a form's files into the library, and its pictures into the gallery too
 * (`/api/websitebuilder/upload`).
 */
export async function receiveForGallery(
  ctx: StudioCtx,
  request: IncomingMessage,
  form: FormRequest,
): Promise<MediaItem[]> {
  return await receiveForm(
    ctx,
    request,
    form,
    async (tx, added) => await append(ctx, tx, ctx.owner, added.filter(isPicture)),
  )
}

/** Appends the pictures among a published post's items to the artist's gallery. */
export async function showOnWebsite(
  system: System,
  tx: Tx,
  owner: OwnerId,
  mediaIds: readonly string[],
): Promise<void> {
  const items = await lockMediaForUse(tx, owner, mediaIds)
  await append(system, tx, owner, items.filter(isPicture))
}

const isPicture = ({ kind }: { kind: 'image' | 'video' }) => kind === 'image'

async function append(system: System, tx: Tx, owner: OwnerId, items: readonly { id: string }[]): Promise<void> {
  const createdAt = system.now()
  const added = await appendGalleryRows(
    tx,
    owner,
    items.map((item) => ({ id: newId(), mediaId: item.id, token: newToken(), createdAt })),
  )
  for (const id of added) await system.jobs.send(tx, makeRenditionsQueue, { galleryItemId: id })
  if (added.length > 0) await notifySiteChange(system, tx, owner)
}

/** Records that the public pages changed, for search engines, and drops them from page caches. */
export async function notifySiteChange(system: System, tx: Tx, owner: OwnerId): Promise<void> {
  await touchSite(tx, owner, system.now())
  await notifyLive(tx, { owner, topic: 'media' })
}
