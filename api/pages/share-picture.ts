import type { System } from '../core/context.ts'
import type { HttpContext } from '../core/rest.ts'
import { shareBytes } from '../features/website/service/share-picture.ts'
import type { FoundAddress } from '../features/website/service/public-site.ts'

/** Whether a path of a site can be that of a share picture. */
export const isSharePicture = (path: string): boolean => /^share-[\w-]{22}\.jpg$/.test(path)

/** The share picture of an open site; undefined if the site is not open, or its current share picture has another name. */
export async function serveSharePicture(
  system: System,
  c: HttpContext,
  found: FoundAddress,
  path: string,
): Promise<Response | undefined> {
  if (found.state !== 'open') return undefined
  const { share } = found.content
  if (share?.fileName !== path) return undefined
  const etag = `"${path}"`
  const headers = {
    'content-type': 'image/jpeg',
    // The bytes never change, but the site may be closed.
    'cache-control': 'public, max-age=86400, must-revalidate',
    'x-content-type-options': 'nosniff',
    etag,
  }
  if (c.req.header('if-none-match') === etag) return c.body(null, 304, headers)
  const bytes = new Uint8Array(await shareBytes(system, found.owner, share))
  const sized = { ...headers, 'content-length': String(bytes.length) }
  return c.req.method === 'HEAD' ? c.body(null, 200, sized) : c.body(bytes, 200, sized)
}
