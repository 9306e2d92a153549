import { networks } from '@flashsheet/contracts/networks'

/** The characters to escape. */
const { escapes = '' } = networks.linkedin.caption

/**
 * Escapes a caption as LinkedIn's "little text": some unescaped characters truncate the post without an error
 * (docs/networks/linkedin.md). Hashtags stay unescaped, so that they link.
 */
export function toLittleText(text: string): string {
  const escape = (plain: string) =>
    Array.from(plain, (character) => (escapes.includes(character) ? `\\${character}` : character)).join('')
  let out = ''
  let from = 0
  for (const match of text.matchAll(/(^|[\s.,;:!?])#([\p{L}\p{N}]+)/gu)) {
    const hashAt = match.index + (match[1]?.length ?? 0)
    out += `${escape(text.slice(from, hashAt))}#${match[2] ?? ''}`
    from = match.index + match[0].length
  }
  return out + escape(text.slice(from))
}

/** Unescapes little text. */
export function fromLittleText(text: string): string {
  return text.replaceAll(/\\(.)/gu, (escaped, character: string) => (escapes.includes(character) ? character : escaped))
}
