import { splitWords } from '../../split-words.ts'

/** An object in Stripe's order: `id`, `object`, then the other fields alphabetically. The fields in `nullFields` are null. */
export function makeObject<T extends { id: string; object: string }>(nullFields: string, fields: T): T {
  const { id, object, ...given } = fields
  const nulls = splitWords(nullFields).map((name) => [name, null] as const)
  const others = [...nulls, ...Object.entries(given)].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries([['id', id], ['object', object], ...others]) as T
}
