import { trimCharacters } from './text.ts'

/** U+2060: invisible, without width, and not allowed in addresses, so that no program recognises an address with it. */
const joiner = '\u2060'

const dots = '[.\\u3002\\uFF0E\\uFF61]'
/** Where a scheme ends or the last part of a host begins. The part before it is searched backwards, so that a long word is read only once. */
const schemeEnd = /[a-z0-9+.-]:\/\/\S/iu
const lastPart = /[\p{L}\p{N}_-][.\u3002\uFF0E\uFF61]\p{L}{2}/u
const ofScheme = /[a-z0-9+.-]/i
const ofHost = /[\p{L}\p{N}_.\u3002\uFF0E\uFF61-]/u
const mailAddress = /^[^\s@<>()]+@[^\s@<>()]+$/

/**
 * A text in which mail programs find no web address to link: schemes are left out, and a word joiner is put before
 * each dot. Where the reader is better served by an address that can be copied, `mail: 'kept'` leaves mail addresses whole.
 */
export function defuseLinks(text: string, { mail = 'broken' }: { mail?: 'kept' | 'broken' } = {}): string {
  return text
    .split(/(\s+)/)
    .map((word) =>
      mail === 'kept' && mailAddress.test(trimCharacters(word, '<(>).,;:!?')) && !word.includes('//')
        ? word
        : broken(word),
    )
    .join('')
}

/** Where in a word an address begins: one with a scheme, or what looks like a host. All that follows belongs to it. */
function addressStart(word: string): number | undefined {
  const startBefore = (end: RegExp, character: RegExp): number | undefined => {
    let at = end.exec(word)?.index
    if (at === undefined) return undefined
    while (at > 0 && character.test(word.charAt(at - 1))) at -= 1
    return at
  }
  const starts = [startBefore(schemeEnd, ofScheme), startBefore(lastPart, ofHost)].filter(
    (start) => start !== undefined,
  )
  return starts.length > 0 ? Math.min(...starts) : undefined
}

function broken(word: string): string {
  const start = addressStart(word)
  const plain = start === undefined ? word : word.slice(0, start) + withoutDots(word.slice(start))
  return plain.replaceAll('@', (sign, at: number) => (at > 0 && at < plain.length - 1 ? `${joiner}${sign}` : sign))
}

const withoutDots = (address: string): string =>
  address
    .replace(/^[a-z][a-z0-9+.-]*:\/+/i, '')
    .replaceAll(new RegExp(`(${dots})(?=\\S)`, 'gu'), `${joiner}$1`)
    .replaceAll('://', `${joiner}:`)

/** A text split at the given addresses: every second part is one of them. */
export function splitAtLinks(text: string, links: readonly string[]): string[] {
  if (links.length === 0) return [text]
  const known = links
    .toSorted((a, b) => b.length - a.length)
    .map((link) => link.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return text.split(new RegExp(`(${known.join('|')})`))
}
