import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Encoding, CachedPage, PageCache } from './page-cache.ts'

type Asked = { method: string; accepted: string; known: string | undefined }
type Answer = { status: number; headers: Record<string, string>; bytes: Uint8Array<ArrayBuffer> | null }

/** A page in the browser's preferred encoding, or 304 when its ETag matches. A page without an ETag is not cached. */
export function answerOf(cached: CachedPage, { method, accepted, known }: Asked): Answer {
  const encoding = preferred(accepted, cached)
  const headers = pageHeaders(cached, encoding)
  if (cached.etag && cached.status === 200 && isKnown(cached, encoding, known))
    return { status: 304, headers, bytes: null }
  const bytes = cached.bytes(encoding)
  headers['content-length'] = String(bytes.byteLength)
  return { status: cached.status, headers, bytes: method === 'HEAD' ? null : bytes }
}

/** The key of a request in the cache of addresses. Undefined: this request may not be answered from the cache. */
export function addressOf(
  method: string | undefined,
  host: string | undefined,
  url: string | undefined,
): string | undefined {
  if ((method !== 'GET' && method !== 'HEAD') || host === undefined || url === undefined || url.includes('?'))
    return undefined
  return `${host} ${url}`
}

/**
 * Answers a request from the page cache before any routing, when the same host and path were answered before: every
 * decision about them was made then and holds until the page is dropped. False: not answered.
 */
export function answersFromCache(cache: PageCache): (request: IncomingMessage, response: ServerResponse) => boolean {
  /** The header lines of a full response, by encoding. */
  const lines = new WeakMap<CachedPage, Map<Encoding, string[]>>()
  const linesOf = (cached: CachedPage, encoding: Encoding): string[] => {
    const made = lines.get(cached) ?? new Map<Encoding, string[]>()
    lines.set(cached, made)
    let list = made.get(encoding)
    if (!list) {
      list = [
        ...Object.entries(pageHeaders(cached, encoding)).flat(),
        'content-length',
        String(cached.bytes(encoding).byteLength),
      ]
      made.set(encoding, list)
    }
    return list
  }
  return (request, response) => {
    const { headers } = request
    const address = addressOf(request.method, headers.host, request.url)
    const cached = address === undefined ? undefined : cache.at(address)
    if (cached?.status !== 200) return false
    const encoding = preferred(headers['accept-encoding'] ?? '', cached)
    if (headers['if-none-match'] !== undefined && isKnown(cached, encoding, headers['if-none-match'])) {
      response.writeHead(304, pageHeaders(cached, encoding)).end()
      return true
    }
    response.writeHead(200, linesOf(cached, encoding))
    if (request.method === 'HEAD') response.end()
    else response.end(cached.bytes(encoding))
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

function isKnown(cached: CachedPage, encoding: Encoding, known: string | undefined): boolean {
  const etag = etagOf(cached, encoding)
  return known !== undefined && known.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)
}

function preferred(accepted: string, cached: CachedPage): Encoding {
  if (cached.headers['content-type']?.startsWith('image/')) return 'identity'
  if (/\bbr\b/.test(accepted)) return 'br'
  return /\bgzip\b/.test(accepted) ? 'gzip' : 'identity'
}
