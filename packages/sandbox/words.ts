/** The words of a text, for long lists of names. */
export function words(text: string): string[] {
  return text.split(/\s+/)
}
