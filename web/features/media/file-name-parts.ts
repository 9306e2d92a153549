/** Names up to this length are never split. */
const short = 20
/** Characters shown before the extension. */
const kept = 6

/** Splits a name: the start is truncated, the end with the extension stays. A short name is all end. */
export function partsOf(name: string): { start: string; end: string } {
  // Array.from splits by code point, because half of a surrogate pair is shown as a box.
  const signs = Array.from(name)
  if (signs.length <= short) return { start: '', end: name }
  const dot = signs.lastIndexOf('.')
  const extension = dot > 0 && signs.length - dot <= kept ? signs.length - dot : 0
  const at = signs.length - extension - kept
  return { start: signs.slice(0, at).join(''), end: signs.slice(at).join('') }
}
