import { shortTitle } from '@flashsheet/contracts/posts/rules'

/** The mail about a post that did not reach some of its pages, or (`reachesSome` false) none; `reasons` has one line a page, with its network. */
export function postFailedTexts(title: string, reasons: readonly string[], reachesSome: boolean): string[] {
  return [
    reachesSome ? `“${shortTitle(title)}” did not reach every page:` : `“${shortTitle(title)}” could not be published:`,
    ...reasons,
  ]
}
