/** A change: an entity of a collection, or (key null) the whole collection. */
export type Change = { collection: string; key: string | null }

type Json = Record<string | symbol, unknown>
type Location = { path: readonly string[]; mark: (change: Change) => void }

/** tracking proxy → the plain object behind it */
const plain = new WeakMap<object, object>()

export type DeepReadonly<T> = T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> } : T

/**
 * The plain object behind a tracking proxy, for reading: creating proxies of thousands of entities would be the slowest
 * step of a request. To change an entity, read it by its key from the proxy.
 */
export function withoutTracking<T extends object>(live: T): DeepReadonly<T> {
  return (plain.get(live) ?? live) as DeepReadonly<T>
}

/** A proxy of `target` that reports every mutation below it, at any depth. */
export function trackRoot(target: object, mark: (change: Change) => void): object {
  return view(target, { path: [], mark }, new WeakMap())
}

function view(
  target: object,
  location: Location,
  seen: WeakMap<object, { live: object; path: readonly string[] }>,
): object {
  const known = seen.get(target)
  if (known && same(known.path, location.path)) return known.live
  // Paths end at the entity, which is written as a whole.
  const below = (key: string): Location => ({
    path: location.path.length < 2 ? [...location.path, key] : location.path,
    mark: location.mark,
  })
  const markChanged = (key: string): void => {
    const [collection, entity] = below(key).path
    location.mark({ collection: collection!, key: entity ?? null })
  }
  const live = new Proxy(target as Json, {
    get(object, key) {
      const value = Reflect.get(object, key)
      return typeof key === 'string' && typeof value === 'object' && value !== null
        ? view(value, below(key), seen)
        : value
    },
    set(object, key, value) {
      if (typeof key !== 'string') throw new TypeError('The state holds plain JSON only')
      if (key === 'length' && Array.isArray(object)) {
        // After a push the length is already right. A truncation changes the whole list.
        if (object.length !== value) location.mark({ collection: location.path[0]!, key: location.path[1] ?? null })
        return Reflect.set(object, key, value)
      }
      Reflect.set(object, key, storedValue(value, location.path[0], seen))
      markChanged(key)
      return true
    },
    deleteProperty(object, key) {
      Reflect.deleteProperty(object, key)
      markChanged(String(key))
      return true
    },
  })
  plain.set(live, target)
  seen.set(target, { live, path: location.path })
  return live
}

/**
 * The value to store. A proxy moved within its own collection (splice, sort) keeps its identity. Everything else is
 * copied and the given literal frozen, so that a later change to it throws instead of being lost.
 */
function storedValue(
  value: unknown,
  collection: string | undefined,
  seen: WeakMap<object, { path: readonly string[] }>,
): unknown {
  if (typeof value !== 'object' || value === null) return copy(value)
  const target = plain.get(value)
  if (target) return seen.get(target)?.path[0] === collection && collection !== undefined ? target : copy(target)
  const stored = copy(value)
  freeze(value)
  return stored
}

function copy(value: unknown): unknown {
  if (value === null || ['string', 'boolean', 'number', 'undefined'].includes(typeof value)) return value
  if (Array.isArray(value)) return value.map(copy)
  if (typeof value !== 'object' || ![Object.prototype, null].includes(Object.getPrototypeOf(value))) {
    throw new TypeError('The state holds plain JSON only')
  }
  const copied: Record<string, unknown> = {}
  for (const [key, inner] of Object.entries(value)) if (inner !== undefined) copied[key] = copy(inner)
  return copied
}

function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || plain.has(value) || Object.isFrozen(value)) return
  Object.freeze(value)
  for (const inner of Object.values(value)) freeze(inner)
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((step, index) => step === b[index])
}
