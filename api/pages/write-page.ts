import type { StatusCode } from 'hono/utils/http-status'
import type { HttpContext } from '../core/rest.ts'
import type { CachedPage } from './cached-page.ts'
import { cachedResponseOf } from './serve-cached-page.ts'

/** Writes a page with the encoding and caching that this request allows. */
export function writePage(c: HttpContext, cached: CachedPage): Response {
  const { status, headers, bytes } = cachedResponseOf(cached, {
    method: c.req.method,
    acceptEncoding: c.req.header('accept-encoding') ?? '',
    ifNoneMatch: c.req.header('if-none-match'),
  })
  return c.newResponse(bytes, status as StatusCode, headers)
}
