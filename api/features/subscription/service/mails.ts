import type { Tx } from '@flashsheet/db/client'
import type { System } from '../../../core/context.ts'
import { queueMail, type MailText } from '../../../core/mail.ts'
import type { OwnerId } from '../../../core/scope.ts'
import { notifyArtist, type ArtistNotice } from '../../notices/service.ts'
import { endedMail, endingMail, paymentFailedMail, receiptMail, welcomeMail } from '../mails.ts'
import { findBillingRecipient, insertBillingMail, type BillingRecipient } from '../queries.ts'
import type { BillingMail } from '../rules/mails.ts'

/**
 * Sends the mails that were not sent before, and in-app notices for those that need the artist, in the transaction that
 * writes the change.
 */
export async function sendBillingMails(
  system: System,
  tx: Tx,
  owner: OwnerId,
  due: readonly BillingMail[],
): Promise<void> {
  if (due.length === 0) return
  const recipient = await findBillingRecipient(tx, owner)
  if (!recipient) return
  for (const mail of due) {
    if (!(await insertBillingMail(tx, owner, mail.key, system.now()))) continue
    // An artist who deletes the account was already informed of what ends, and is not invited back.
    if (recipient.isBeingDeleted && (mail.kind === 'ended' || mail.kind === 'ending')) continue
    const text = textOf(system, recipient, mail)
    await queueMail(system, tx, { to: recipient.email, owner }, text)
    const action = noticeAction(mail)
    if (action !== undefined) await notifyArtist(system, tx, owner, billingNotice(mail.key, text, action))
  }
}

/** The in-app notice for a mail that needs the artist, with the same text. */
export function billingNotice(key: string, text: MailText, action: string): ArtistNotice {
  return {
    kind: 'billing',
    dedupeKey: key,
    title: text.subject,
    text: text.paragraphs.slice(0, 2).join(' '),
    link: '/subscription',
    action,
  }
}

function noticeAction(mail: BillingMail): string | undefined {
  if (mail.kind === 'failed') return mail.problem === 'authentication' ? 'Confirm payment' : 'Pay now'
  return mail.kind === 'ended' ? 'See the plans' : undefined
}

function textOf(system: System, recipient: BillingRecipient, mail: BillingMail): MailText {
  const { publicUrl } = system.config
  const billingUrl = `${publicUrl}/subscription`
  switch (mail.kind) {
    case 'welcome':
      return welcomeMail(recipient, mail.plan, mail.isReturn, `${publicUrl}/new-post`)
    case 'receipt':
      return receiptMail(recipient, mail.plan, mail.invoice, billingUrl)
    case 'failed':
      return paymentFailedMail(recipient, mail, billingUrl)
    case 'ending':
      return endingMail(recipient, mail.plan, mail.endsAt, false, billingUrl)
    case 'ended':
      return endedMail(recipient, mail.plan, mail, billingUrl)
  }
}
