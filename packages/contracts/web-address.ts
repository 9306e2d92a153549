/** Dots of other scripts, which browsers treat like `.`. */
const dots = /[\u3002\uFF0E\uFF61]/g

const scheme = /[a-z0-9+.-]:\/\/\S/i
const www = /\bwww\./i
/** What mail programs take for a host, such as `evil.example`: a letter or digit, a dot, and two or more letters. */
const host = /[\p{L}\p{N}_-]\.\p{L}{2,}/u
const mailbox = /\S@\S/

/** Whether mail programs may find a web or mail address in a text and turn it into a link. */
export function containsAddress(text: string): boolean {
  const plain = text.normalize('NFKC').replaceAll(dots, '.')
  return scheme.test(plain) || www.test(plain) || host.test(plain) || mailbox.test(plain)
}
