import { type NoticeKind, noticeKinds, noticeMailDefaults } from '@flashsheet/contracts/notices/limits'
import type { NoticeMails } from '@flashsheet/contracts/notices/schema'
import type { MailChoiceRow } from './queries.ts'

/** Whether telling of this kind sends a mail, given what the artist chose, if anything. Kinds mailed always are mailed by their slice. */
export function isMailed(kind: NoticeKind, chosen: boolean | null): boolean {
  const fallback = noticeMailDefaults[kind]
  return fallback !== 'always' && (chosen ?? fallback === 'on')
}

/** Which kinds come by mail. */
export function mailsOf(choices: readonly MailChoiceRow[]): NoticeMails {
  const chosen = new Map(choices.map((choice) => [choice.kind, choice.mail]))
  const entries = noticeKinds.map(
    (kind) => [kind, noticeMailDefaults[kind] === 'always' || isMailed(kind, chosen.get(kind) ?? null)] as const,
  )
  return Object.fromEntries(entries) as NoticeMails
}
