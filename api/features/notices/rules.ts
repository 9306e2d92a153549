import { type NoticeKind, noticeKinds, noticeMailDefaults } from '@flashsheet/contracts/notices/limits'
import type { NoticeMails } from '@flashsheet/contracts/notices/schema'
import type { MailChoiceRow } from './queries.ts'

/**
 * Whether a notice of this kind is mailed, given the artist's choice, if any. Kinds that are always mailed are mailed
 * by their slice.
 */
export function isMailed(kind: NoticeKind, chosen: boolean | null): boolean {
  const fallback = noticeMailDefaults[kind]
  return fallback !== 'always' && (chosen ?? fallback === 'on')
}

/** Which kinds are mailed. */
export function mailsOf(choices: readonly MailChoiceRow[]): NoticeMails {
  const chosen = new Map(choices.map((choice) => [choice.kind, choice.mail]))
  const entries = noticeKinds.map(
    (kind) => [kind, noticeMailDefaults[kind] === 'always' || isMailed(kind, chosen.get(kind) ?? null)] as const,
  )
  return Object.fromEntries(entries) as NoticeMails
}
