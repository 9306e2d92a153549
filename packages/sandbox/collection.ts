/** A collection of a service's state: entities by id, at first the seeded ones. */
export function collection<T>(seeded: readonly (T & { id: string })[] = []): Record<string, T> {
  return Object.fromEntries(seeded.map((one) => [one.id, one]))
}

/** Stores an entity under its id, and returns the stored one, whose changes are written. */
export function insert<T extends { id: string }>(all: Record<string, T>, entity: T): T {
  all[entity.id] = entity
  return all[entity.id]!
}

/** The newest entries of a list, by the number of their arrival. */
type Ring<T> = { entries: Record<string, T>; next: number }

export function newRing<T>(): Ring<T> {
  return { entries: {}, next: 1 }
}

/** Appends an entry, and deletes the oldest one beyond `max`. */
export function append<T>(ring: Ring<T>, entry: T, max: number): void {
  const id = ring.next
  ring.next = id + 1
  ring.entries[id] = entry
  delete ring.entries[id - max]
}
