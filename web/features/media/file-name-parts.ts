/** What fits everywhere as it is. */
const short = 20
/** Shown of the end beside the extension. */
const kept = 6

/** A name in two: the start gives way, the end with the extension stays. A short one is all end. */
export function partsOf(name: string): { start: string; end: string } {
  // By whole signs: half of one would be shown as a box.
  const signs = Array.from(name)
  if (signs.length <= short) return { start: '', end: name }
  const dot = signs.lastIndexOf('.')
  const extension = dot > 0 && signs.length - dot <= kept ? signs.length - dot : 0
  const at = signs.length - extension - kept
  return { start: signs.slice(0, at).join(''), end: signs.slice(at).join('') }
}
