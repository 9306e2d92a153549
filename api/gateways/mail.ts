import { createTransport, type Transporter } from 'nodemailer'
import * as fs from 'node:fs/promises'
import type { Config } from '../core/config.ts'
import { assertNoConnectionHeld } from '../core/connection-held-guard.ts'
import type { StoredMail } from '@flashsheet/db/outbox'
import { withTimeout } from '@flashsheet/db/with-timeout'

type OutgoingMail = Omit<StoredMail, 'id' | 'createdAt' | 'about'> & { messageId: string }

/** The method of a calendar file (REQUEST, CANCEL), which the mail repeats in its headers. */
const methodOf = (calendar: string) => /^METHOD:(\w+)/m.exec(calendar)?.[1] ?? 'PUBLISH'

/** The limit for sending one mail: the socket's time-outs do not end a call to a server that answers but never finishes. */
const sendMs = 2 * 60_000

/** Sends mail over SMTP; without SMTP_URL to the sandbox, whose port is read at the first mail. */
export function createMailGateway(config: Config) {
  let transport: Transporter | undefined
  const connect = async (): Promise<Transporter> => {
    if (!config.mail) throw new Error('No mail server is set: SMTP_URL is missing.')
    const url = config.mail.url ?? `smtp://127.0.0.1:${(await fs.readFile(config.mail.portFile, 'utf8')).trim()}`
    return createTransport({ url, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 })
  }
  return {
    /** Sends one mail to the SMTP server. Throws when the server did not accept it. */
    async send({ to, subject, text, html, messageId, replyTo, calendar }: OutgoingMail): Promise<void> {
      assertNoConnectionHeld('the mail server')
      const used = transport ?? (await connect())
      transport = used
      try {
        const sending = used.sendMail({
          from: config.mail?.from,
          to,
          subject,
          text,
          html,
          messageId: `<${messageId}>`,
          ...(replyTo === null ? {} : { replyTo }),
          ...(calendar === null
            ? {}
            : { icalEvent: { method: methodOf(calendar), filename: 'appointment.ics', content: calendar } }),
        })
        if ((await withTimeout(sending, sendMs, 'late')) === 'late') throw new Error('the mail server took too long')
      } catch (error) {
        // The sandbox may restart on another port. A mail that failed at the same time may have got a new transport.
        used.close()
        if (transport === used) transport = undefined
        throw error
      }
    },
    stop: (): void => transport?.close(),
  }
}
