import type { StatusCode } from 'hono/utils/http-status'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { acceptsEncoding } from '../core/accepts-encoding.ts'
import type { System } from '../core/context.ts'
import type { HttpContext } from '../core/rest.ts'
import { pageKey, type CachedPage, type Encoding } from './cached-page.ts'
import { isCanonical, siteRequest } from './site-request.ts'

/** Writes a page in the browser's preferred encoding, or 304 when its ETag matches. Without an ETag it has `no-store`. */
export function writePage(c: HttpContext, cached: CachedPage): Response {
  const encoding = preferredEncoding(c.req.header('accept-encoding') ?? '', cached)
  const headers = pageHeaders(cached, encoding)
  if (cached.etag && cached.status === 200 && matchesEtag(cached, encoding, c.req.header('if-none-match')))
    return c.newResponse(null, 304, headers)
  const bytes = cached.bytes(encoding)
  headers['content-length'] = String(bytes.byteLength)
  return c.newResponse(c.req.method === 'HEAD' ? null : bytes, cached.status as StatusCode, headers)
}

/**
 * Makes the handler that answers a request for the canonical address of a cached page, before any routing. The handler
 * returns false, without an answer, if the page is not cached.
 */
export function cachedPageHandler({
  config,
  responses,
}: Pick<System, 'config' | 'responses'>): (request: IncomingMessage, response: ServerResponse) => boolean {
  /** The header lines of a full response, by encoding. */
  const lines = new WeakMap<CachedPage, Map<Encoding, string[]>>()
  const linesOf = (cached: CachedPage, encoding: Encoding): string[] => {
    const byEncoding = lines.get(cached) ?? new Map<Encoding, string[]>()
    lines.set(cached, byEncoding)
    let list = byEncoding.get(encoding)
    if (!list) {
      list = [
        ...Object.entries(pageHeaders(cached, encoding)).flat(),
        'content-length',
        String(cached.bytes(encoding).byteLength),
      ]
      byEncoding.set(encoding, list)
    }
    return list
  }
  const cachedFor = ({ method, headers: { host = '' }, url = '' }: IncomingMessage): CachedPage | undefined => {
    if ((method !== 'GET' && method !== 'HEAD') || url.includes('?')) return undefined
    const request = siteRequest(config, host, url)
    if (!request || !isCanonical(config, request, url)) return undefined
    return responses.peek<CachedPage>(pageKey(request.domainName, request.path))
  }
  return (request, response) => {
    const { headers } = request
    const cached = cachedFor(request)
    if (cached?.status !== 200) return false
    const encoding = preferredEncoding(headers['accept-encoding'] ?? '', cached)
    if (matchesEtag(cached, encoding, headers['if-none-match'])) {
      response.writeHead(304, pageHeaders(cached, encoding)).end()
      return true
    }
    // Node sends no body in answer to HEAD.
    response.writeHead(200, linesOf(cached, encoding)).end(cached.bytes(encoding))
    return true
  }
}

function pageHeaders(cached: CachedPage, encoding: Encoding): Record<string, string> {
  const headers: Record<string, string> = {
    ...cached.headers,
    vary: 'accept-encoding',
    'cache-control': cached.etag ? 'public, max-age=0, must-revalidate' : 'no-store',
  }
  if (encoding !== 'identity') headers['content-encoding'] = encoding
  if (cached.etag && cached.status === 200) headers['etag'] = etagOf(cached, encoding)
  return headers
}

const etagOf = (cached: CachedPage, encoding: Encoding) => `"${cached.etag}-${encoding}"`

function matchesEtag(cached: CachedPage, encoding: Encoding, ifNoneMatch: string | undefined): boolean {
  const etag = etagOf(cached, encoding)
  return ifNoneMatch?.split(',').some((one) => one.trim().replace(/^W\//, '') === etag) ?? false
}

function preferredEncoding(acceptEncoding: string, cached: CachedPage): Encoding {
  if (cached.headers['content-type']?.startsWith('image/')) return 'identity'
  if (acceptsEncoding(acceptEncoding, 'br')) return 'br'
  return acceptsEncoding(acceptEncoding, 'gzip') ? 'gzip' : 'identity'
}
