/**
 * A caption as LinkedIn's "little text": unescaped, some characters cut the post off without a word
 * (docs/networks/linkedin.md). A hashtag stays one, so that it links.
 */
export function toLittleText(text: string): string {
  const escape = (plain: string) => plain.replaceAll(/[\\|{}@[\]()<>#*_~]/g, String.raw`\$&`)
  let out = ''
  let from = 0
  for (const match of text.matchAll(/(^|[\s.,;:!?])#([\p{L}\p{N}]+)/gu)) {
    const hashAt = match.index + (match[1]?.length ?? 0)
    out += `${escape(text.slice(from, hashAt))}#${match[2] ?? ''}`
    from = match.index + match[0].length
  }
  return out + escape(text.slice(from))
}

/** The text as it was before it was escaped. */
export function fromLittleText(text: string): string {
  return text.replaceAll(/\\([\\|{}@[\]()<>#*_~])/g, '$1')
}
