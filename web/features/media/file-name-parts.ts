import { characters } from '@flashsheet/contracts/characters'

/** Names up to this length are never split. */
const maxUnsplitLength = 20
/** Characters shown before the extension. */
const endLength = 6

/** Splits a name into a start, which may be truncated, and an end with the extension. A short name has no start. */
export function fileNameParts(name: string): { start: string; end: string } {
  // In names from a Mac, ü is two code points.
  const letters = Array.from(characters.segment(name), ({ segment }) => segment)
  if (letters.length <= maxUnsplitLength) return { start: '', end: name }
  const dot = letters.lastIndexOf('.')
  const extension = dot > 0 && letters.length - dot <= endLength ? letters.length - dot : 0
  const at = letters.length - extension - endLength
  return { start: letters.slice(0, at).join(''), end: letters.slice(at).join('') }
}
