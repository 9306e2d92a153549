/** A collection of a service's state: entities by id, at first the seeded ones. */
export function collection<T>(seeded: readonly (T & { id: string })[] = []): Record<string, T> {
  return Object.fromEntries(seeded.map((one) => [one.id, one]))
}
