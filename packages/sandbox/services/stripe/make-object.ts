import { words } from '../../words.ts'

/** An object as Stripe sends it: `id` and `object`, then its other fields by the alphabet. Those named in `empty` are null. */
export function makeObject<T extends { id: string; object: string }>(empty: string, fields: T): T {
  const { id, object, ...given } = fields
  const nulls = words(empty).map((name) => [name, null] as const)
  const others = [...nulls, ...Object.entries(given)].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries([['id', id], ['object', object], ...others]) as T
}
