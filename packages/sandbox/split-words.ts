/** The words of a text, for long lists of names. */
export function splitWords(text: string): string[] {
  return text.split(/\s+/)
}
