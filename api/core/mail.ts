import type { Tx } from '@flashsheet/db/client'
import { findUnsentMail, insertMail, markMailSent } from '@flashsheet/db/outbox'
import { z } from 'zod'
import type { System } from './context.ts'
import { newId } from './ids.ts'
import { defineQueue } from './jobs.ts'
import { mailHtml, mailPlain, type MailText } from './mail-layout.ts'
import type { OwnerId } from './scope.ts'

export type { MailText }

export const sendMailQueue = defineQueue('mail.send', z.object({ mailId: z.uuid() }))

/** Where a mail goes, and the artist whose account it is about: with that account it is deleted. Null: nobody's. */
export type Addressee = { to: string; owner: OwnerId | null }

/** Stores a mail and the job that sends it, in the caller's transaction. */
export async function queueMail(system: System, tx: Tx, { to, owner }: Addressee, text: MailText): Promise<void> {
  const id = newId()
  await insertMail(tx, { id, userId: owner, to, ...(await mailContent(text)), calendar: text.calendar ?? null, createdAt: system.now() })
  await system.jobs.send(tx, sendMailQueue, { mailId: id })
}

/** A mail in words and in HTML. */
export async function mailContent(text: MailText): Promise<{ subject: string; text: string; html: string }> {
  return { subject: text.subject, text: mailPlain(text), html: await mailHtml(text) }
}

/** Sends one stored mail; running twice sends once unless the process died between the two (mail knows no more). */
export async function sendStoredMail(system: System, mailId: string): Promise<void> {
  const mail = await findUnsentMail(system.db, mailId)
  if (!mail) return
  await system.gateways.mail.send({ to: mail.to, subject: mail.subject, text: mail.text, html: mail.html, calendar: mail.calendar, messageId: `${mail.id}@flashsheet` })
  await markMailSent(system.db, mailId, system.now())
}
