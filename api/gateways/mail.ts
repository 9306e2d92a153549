import { createTransport, type Transporter } from 'nodemailer'
import * as fs from 'node:fs/promises'
import type { Config } from '../core/config.ts'
import { assertNoConnectionHeld } from '../core/connection-held-guard.ts'
import type { StoredMail } from '@flashsheet/db/outbox'

type OutgoingMail = Omit<StoredMail, 'id' | 'createdAt' | 'about'> & { messageId: string }

/** The method of a calendar file (REQUEST, CANCEL), which the mail repeats in its headers. */
const methodOf = (calendar: string) => /^METHOD:(\w+)/m.exec(calendar)?.[1] ?? 'PUBLISH'

/** The limit for everything before the mail has been sent completely. A server that is given up then cannot accept the mail. */
const sendMs = 2 * 60_000
/** The limit for the answer to the complete mail (RFC 5321, 4.5.3.2.6): a server that is given up earlier may still accept it. */
const answerMs = 10 * 60_000

/** Sends mail over SMTP; without SMTP_URL to the sandbox, whose port is read for each mail because it changes when the sandbox restarts. */
export function createMailGateway(config: Config) {
  const connect = async (): Promise<Transporter> => {
    if (!config.mail) throw new Error('No mail server is set: SMTP_URL is missing.')
    const url = config.mail.url ?? `smtp://127.0.0.1:${(await fs.readFile(config.mail.portFile, 'utf8')).trim()}`
    return createTransport({ url, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: answerMs })
  }
  /** A Message-ID without a full domain name makes spam filters suspicious. */
  const domain = new URL(config.publicUrl).hostname
  return {
    /** Sends one mail to the SMTP server. Throws when the server did not accept it. */
    async send({ to, subject, text, html, messageId, replyTo, calendar }: OutgoingMail): Promise<void> {
      assertNoConnectionHeld('the mail server')
      const transport = await connect()
      const late = new AbortController()
      const abort = () => late.abort(new Error('the mail server took too long'))
      let timer = setTimeout(abort, sendMs)
      transport.use('stream', ({ message }, done) => {
        message.processFunc((content) =>
          content.once('end', () => {
            clearTimeout(timer)
            timer = setTimeout(abort, answerMs)
          }),
        )
        done()
      })
      try {
        await transport.sendMail({
          from: config.mail?.from,
          to,
          subject,
          text,
          html,
          messageId: `<${messageId}@${domain}>`,
          // A help desk would take a marked message of the contact form for an automatic one.
          ...(to === config.supportEmail ? {} : { headers: { 'auto-submitted': 'auto-generated' } }),
          ...(replyTo === null ? {} : { replyTo }),
          ...(calendar === null
            ? {}
            : { icalEvent: { method: methodOf(calendar), filename: 'appointment.ics', content: calendar } }),
          signal: late.signal,
        })
      } catch (error) {
        late.signal.throwIfAborted()
        throw error
      } finally {
        clearTimeout(timer)
      }
    },
  }
}
