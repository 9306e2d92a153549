/** Splits into characters as people see them: in names from a Mac, ü is two code points. */
const letters = new Intl.Segmenter('en', { granularity: 'grapheme' })
/** Names up to this length are never split. */
const maxUnsplitLength = 20
/** Characters shown before the extension. */
const endLength = 6

/** Splits a name into a start, which may be truncated, and an end with the extension. A short name has no start. */
export function fileNameParts(name: string): { start: string; end: string } {
  const characters = Array.from(letters.segment(name), ({ segment }) => segment)
  if (characters.length <= maxUnsplitLength) return { start: '', end: name }
  const dot = characters.lastIndexOf('.')
  const extension = dot > 0 && characters.length - dot <= endLength ? characters.length - dot : 0
  const at = characters.length - extension - endLength
  return { start: characters.slice(0, at).join(''), end: characters.slice(at).join('') }
}
