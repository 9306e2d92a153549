/** Invisible, of no width, and allowed in no address: what has one is no address any more, however it is read. */
const joiner = '\u2060'

const dots = '[.\\u3002\\uFF0E\\uFF61]'
/** Whatever has a scheme, and what looks like a host, with all that follows it. */
const webAddress = new RegExp(`[a-z][a-z0-9+.-]*:\\/\\/\\S+|[\\p{L}\\p{N}_-]+(?:${dots}[\\p{L}\\p{N}_-]+)*${dots}\\p{L}{2,}\\S*`, 'giu')
const mailAddress = /^[^\s@<>()]+@[^\s@<>()]+$/

/**
 * A text in which mail programs find no web address to make a link of: schemes are left out, and a word joiner stands before
 * each dot. Where the reader is better served by an address that can be copied, `mail: 'kept'` leaves mail addresses whole.
 */
export function unlinked(text: string, { mail = 'broken' }: { mail?: 'kept' | 'broken' } = {}): string {
  return text
    .split(/(\s+)/)
    .map((word) => (mail === 'kept' && mailAddress.test(word.replaceAll(/^[<(]+|[>).,;:!?]+$/g, '')) && !word.includes('//') ? word : broken(word)))
    .join('')
}

const broken = (word: string): string =>
  word.replaceAll(webAddress, (address) =>
    address
      .replace(/^[a-z][a-z0-9+.-]*:\/+/i, '')
      .replaceAll(new RegExp(`(${dots})(?=\\S)`, 'gu'), `${joiner}$1`)
      .replaceAll('://', `${joiner}:`),
  ).replaceAll('@', (sign, at: number) => (at > 0 && at < word.length - 1 ? `${joiner}${sign}` : sign))

/** A text split at the given addresses: every second part is one of them. */
export function splitAtLinks(text: string, links: readonly string[]): string[] {
  if (links.length === 0) return [text]
  const known = links.toSorted((a, b) => b.length - a.length).map((link) => link.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return text.split(new RegExp(`(${known.join('|')})`))
}
