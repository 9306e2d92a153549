/** Adds an entry to a cache as its newest, and removes the oldest one above `max`. */
export function setBounded<Key, Value>(cache: Map<Key, Value>, key: Key, value: Value, max: number): void {
  cache.delete(key)
  cache.set(key, value)
  const [oldest] = cache.keys()
  if (cache.size > max && oldest !== undefined) cache.delete(oldest)
}
