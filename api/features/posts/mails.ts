/** The mail about a post that did not reach some of its pages; `reasons` has one line a page. */
export function postFailedWords(title: string, reasons: readonly string[]): string[] {
  return [`“${shortened(title)}” did not reach every page:`, ...reasons]
}

function shortened(title: string): string {
  const [line = ''] = title.split('\n')
  return line.length > 80 ? `${line.slice(0, 79)}…` : line
}
