import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Encoding, Kept, PageCache } from './page-cache.ts'

type Asked = { method: string; accepted: string; known: string | undefined }
type Answer = { status: number; headers: Record<string, string>; bytes: Uint8Array<ArrayBuffer> | null }

/** A page in the encoding the browser likes best, or 304 when it has it. A page without an etag is made for one request. */
export function answerOf(kept: Kept, { method, accepted, known }: Asked): Answer {
  const encoding = preferred(accepted, kept)
  const headers = pageHeaders(kept, encoding)
  if (kept.etag && kept.status === 200 && isKnown(kept, encoding, known)) return { status: 304, headers, bytes: null }
  const bytes = kept.bytes(encoding)
  headers['content-length'] = String(bytes.byteLength)
  return { status: kept.status, headers, bytes: method === 'HEAD' ? null : bytes }
}

/** How a request is looked up among those that were answered before. Undefined: it is none that may be. */
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
 * Answers a page that is kept, before anything else looks at the request, when the very same host and path were answered with it
 * before: whatever had to be decided about them was decided then, and is so until the page is dropped. False: not answered.
 */
export function answersFromCache(cache: PageCache): (request: IncomingMessage, response: ServerResponse) => boolean {
  /** The lines of a whole answer, by its encoding. */
  const lines = new WeakMap<Kept, Map<Encoding, string[]>>()
  const linesOf = (kept: Kept, encoding: Encoding): string[] => {
    const made = lines.get(kept) ?? new Map<Encoding, string[]>()
    lines.set(kept, made)
    let list = made.get(encoding)
    if (!list) {
      list = [
        ...Object.entries(pageHeaders(kept, encoding)).flat(),
        'content-length',
        String(kept.bytes(encoding).byteLength),
      ]
      made.set(encoding, list)
    }
    return list
  }
  return (request, response) => {
    const { headers } = request
    const address = addressOf(request.method, headers.host, request.url)
    const kept = address === undefined ? undefined : cache.at(address)
    if (kept?.status !== 200) return false
    const encoding = preferred(headers['accept-encoding'] ?? '', kept)
    if (headers['if-none-match'] !== undefined && isKnown(kept, encoding, headers['if-none-match'])) {
      response.writeHead(304, pageHeaders(kept, encoding)).end()
      return true
    }
    response.writeHead(200, linesOf(kept, encoding))
    if (request.method === 'HEAD') response.end()
    else response.end(kept.bytes(encoding))
    return true
  }
}

function pageHeaders(kept: Kept, encoding: Encoding): Record<string, string> {
  const headers: Record<string, string> = {
    ...kept.headers,
    vary: 'accept-encoding',
    'cache-control': kept.etag ? 'public, max-age=0, must-revalidate' : 'no-store',
  }
  if (encoding !== 'identity') headers['content-encoding'] = encoding
  if (kept.etag && kept.status === 200) headers['etag'] = etagOf(kept, encoding)
  return headers
}

const etagOf = (kept: Kept, encoding: Encoding) => `"${kept.etag}-${encoding}"`

function isKnown(kept: Kept, encoding: Encoding, known: string | undefined): boolean {
  const etag = etagOf(kept, encoding)
  return known !== undefined && known.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)
}

function preferred(accepted: string, kept: Kept): Encoding {
  if (kept.headers['content-type']?.startsWith('image/')) return 'identity'
  if (/\bbr\b/.test(accepted)) return 'br'
  return /\bgzip\b/.test(accepted) ? 'gzip' : 'identity'
}
