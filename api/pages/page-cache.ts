import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { LiveFeed } from '../core/live.ts'
import { fingerprint, headersOf, type Rendered } from './rendered.ts'

/** A page ready to be written, in every encoding somebody asked for so far. */
export type Kept = {
  status: number
  headers: Record<string, string>
  etag: string
  bytes: (encoding: Encoding) => Uint8Array<ArrayBuffer>
}
export type Encoding = 'identity' | 'gzip' | 'br'

/** `owner` undefined: not to be kept. */
type Made = { owner: string | undefined; page: Rendered }

/** However a hint got lost, nothing older is served. */
const keptForMs = 60_000
const mostPages = 2000
/** What public pages are made of. */
const topics = ['website', 'media', 'social', 'subscription', '*']

/** Hosts and paths that lead to one kept page, each as somebody sent them: anybody may make up hosts. */
const mostAddresses = 8

/** On https browsers are told to stay there. */
export const transportHeaders = (publicUrl: string): Record<string, string> =>
  publicUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}

/** `made`: rendered, and not under way any more. */
type Page = { until: number; kept: Promise<Kept>; made?: Kept; addresses: Set<string> }

export type PageCache = ReturnType<typeof createPageCache>

/**
 * Keeps rendered pages until something of their artist changes: every node hears each change (NOTIFY); after a lost connection
 * everything is dropped. One page is rendered once, however many ask at the same time.
 */
export function createPageCache(
  live: Pick<LiveFeed, 'onHint'>,
  now: () => number,
  headers: Record<string, string> = {},
) {
  const pages = new Map<string, Page>()
  const addresses = new Map<string, Page>()
  const pagesOf = new Map<string, Set<string>>()
  /** Pages being rendered, with whom something changed of meanwhile. */
  const rendering = new Map<string, Set<string>>()
  const drop = (key: string) => {
    for (const address of pages.get(key)?.addresses ?? []) addresses.delete(address)
    pages.delete(key)
  }
  live.onHint(({ owner, topic }) => {
    if (!topics.includes(topic)) return
    // A page under way may hold what was true before; who asks from now on gets a new one.
    for (const [key, changed] of rendering) {
      changed.add(owner)
      drop(key)
    }
    for (const key of owner === '*' ? [...pages.keys()] : (pagesOf.get(owner) ?? [])) drop(key)
    pagesOf.delete(owner)
  })

  const render = async (key: string, make: () => Promise<Made>): Promise<Kept> => {
    const changed = new Set<string>()
    rendering.set(key, changed)
    let isKept = false
    try {
      const { owner, page } = await make()
      // A name nobody has would only fill the memory.
      if (owner !== undefined && !changed.has(owner) && !changed.has('*')) {
        const keys = pagesOf.get(owner) ?? new Set()
        pagesOf.set(owner, keys.add(key))
        isKept = true
      }
      return keep(page, headers)
    } finally {
      // Another may be rendering by now.
      if (rendering.get(key) === changed) {
        rendering.delete(key)
        if (!isKept) drop(key)
      }
    }
  }

  return {
    /** The page of this key, made by `make` unless it is kept. */
    async get(key: string, make: () => Promise<Made>): Promise<Kept> {
      const known = pages.get(key)
      if (known && known.until > now()) return await known.kept
      drop(key)
      if (pages.size >= mostPages) drop(pages.keys().next().value ?? '')
      const page: Page = { until: now() + keptForMs, kept: render(key, make), addresses: new Set() }
      pages.set(key, page)
      const made = await page.kept
      page.made = made
      return made
    },
    /** Notes that what is kept under this key answered a request at this address. */
    answered(key: string, address: string): void {
      const page = pages.get(key)
      if (!page || page.addresses.has(address)) return
      const [oldest] = page.addresses
      if (oldest !== undefined && page.addresses.size >= mostAddresses) {
        page.addresses.delete(oldest)
        addresses.delete(oldest)
      }
      page.addresses.add(address)
      addresses.set(address, page)
    },
    /** What is kept for an address that was answered from here before. */
    at(address: string): Kept | undefined {
      const page = addresses.get(address)
      return page && page.until > now() ? page.made : undefined
    },
  }
}

/** Makes a page ready to be written, with these headers beside its own. */
export function keep(page: Rendered, headers: Record<string, string> = {}): Kept {
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
