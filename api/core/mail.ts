import type { Tx } from '@flashsheet/db/client'
import {
  claimMail,
  deleteOldMails,
  insertMail,
  listUnsentMails,
  markMailSent,
  releaseMail,
} from '@flashsheet/db/outbox'
import { z } from 'zod'
import type { System } from './context.ts'
import { newId } from './ids.ts'
import { defineQueue, NotYet } from './jobs.ts'
import { mailHtml, mailPlain, type MailText } from './mail-layout.ts'
import type { OwnerId } from './scope.ts'

export type { MailText }

/** Why a mail about log-in and access is sent: nobody can switch it off. */
export const securityReason = 'You are getting this email because it is about the security of your Flashsheet account.'

export const sendMailQueue = defineQueue('mail.send', z.object({ mailId: z.uuid() }))

/** One more try of a mail whose job gave up; the hourly run retries again. */
export const retryMailQueue = defineQueue('mail.again', z.object({ mailId: z.uuid() }), { retryLimit: 0 })

/** The address of a mail, and the artist with whose account it is deleted, if any. */
export type MailRecipient = { to: string; owner: OwnerId | null }

/** Stores a mail and the job that sends it, in the caller's transaction. */
export async function queueMail(system: System, tx: Tx, { to, owner }: MailRecipient, text: MailText): Promise<void> {
  const id = newId()
  await insertMail(tx, {
    id,
    userId: owner,
    to,
    ...(await mailContent(text)),
    calendar: text.calendar ?? null,
    replyTo: text.replyTo ?? null,
    createdAt: system.now(),
  })
  await system.jobs.send(tx, sendMailQueue, { mailId: id })
}

export async function mailContent(text: MailText): Promise<{ subject: string; text: string; html: string }> {
  return { subject: text.subject, text: mailPlain(text), html: await mailHtml(text) }
}

/** Longer than the gateway gives one mail (`gateways/mail.ts`): nobody hands over what somebody still does. */
const claimMs = 3 * 60_000

/**
 * Sends one stored mail, and empties it. However many ask at once, one hands it over; the others come back. A server whose
 * answer was lost is asked again with the same Message-ID: mail knows no more, and a mail twice is better than none.
 */
export async function sendStoredMail(system: System, mailId: string): Promise<void> {
  const claim = await claimMail(system.db, mailId, system.now(), new Date(system.now().getTime() + claimMs))
  if (claim.state === 'none') return
  if (claim.state === 'taken') throw new NotYet('somebody is handing this mail over')
  const { mail } = claim
  try {
    await system.gateways.mail.send({
      to: mail.to,
      subject: mail.subject,
      text: mail.text,
      html: mail.html,
      calendar: mail.calendar,
      replyTo: mail.replyTo,
      messageId: `${mail.id}@flashsheet`,
    })
  } catch (error) {
    await releaseMail(system.db, mailId)
    throw error
  }
  await markMailSent(system.db, mailId, system.now())
}

const hour = 60 * 60_000
/** By then a mail's own job has ended or waits long. */
const lookAfterMs = hour
const lookDays = 3
/** Days a mail is kept, for questions about it. */
const keptDays = 30
const perLook = 5000

/**
 * Tries each mail of the last three days once more that its own job could not send, and drops what is old. Runs each hour, so
 * that a mail server may be away for days.
 */
export async function retryStuckMails(system: System): Promise<void> {
  const now = system.now().getTime()
  const span = { from: new Date(now - lookDays * 24 * hour), to: new Date(now - lookAfterMs) }
  for (const mailId of await listUnsentMails(system.db, span, perLook))
    await system.jobs.send(system.db, retryMailQueue, { mailId })
  await deleteOldMails(system.db, new Date(now - keptDays * 24 * hour))
}
