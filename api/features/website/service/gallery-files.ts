import type { RequestCtx, System } from '../../../core/context.ts'
import { notFound } from '../../../core/errors.ts'
import type { HttpContext } from '../../../core/rest.ts'
import { everyoneScope, ownerScope } from '../../../core/scope.ts'
import { publicFolder } from '../../media/service/keys.ts'
import { makePublicRenditions, removePublicRenditions } from '../../media/service/public-renditions.ts'
import { serveStored } from '../../media/service/serve.ts'
import { makeRenditionsQueue } from '../jobs.ts'
import { findGalleryRow, listWithoutRenditions, setRenditions } from '../queries/gallery.ts'
import { findGalleryEntry } from '../queries/sites.ts'
import { pictureCaching } from '../rules.ts'
import { notifySiteChange } from './gallery.ts'

/** Makes the public renditions of a gallery entry, unless it is deleted or has them already. Safe to repeat. */
export async function publishGalleryItem(system: System, { galleryItemId }: { galleryItemId: string }): Promise<void> {
  const row = await findGalleryRow(system.db, everyoneScope(), galleryItemId)
  if (!row || row.renditions) return
  const owner = ownerScope(row.userId)
  const renditions = await makePublicRenditions(system, owner, row.mediaId, row.id)
  const isStored = renditions && (await setRenditions(system.db, owner, row.id, renditions))
  if (isStored) await notifySiteChange(system, system.db, owner)
  // The entry was deleted in the meantime, possibly with its files before the last of them was made.
  else if (!(await findGalleryRow(system.db, everyoneScope(), galleryItemId)))
    await removePublicRenditions(system, row.mediaId, row.id)
}

/** Queues the job again for entries whose job gave up, until they are three days old. */
export async function retryMissingRenditions(system: System): Promise<void> {
  const now = system.now().getTime()
  const span = { from: new Date(now - 3 * 86_400_000), to: new Date(now - 3_600_000) }
  for (const id of await listWithoutRenditions(system.db, everyoneScope(), span))
    await system.jobs.send(system.db, makeRenditionsQueue, { galleryItemId: id })
}

/** Deletes the public renditions of an entry that was removed. Safe to repeat. */
export async function removeGalleryFiles(
  system: System,
  entry: { galleryItemId: string; mediaId: string },
): Promise<void> {
  await removePublicRenditions(system, entry.mediaId, entry.galleryItemId)
}

/**
 * Serves a gallery entry's picture or video to everybody while the artist's site is open, and always to the artist.
 * Throws notFound otherwise, and for an unknown address.
 */
export async function serveGalleryFile(ctx: RequestCtx, c: HttpContext): Promise<Response> {
  const token = c.req.param('token') ?? ''
  const file = c.req.param('form') ?? ''
  const [, width, extension] = /^(\d{1,5})\.(webp|jpg)$/.exec(file) ?? []
  const entry = /^[\w-]{22}$/.test(token) ? await findGalleryEntry(ctx.db, everyoneScope(), token) : undefined
  const isVideo = file === 'film.mp4'
  const exists = isVideo
    ? entry?.renditions?.film
    : entry?.renditions?.sizes.some((size) => String(size.width) === width)
  const cacheControl = entry && pictureCaching(entry, ctx.caller?.user.id, ctx.now())
  if (!entry || !exists || cacheControl === undefined) throw notFound()
  return await serveStored(ctx, c, {
    key: `${publicFolder(entry.mediaId, entry.id)}/${file}`,
    contentType: isVideo ? 'video/mp4' : extension === 'jpg' ? 'image/jpeg' : 'image/webp',
    etag: `"${entry.id}-${file}"`,
    cacheControl,
  })
}
