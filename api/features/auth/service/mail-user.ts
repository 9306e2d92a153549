import type { Tx } from '@flashsheet/db/client'
import type { System } from '../../../core/context.ts'
import { queueMail, type MailText } from '../../../core/mail.ts'
import { ownerScope } from '../../../core/scope.ts'
import type { UserRow } from '../queries.ts'

/** Mails a user about their account, in the caller's transaction. Mails `about` the same thing arrive in order. */
export async function mailUser(
  system: System,
  tx: Tx,
  { id, email }: Pick<UserRow, 'id' | 'email'>,
  text: MailText,
  about?: string,
) {
  await queueMail(system, tx, { to: email, owner: ownerScope(id), about }, text)
}
