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
import { enqueueMakeRenditions, enqueueRemoveRenditions } from '../jobs.ts'
import { appendRows, deleteRows, listGalleryRows, listPublicRows, setOrder, updateEntry } from '../queries/gallery.ts'
import { touchSite } from '../queries/sites.ts'
import { galleryItemView, galleryView, publicGalleryItemView, type PublicGalleryItem } from '../view.ts'

/** The media ids of an artist's gallery, in the artist's order. */
export async function galleryOf(db: Tx, owner: OwnerId): Promise<Gallery> {
  return galleryView(await listGalleryRows(db, owner))
}

/** What an artist's public pages can show, in the artist's order; an entry appears once its pictures are made. */
export async function publicGalleryOf(db: Tx, owner: OwnerId | PublicSite): Promise<PublicGalleryItem[]> {
  return (await listPublicRows(db, owner)).map(publicGalleryItemView)
}

/** The caller's gallery with what only its artist needs. */
export async function listGallery(ctx: StudioCtx): Promise<GalleryItem[]> {
  return (await listGalleryRows(ctx.db, ctx.owner)).map(galleryItemView)
}

/**
 * Puts items of the caller's library at the end of the gallery, in the order asked; those already in it, and those no longer
 * in the library, are skipped. Throws notFound when none is in the library.
 */
export async function addToGallery(ctx: StudioCtx, input: MediaIds): Promise<Gallery> {
  return await retryOnDeadlock(ctx.db, async (tx) => {
    const items = await lockMediaForUse(tx, ctx.owner, input.ids)
    if (items.length === 0) throw notFound()
    await append(ctx, tx, ctx.owner, items)
    return await galleryOf(tx, ctx.owner)
  })
}

/** Takes items out of the gallery, not out of the library; those not in it are skipped. The public loses them at once. */
export async function removeFromGallery(ctx: StudioCtx, input: MediaIds): Promise<Gallery> {
  return await retryOnDeadlock(ctx.db, async (tx) => {
    const removed = await deleteRows(tx, ctx.owner, input.ids)
    for (const { id, mediaId } of removed) await enqueueRemoveRenditions(ctx, tx, { galleryItemId: id, mediaId })
    if (removed.length > 0) await notifySiteChange(ctx, tx, ctx.owner)
    return await galleryOf(tx, ctx.owner)
  })
}

/** Puts the gallery into this order; entries that are not named keep theirs behind the named ones, and unknown ids are skipped. */
export async function reorderGallery(ctx: StudioCtx, input: MediaIds): Promise<Gallery> {
  return await retryOnDeadlock(ctx.db, async (tx) => {
    const { gallery } = await galleryOf(tx, ctx.owner)
    await setOrder(tx, ctx.owner, [...new Set([...input.ids, ...gallery])])
    await notifySiteChange(ctx, tx, ctx.owner)
    return await galleryOf(tx, ctx.owner)
  })
}

/** Says what an entry shows, for those who cannot see it. Throws notFound when it is not in the caller's gallery. */
export async function describeGalleryItem(
  ctx: StudioCtx,
  { id, altText }: DescribeGalleryItem,
): Promise<GalleryItem[]> {
  return await changeEntry(ctx, id, { altText })
}

/** Marks an entry as flash, changes that, or ends it. Throws notFound when it is not in the caller's gallery. */
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

/** Takes files into the library like the media upload, and its pictures into the gallery, all or nothing (`/api/websitebuilder/upload`). */
export async function receiveForGallery(
  ctx: StudioCtx,
  request: IncomingMessage,
  asked: FormRequest,
): Promise<MediaItem[]> {
  return await receiveForm(
    ctx,
    request,
    asked,
    async (tx, added) =>
      await append(
        ctx,
        tx,
        ctx.owner,
        added.filter((item) => item.kind === 'image'),
      ),
  )
}

/** Puts the pictures among these items of an artist's library at the end of the gallery; for a post that went out. */
export async function showOnWebsite(
  system: System,
  tx: Tx,
  owner: OwnerId,
  mediaIds: readonly string[],
): Promise<void> {
  const items = await lockMediaForUse(tx, owner, mediaIds)
  await append(
    system,
    tx,
    owner,
    items.filter((item) => item.kind === 'image'),
  )
}

async function append(system: System, tx: Tx, owner: OwnerId, items: readonly { id: string }[]): Promise<void> {
  const createdAt = system.now()
  const added = await appendRows(
    tx,
    owner,
    items.map((item) => ({ id: newId(), mediaId: item.id, token: newToken(), createdAt })),
  )
  for (const id of added) await enqueueMakeRenditions(system, tx, id)
  if (added.length > 0) await notifySiteChange(system, tx, owner)
}

/** The public page is another one now: search engines read when it last changed, and whoever keeps it drops it. */
export async function notifySiteChange(system: System, tx: Tx, owner: OwnerId): Promise<void> {
  await touchSite(tx, owner, system.now())
  await notifyLive(tx, { owner, topic: 'media' })
}
