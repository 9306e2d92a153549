import type { Tx } from '@flashsheet/db/client'
import { findUnsentMail, insertMail, markMailSent } from '@flashsheet/db/outbox'
import { z } from 'zod'
import type { System } from './context.ts'
import { newId } from './ids.ts'
import { defineQueue } from './jobs.ts'
import { mailHtml, mailPlain, type MailText } from './mail-layout.ts'

export type { MailText }

export const sendMailQueue = defineQueue('mail.send', z.object({ mailId: z.uuid() }))

/** Stores a mail and the job that sends it, in the caller's transaction. */
export async function queueMail(system: System, tx: Tx, to: string, text: MailText): Promise<void> {
  const id = newId()
  await insertMail(tx, { id, to, subject: text.subject, text: mailPlain(text), html: await mailHtml(text), calendar: text.calendar ?? null, createdAt: system.now() })
  await system.jobs.send(tx, sendMailQueue, { mailId: id })
}

/** Sends one stored mail; running twice sends once unless the process died between the two (mail knows no more). */
export async function sendStoredMail(system: System, mailId: string): Promise<void> {
  const mail = await findUnsentMail(system.db, mailId)
  if (!mail) return
  await system.gateways.mail.send({ to: mail.to, subject: mail.subject, text: mail.text, html: mail.html, calendar: mail.calendar, messageId: `${mail.id}@flashsheet` })
  await markMailSent(system.db, mailId, system.now())
}
