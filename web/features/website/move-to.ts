/** Moves `id` to the index `to`; the others keep their order. */
export function moveTo(ids: readonly string[], id: string, to: number): string[] {
  const others = ids.filter((one) => one !== id)
  return others.length === ids.length ? [...ids] : [...others.slice(0, to), id, ...others.slice(to)]
}
