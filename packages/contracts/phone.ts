/**
 * What a phone dials, for a `tel:` link: the first number of a text that somebody typed, without an extension such as
 * `x12` or `#12`.
 */
export function dialledNumber(phone: string): string {
  const number = /\+?\d(?:[^\p{L}\p{N}#,;:]*\d){2,}/u.exec(phone)?.[0] ?? phone
  return number.replaceAll(/[^\d+]/g, '')
}
