import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { LiveFeed } from '../core/live.ts'
import { fingerprint, headersOf, type Rendered } from './rendered.ts'

/** A rendered page with its headers, in every encoding that was requested so far. */
export type CachedPage = {
  status: number
  headers: Record<string, string>
  etag: string
  bytes: (encoding: Encoding) => Uint8Array<ArrayBuffer>
}
export type Encoding = 'identity' | 'gzip' | 'br'

/** `owner` undefined: not cached. */
type Made = { owner: string | undefined; page: Rendered }

/** The maximum age of an entry, should a notification be lost. */
const maxAgeMs = 60_000
const mostPages = 2000
/** The live topics that a public page depends on. */
export const pageTopics: readonly string[] = ['website', 'media', 'social', 'subscription']

/** The maximum number of addresses (host and path) per cached page, because anybody may invent hosts. */
const maxAddresses = 8

/** HSTS, on https. */
export const transportHeaders = (publicUrl: string): Record<string, string> =>
  publicUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}

/** `made`: set once rendering has ended. */
type Page = { until: number; cached: Promise<CachedPage>; made?: CachedPage; addresses: Set<string> }

export type PageCache = ReturnType<typeof createPageCache>

/**
 * Caches rendered pages until something of their artist changes: every process gets each change by NOTIFY, and clears
 * the cache after a lost connection. Concurrent requests render a page once.
 */
export function createPageCache(
  live: Pick<LiveFeed, 'onHint'>,
  now: () => number,
  headers: Record<string, string> = {},
) {
  const pages = new Map<string, Page>()
  const addresses = new Map<string, Page>()
  const pagesOf = new Map<string, Set<string>>()
  /** Pages being rendered, with the owners of changes that arrived meanwhile. */
  const rendering = new Map<string, Set<string>>()
  const drop = (key: string) => {
    for (const address of pages.get(key)?.addresses ?? []) addresses.delete(address)
    pages.delete(key)
  }
  live.onHint(({ owner, topic }) => {
    if (topic !== '*' && !pageTopics.includes(topic)) return
    // A page in rendering may contain old data; requests from now on render a new one.
    for (const [key, changed] of rendering) {
      changed.add(owner)
      drop(key)
    }
    for (const key of owner === '*' ? [...pages.keys()] : (pagesOf.get(owner) ?? [])) drop(key)
    pagesOf.delete(owner)
  })

  const render = async (key: string, make: () => Promise<Made>): Promise<CachedPage> => {
    const changed = new Set<string>()
    rendering.set(key, changed)
    let isCached = false
    try {
      const { owner, page } = await make()
      // Unknown names are not cached, or they would fill the memory.
      if (owner !== undefined && !changed.has(owner) && !changed.has('*')) {
        const keys = pagesOf.get(owner) ?? new Set()
        pagesOf.set(owner, keys.add(key))
        isCached = true
      }
      return toCachedPage(page, headers)
    } finally {
      // A newer rendering may have started.
      if (rendering.get(key) === changed) {
        rendering.delete(key)
        if (!isCached) drop(key)
      }
    }
  }

  return {
    /** The page for this key, rendered by `make` if it is not cached. */
    async get(key: string, make: () => Promise<Made>): Promise<CachedPage> {
      const known = pages.get(key)
      if (known && known.until > now()) return await known.cached
      drop(key)
      if (pages.size >= mostPages) drop(pages.keys().next().value ?? '')
      const page: Page = { until: now() + maxAgeMs, cached: render(key, make), addresses: new Set() }
      pages.set(key, page)
      const made = await page.cached
      page.made = made
      return made
    },
    /** Records an address that was answered with the entry of this key. */
    answered(key: string, address: string): void {
      const page = pages.get(key)
      if (!page || page.addresses.has(address)) return
      const [oldest] = page.addresses
      if (oldest !== undefined && page.addresses.size >= maxAddresses) {
        page.addresses.delete(oldest)
        addresses.delete(oldest)
      }
      page.addresses.add(address)
      addresses.set(address, page)
    },
    /** The cached page of an address that was answered before. */
    at(address: string): CachedPage | undefined {
      const page = addresses.get(address)
      return page && page.until > now() ? page.made : undefined
    },
  }
}

/** Prepares a page for caching, with additional headers. */
export function toCachedPage(page: Rendered, headers: Record<string, string> = {}): CachedPage {
  const plain = new Uint8Array(Buffer.from(page.body, 'utf8'))
  const made = new Map<Encoding, Uint8Array<ArrayBuffer>>([['identity', plain]])
  return {
    status: page.status,
    headers: { ...headersOf(page), ...headers },
    etag: fingerprint(plain),
    bytes(encoding) {
      let bytes = made.get(encoding)
      if (!bytes) {
        bytes = new Uint8Array(
          encoding === 'br'
            ? brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } })
            : gzipSync(plain),
        )
        made.set(encoding, bytes)
      }
      return bytes
    },
  }
}
