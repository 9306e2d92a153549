import type { PublishedExtras } from './context.ts'

/** The extras of a post whose media have these alternative texts; none if all are empty. */
export function altTextsOf(altTexts: string[]): { extras?: PublishedExtras } {
  return altTexts.some((text) => text !== '') ? { extras: { altTexts } } : {}
}
