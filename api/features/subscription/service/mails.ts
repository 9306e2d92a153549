import type { Tx } from '@flashsheet/db/client'
import type { System } from '../../../core/context.ts'
import { queueMail, type MailText } from '../../../core/mail.ts'
import type { OwnerId } from '../../../core/scope.ts'
import { endedMail, endingMail, paymentFailedMail, receiptMail, welcomeMail } from '../mails.ts'
import { findReader, insertBillingMail, type Reader } from '../queries.ts'
import type { BillingMail } from '../rules/mails.ts'

/** Sends the mails that were not sent before, in the transaction that writes what they tell of. */
export async function sendBillingMails(system: System, tx: Tx, owner: OwnerId, due: readonly BillingMail[]): Promise<void> {
  if (due.length === 0) return
  const reader = await findReader(tx, owner)
  if (!reader) return
  for (const mail of due) {
    if (!(await insertBillingMail(tx, owner, mail.key, system.now()))) continue
    // Who deletes the account was told what ends with it, and is not asked back.
    if (reader.isLeaving && (mail.kind === 'ended' || mail.kind === 'ending')) continue
    await queueMail(system, tx, { to: reader.email, owner }, textOf(system, reader, mail))
  }
}

function textOf(system: System, reader: Reader, mail: BillingMail): MailText {
  const { publicUrl } = system.config
  const billingUrl = `${publicUrl}/subscription`
  switch (mail.kind) {
    case 'welcome':
      return welcomeMail(reader, mail.plan, mail.back, `${publicUrl}/new-post`)
    case 'receipt': {
      const { amountPaid, currency, paidAt, issuedAt, number, payUrl } = mail.invoice
      return receiptMail(reader, mail.plan, { amount: amountPaid, currency, at: paidAt ?? issuedAt, number, url: payUrl }, billingUrl)
    }
    case 'failed': {
      const { amountDue, currency, nextTryAt, payUrl } = mail.invoice
      return paymentFailedMail(reader, mail.plan, { amount: amountDue, currency, nextTryAt, url: payUrl ?? billingUrl, problem: mail.problem, held: mail.held })
    }
    case 'ending':
      return endingMail(reader, mail.plan, mail.endsAt, false, billingUrl)
    case 'ended':
      return endedMail(reader, mail.plan, { at: mail.endedAt, unpaid: mail.unpaid }, billingUrl)
  }
}
