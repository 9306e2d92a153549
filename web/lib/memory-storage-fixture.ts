import type { KeyValueStorage } from './stored-value.ts'

/** A storage with these entries that is lost with the test. */
export function memoryStorage(entries: Record<string, string> = {}): KeyValueStorage {
  const stored = new Map(Object.entries(entries))
  return {
    getItem: (key) => stored.get(key) ?? null,
    setItem: (key, value) => void stored.set(key, value),
    removeItem: (key) => void stored.delete(key),
  }
}
