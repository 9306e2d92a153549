import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { HttpContext } from '../core/rest.ts'
import type { CachedPage } from './cached-page.ts'
import { answerOf } from './answer-cached-page.ts'

/** Writes a page with the encoding and caching that this request allows. */
export function writePage(c: HttpContext, cached: CachedPage): Response {
  const { status, headers, bytes } = answerOf(cached, {
    method: c.req.method,
    accepted: c.req.header('accept-encoding') ?? '',
    known: c.req.header('if-none-match'),
  })
  return bytes
    ? c.body(bytes, status as ContentfulStatusCode, headers)
    : c.body(null, status as ContentfulStatusCode, headers)
}
