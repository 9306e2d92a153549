import { trimCharacters } from './text.ts'

/** U+2060: invisible and not allowed in addresses, so no program recognises an address that contains it. */
const joiner = '\u2060'

const dots = '[.\\u3002\\uFF0E\\uFF61]'
/** The end of a scheme, or the last label of a host. The start is then searched backwards, so a long word is read only once. */
const schemeEnd = /[a-z0-9+.-]:\/\/\S/iu
const lastLabel = /[\p{L}\p{N}_-][.\u3002\uFF0E\uFF61]\p{L}{2}/u
const schemeCharacter = /[a-z0-9+.-]/i
const hostCharacter = /[\p{L}\p{N}_.\u3002\uFF0E\uFF61-]/u
const mailAddress = /^[^\s@<>()]+@[^\s@<>()]+$/

/**
 * Changes a text so that mail programs find no address to link: removes schemes and puts a word joiner before each dot.
 * `mail: 'kept'` leaves mail addresses unchanged, so that they can be copied.
 */
export function defuseLinks(text: string, { mail = 'broken' }: { mail?: 'kept' | 'broken' } = {}): string {
  return text
    .split(/(\s+)/)
    .map((word) =>
      mail === 'kept' && mailAddress.test(trimCharacters(word, '<(>).,;:!?')) && !word.includes('//')
        ? word
        : defuseWord(word),
    )
    .join('')
}

/** The index in a word at which a URL or a host begins. The rest of the word belongs to it. */
function addressStart(word: string): number | undefined {
  const startBefore = (end: RegExp, character: RegExp): number | undefined => {
    let at = end.exec(word)?.index
    if (at === undefined) return undefined
    while (at > 0 && character.test(word.charAt(at - 1))) at -= 1
    return at
  }
  const starts = [startBefore(schemeEnd, schemeCharacter), startBefore(lastLabel, hostCharacter)].filter(
    (start) => start !== undefined,
  )
  return starts.length > 0 ? Math.min(...starts) : undefined
}

function defuseWord(word: string): string {
  const start = addressStart(word)
  const plain = start === undefined ? word : word.slice(0, start) + defuseAddress(word.slice(start))
  return plain.replaceAll('@', (sign, at: number) => (at > 0 && at < plain.length - 1 ? `${joiner}${sign}` : sign))
}

const defuseAddress = (address: string): string =>
  address
    .replace(/^[a-z][a-z0-9+.-]*:\/+/i, '')
    .replaceAll(new RegExp(`(${dots})(?=\\S)`, 'gu'), `${joiner}$1`)
    .replaceAll('://', `${joiner}:`)

/** Splits a text at the given addresses: every second part is one of them. */
export function splitAtLinks(text: string, links: readonly string[]): string[] {
  if (links.length === 0) return [text]
  const known = links.toSorted((a, b) => b.length - a.length).map((link) => RegExp.escape(link))
  return text.split(new RegExp(`(${known.join('|')})`))
}
