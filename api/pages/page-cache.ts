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

export type PageCache = ReturnType<typeof createPageCache>

/**
 * Keeps rendered pages until something of their artist changes: every node hears each change (NOTIFY); after a lost connection
 * everything is dropped (design 1). One page is rendered once, however many ask at the same time.
 */
export function createPageCache(live: LiveFeed, now: () => number) {
  const pages = new Map<string, { until: number; kept: Promise<Kept> }>()
  const pagesOf = new Map<string, Set<string>>()
  /** Pages being rendered, with whom something changed of meanwhile. */
  const rendering = new Map<string, Set<string>>()
  live.onHint(({ owner, topic }) => {
    if (!topics.includes(topic)) return
    // A page under way may hold what was true before; who asks from now on gets a new one.
    for (const [key, changed] of rendering) {
      changed.add(owner)
      pages.delete(key)
    }
    if (owner === '*') pages.clear()
    for (const key of pagesOf.get(owner) ?? []) pages.delete(key)
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
      return keep(page)
    } finally {
      // Another may be rendering by now.
      if (rendering.get(key) === changed) {
        rendering.delete(key)
        if (!isKept) pages.delete(key)
      }
    }
  }

  return {
    /** The page of this key, made by `make` unless it is kept. */
    async get(key: string, make: () => Promise<Made>): Promise<Kept> {
      const known = pages.get(key)
      if (known && known.until > now()) return await known.kept
      if (pages.size >= mostPages) pages.delete(pages.keys().next().value ?? '')
      const kept = render(key, make)
      pages.set(key, { until: now() + keptForMs, kept })
      return await kept
    },
  }
}

/** Makes a page ready to be written. */
export function keep(page: Rendered): Kept {
  const plain = new Uint8Array(Buffer.from(page.body, 'utf8'))
  const made = new Map<Encoding, Uint8Array<ArrayBuffer>>([['identity', plain]])
  return {
    status: page.status,
    headers: headersOf(page),
    etag: fingerprint(plain),
    bytes(encoding) {
      let bytes = made.get(encoding)
      if (!bytes) {
        bytes = new Uint8Array(encoding === 'br' ? brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }) : gzipSync(plain))
        made.set(encoding, bytes)
      }
      return bytes
    },
  }
}
