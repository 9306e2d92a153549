import { expect, test } from 'vitest'
import { readConfig } from '../core/config.ts'
import { freePorts } from '../testing/ports.ts'
import { createMailGateway } from './mail.ts'

test('reports why each of several simultaneous mails was not sent', async () => {
  const [port = 0] = await freePorts(1)
  const config = readConfig({ SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'a@b.example' })
  const gateway = createMailGateway(config)
  const mail = { to: 'ida@home.example', subject: '', text: '', html: '', calendar: null, replyTo: null }
  const sent = await Promise.allSettled(
    ['one', 'two', 'three'].map(async (messageId) => await gateway.send({ ...mail, messageId })),
  )
  for (const { reason } of sent as PromiseRejectedResult[]) expect(String(reason)).toContain('ECONNREFUSED')
})
