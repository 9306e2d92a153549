/** The mail about a post that did not reach some of its pages, or (`reachesSome` false) none; `reasons` has one line a page, with its network. */
export function postFailedTexts(title: string, reasons: readonly string[], reachesSome: boolean): string[] {
  return [
    reachesSome ? `“${shortened(title)}” did not reach every page:` : `“${shortened(title)}” could not be published:`,
    ...reasons,
  ]
}

function shortened(title: string): string {
  const [line = ''] = title.split('\n')
  return line.length > 80 ? `${line.slice(0, 79)}…` : line
}
