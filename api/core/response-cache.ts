import type { LiveFeed } from './live.ts'
import { setBounded } from './set-bounded.ts'

/** The owner of entries that no artist's change invalidates. They stay until they expire or hints were lost. */
export const sharedOwner = ''

/** Changes of `owner` invalidate the value; without an owner it is not cached. */
type Loaded<T> = { owner: string | undefined; value: T }
type Entry = { until: number; promise: Promise<Loaded<unknown>>; loaded?: Loaded<unknown> }

export type ResponseCache = ReturnType<typeof createResponseCache>

/**
 * Caches values until they expire or a live hint with one of `topics` reports a change of their owner. Lost hints clear the
 * cache. Concurrent callers of a key share one computation. Failures are not cached. The oldest entry is evicted above
 * `maxEntries`.
 */
export function createResponseCache(
  live: Pick<LiveFeed, 'onHint'>,
  now: () => number,
  topics: readonly string[],
  maxEntries = 2000,
) {
  const entries = new Map<string, Entry>()
  live.onHint(({ owner, topic }) => {
    if (owner !== '*' && !topics.includes(topic)) return
    // A computation under way may have read the old state, so later requests start a new one.
    for (const [key, { loaded }] of entries) if (owner === '*' || !loaded || loaded.owner === owner) entries.delete(key)
  })
  const current = (key: string): Entry | undefined => {
    const entry = entries.get(key)
    return entry && entry.until > now() ? entry : undefined
  }
  return {
    /** The cached value of a key, or the one that `load` returns. All values of a key must have one type. */
    async get<T>(key: string, maxAgeMs: number, load: () => Promise<Loaded<T>>): Promise<T> {
      const known = current(key)
      if (known) return (await known.promise).value as T
      const promise = load()
      const entry: Entry = { until: now() + maxAgeMs, promise }
      setBounded(entries, key, entry, maxEntries)
      let loaded: Loaded<T> | undefined
      try {
        loaded = await promise
        entry.loaded = loaded
        return loaded.value
      } finally {
        // Unknown names are not cached, or they would fill the memory.
        if (loaded?.owner === undefined && entries.get(key) === entry) entries.delete(key)
      }
    },
    /** The cached value, without loading it. */
    peek: <T>(key: string): T | undefined => current(key)?.loaded?.value as T | undefined,
  }
}
