import type { LiveFeed } from './live.ts'

/** The owner of what belongs to nobody: it is kept until it is too old, or hints were lost. */
export const sharedOwner = ''

/** `owner`: whose changes end it; undefined: it is answered and not kept. */
type Loaded<T> = { owner: string | undefined; value: T }
type Entry = { until: number; promise: Promise<Loaded<unknown>>; loaded?: Loaded<unknown> }

export type ResponseCache = ReturnType<typeof createResponseCache>

/**
 * Keeps what was computed for many callers, until it is too old or a live hint with one of `topics` says that something of its owner
 * changed; after lost hints nothing is kept. Concurrent callers of a key wait for one computation. A failure is not kept. Of more than
 * `maxEntries` the oldest goes.
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
    // What is being computed may hold what was true before; requests from now on compute anew.
    for (const [key, { loaded }] of entries) if (owner === '*' || !loaded || loaded.owner === owner) entries.delete(key)
  })
  const current = (key: string): Entry | undefined => {
    const entry = entries.get(key)
    return entry && entry.until > now() ? entry : undefined
  }
  return {
    /** The value of this key, by `load` if none is kept. A key always has values of the same type. */
    async get<T>(key: string, maxAgeMs: number, load: () => Promise<Loaded<T>>): Promise<T> {
      const known = current(key)
      if (known) return (await known.promise).value as T
      entries.delete(key)
      const [oldest] = entries.keys()
      if (entries.size >= maxEntries && oldest !== undefined) entries.delete(oldest)
      const promise = load()
      const entry: Entry = { until: now() + maxAgeMs, promise }
      entries.set(key, entry)
      let loaded: Loaded<T> | undefined
      try {
        loaded = await promise
        entry.loaded = loaded
        return loaded.value
      } finally {
        // Unknown names are not kept, or they would fill the memory.
        if (loaded?.owner === undefined && entries.get(key) === entry) entries.delete(key)
      }
    },
    /** What is kept for this key, without waiting. */
    peek: <T>(key: string): T | undefined => current(key)?.loaded?.value as T | undefined,
  }
}
