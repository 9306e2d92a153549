import type { RequestCtx, System } from '../../../core/context.ts'
import { notFound } from '../../../core/errors.ts'
import type { HttpContext } from '../../../core/rest.ts'
import { everyoneScope, ownerScope } from '../../../core/scope.ts'
import { publicFolder } from '../../media/service/keys.ts'
import { makePublicRenditions, removePublicRenditions } from '../../media/service/public-renditions.ts'
import { serveStored } from '../../media/service/serve.ts'
import { enqueueMakeRenditions } from '../jobs.ts'
import { findRow, listWithoutRenditions, setRenditions } from '../queries/gallery.ts'
import { findGalleryEntry } from '../queries/sites.ts'
import { pictureCaching } from '../rules.ts'
import { notifySiteChange } from './gallery.ts'

/** Makes what the public gets of a gallery entry and says so. Does nothing for one that is gone or done. Safe to run twice. */
export async function publishGalleryItem(system: System, galleryItemId: string): Promise<void> {
  const row = await findRow(system.db, everyoneScope(), galleryItemId)
  if (!row || row.renditions) return
  const owner = ownerScope(row.userId)
  const forms = await makePublicRenditions(system, owner, row.mediaId, row.id)
  const kept = forms && (await setRenditions(system.db, owner, row.id, forms))
  if (kept) await notifySiteChange(system, system.db, owner)
  // Taken out or deleted meanwhile: whoever removed its files may have come too early.
  else if (!(await findRow(system.db, everyoneScope(), galleryItemId)))
    await removePublicRenditions(system, row.mediaId, row.id)
}

/** Asks once more for the files of entries whose job gave up, for three days. */
export async function retryMissingRenditions(system: System): Promise<void> {
  const now = system.now().getTime()
  const span = { from: new Date(now - 3 * 86_400_000), to: new Date(now - 3_600_000) }
  for (const id of await listWithoutRenditions(system.db, everyoneScope(), span))
    await enqueueMakeRenditions(system, system.db, id)
}

/** Removes the public files of an entry that was taken out. Safe to run twice. */
export async function withdrawFiles(system: System, entry: { galleryItemId: string; mediaId: string }): Promise<void> {
  await removePublicRenditions(system, entry.mediaId, entry.galleryItemId)
}

const types = { webp: 'image/webp', jpg: 'image/jpeg', mp4: 'video/mp4' } as const

/**
 * A gallery entry's picture or video for anybody who has its address, for as long as the artist's site stands open; the artist
 * sees it in any case. Throws notFound otherwise, for an address that was made up, and for an entry that was taken out.
 */
export async function serveGalleryFile(ctx: RequestCtx, c: HttpContext): Promise<Response> {
  const token = c.req.param('token') ?? ''
  const [, width, extension] = /^(?:(\d{1,5})\.(webp|jpg)|film\.mp4)$/.exec(c.req.param('form') ?? '') ?? []
  const entry = /^[\w-]{22}$/.test(token) ? await findGalleryEntry(ctx.db, everyoneScope(), token) : undefined
  const isVideo = c.req.param('form') === 'film.mp4'
  const isThere = isVideo
    ? entry?.renditions?.film
    : entry?.renditions?.sizes.some((size) => String(size.width) === width)
  const cacheControl = entry && pictureCaching(entry.owner, ctx.caller?.user.id, ctx.now())
  if (!entry || !isThere || cacheControl === undefined) throw notFound()
  const name = isVideo ? 'film.mp4' : `${width}.${extension}`
  return await serveStored(ctx, c, {
    key: `${publicFolder(entry.mediaId, entry.id)}/${name}`,
    contentType: isVideo ? types.mp4 : types[extension === 'jpg' ? 'jpg' : 'webp'],
    etag: `"${entry.id}-${name}"`,
    cacheControl,
  })
}
