import type { Tx } from '@flashsheet/db/client'
import { findUnsentMail, insertMail, markMailSent } from '@flashsheet/db/outbox'
import { html } from 'hono/html'
import { z } from 'zod'
import type { System } from './context.ts'
import { newId } from './ids.ts'
import { defineQueue } from './jobs.ts'

/** What a mail says: paragraphs, one button, and a plain reason why it was sent. */
export type MailText = {
  subject: string
  greeting: string
  paragraphs: string[]
  button?: { label: string; url: string }
  reason: string
}

export const sendMailQueue = defineQueue('mail.send', z.object({ mailId: z.uuid() }))

/** Stores a mail and the job that sends it, in the caller's transaction. */
export async function queueMail(system: System, tx: Tx, to: string, text: MailText): Promise<void> {
  const id = newId()
  const plain = [
    text.greeting,
    ...text.paragraphs,
    ...(text.button ? [`${text.button.label}: ${text.button.url}`] : []),
    `--\n${text.reason}`,
  ].join('\n\n')
  await insertMail(tx, { id, to, subject: text.subject, text: plain, html: await mailHtml(text), createdAt: system.now() })
  await system.jobs.send(tx, sendMailQueue, { mailId: id })
}

/** Sends one stored mail; running twice sends once unless the process died between the two (mail knows no more). */
export async function sendStoredMail(system: System, mailId: string): Promise<void> {
  const mail = await findUnsentMail(system.db, mailId)
  if (!mail) return
  await system.gateways.mail.send({ to: mail.to, subject: mail.subject, text: mail.text, html: mail.html, messageId: `${mail.id}@flashsheet` })
  await markMailSent(system.db, mailId, system.now())
}

async function mailHtml(text: MailText): Promise<string> {
  return String(
    await html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <meta name="color-scheme" content="light dark" />
    <title>${text.subject}</title>
    <style>
      body { margin: 0; padding: 24px; background: #f6f1e7; color: #1c1917; font: 16px/1.5 -apple-system, 'Segoe UI', Roboto, sans-serif; }
      main { max-width: 520px; margin: 0 auto; background: #fffdf8; border: 1px solid #d9cfbd; border-radius: 12px; padding: 32px; }
      a.button { display: inline-block; padding: 12px 20px; border-radius: 6px; background: #b3261e; color: #ffffff; text-decoration: none; font-weight: 600; }
      small { color: #6b6257; }
      @media (prefers-color-scheme: dark) {
        body { background: #171412; color: #f3ece0; }
        main { background: #211d1a; border-color: #3d3630; }
        small { color: #b5aa9b; }
      }
    </style>
  </head>
  <body>
    <main>
      <p>${text.greeting}</p>
      ${text.paragraphs.map((paragraph) => html`<p>${paragraph}</p>`)}
      ${text.button ? html`<p><a class="button" href="${text.button.url}">${text.button.label}</a></p>` : ''}
      <p><small>${text.reason}</small></p>
    </main>
  </body>
</html>`,
  )
}
