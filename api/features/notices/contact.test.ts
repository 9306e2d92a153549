import { authMessages } from '@flashsheet/contracts/auth/messages'
import { noticeMessages } from '@flashsheet/contracts/notices/messages'
import { errorMessages } from '@flashsheet/contracts/errors/messages'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../core/config.ts'
import { createArtist } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { mailTo } from '../../testing/sandbox.ts'
import { contactMail } from './mails.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({
    env: { RATE_LIMITS: 'on', SUPPORT_EMAIL: 'help@flashsheet.example', TRUSTED_PROXIES: '127.0.0.1,::1' },
  })
})
afterAll(async () => await app?.stop())

const message = { name: 'Ida Blom', email: 'ida@studio.example', message: 'My reel is stuck.\n\nWhat now?' }
/** Sends the contact form from an IP address. */
function from(ip: string) {
  const visitor = app.visitor()
  return async (body: Record<string, unknown>) => {
    const response = await visitor.fetch('/trpc/notices.contact', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': ip },
      body: JSON.stringify(body),
    })
    const answer = (await response.json()) as {
      result?: { data: { message: string } }
      error?: { data: { httpStatus: number; refusal: { message: string; fields?: Record<string, string> } } }
    }
    return answer.error
      ? { status: answer.error.data.httpStatus, ...answer.error.data.refusal }
      : { status: 200, message: answer.result?.data.message }
  }
}

describe('the contact form rejects', () => {
  test.each([
    ['no name', { name: ' ' }, { name: authMessages.nameRequired }],
    ['no address', { email: '' }, { email: authMessages.emailRequired }],
    ['an invalid address', { email: 'ida' }, { email: authMessages.emailInvalid }],
    ['two addresses', { email: 'a@b.example, c@d.example' }, { email: authMessages.emailInvalid }],
    ['no message', { message: ' \n' }, { message: noticeMessages.messageRequired }],
    ['a message that is too long', { message: 'x'.repeat(5001) }, { message: noticeMessages.messageTooLong }],
  ])('%s', async (_what, change, fields) => {
    expect(await from('198.51.100.1')({ ...message, ...change })).toMatchObject({ status: 400, fields })
  })

  test('a sixth message an hour from one IP address, and a fourth for one mail address', async () => {
    const one = from('198.51.100.2')
    for (let n = 0; n < 5; n++) expect((await one({ ...message, email: `n${n}@studio.example` })).status).toBe(200)
    expect(await one({ ...message, email: 'n6@studio.example' })).toMatchObject({
      status: 429,
      message: errorMessages.tooMany,
    })
    for (let n = 0; n < 3; n++)
      expect((await from(`198.51.100.${10 + n}`)({ ...message, email: 'same@studio.example' })).status).toBe(200)
    expect((await from('198.51.100.20')({ ...message, email: 'same@studio.example' })).status).toBe(429)
    app.clock.advance(3_600_001)
    expect((await one(message)).status).toBe(200)
  })
})

describe('a message', () => {
  test('is mailed only to support, with a reply address', async () => {
    expect(await from('198.51.100.3')({ ...message, name: 'Ida\r\nBcc: all of them' })).toEqual({
      status: 200,
      message: noticeMessages.contactSent,
    })
    const mail = await mailTo(app, 'help@flashsheet.example', /Bcc/)
    expect(mail.subject).toBe('Message from Ida Bcc: all of them')
    expect(mail.text).toContain('What now?')
    expect(mail.text).toContain('mailto:ida@studio.example')
    expect(mail.text).toContain('not signed in')
    const all = (await (await fetch(`${app.sandboxUrl}/_control/mail`)).json()) as { to: string }[]
    expect(new Set(all.map((one) => one.to))).toEqual(new Set(['help@flashsheet.example']))
  })

  test('is answered to its sender, not to the address that sends all mails', () => {
    expect(contactMail({ ...message, account: undefined, isSuspectedSpam: false }).replyTo).toBe('ida@studio.example')
  })

  test('with the honeypot filled in is marked as possible spam, and not dropped', async () => {
    expect(
      await from('198.51.100.4')({ ...message, name: 'Cheap Followers', honeypot: 'https://followers.example' }),
    ).toEqual({ status: 200, message: noticeMessages.contactSent })
    const mail = await mailTo(app, 'help@flashsheet.example', /Cheap Followers/)
    expect(mail.subject).toBe('Possible spam: message from Cheap Followers')
    expect(mail.text).not.toContain('followers.example')
  })

  test('of an artist names the account, and is deleted with it', async () => {
    const artist = await createArtist(app, { name: 'Zoe Marrow' })
    await artist.trpc.notices.contact.mutate({ ...message, name: artist.name, email: artist.email })
    const mail = await mailTo(app, 'help@flashsheet.example', /Zoe Marrow/)
    expect(mail.text).toContain(`signed in as ${artist.email}`)
    const [row] = await app.client.sql<
      { user_id: string }[]
    >`select user_id from mails where subject = 'Message from Zoe Marrow'`
    expect(row?.user_id).toBe(artist.id)
  })
})

test.each([
  [{}, 'hello@flashsheet.example'],
  [{ ADMIN_EMAIL: 'boss@studio.example' }, 'boss@studio.example'],
  [{ ADMIN_EMAIL: 'boss@studio.example', SUPPORT_EMAIL: 'help@studio.example' }, 'help@studio.example'],
  [{ SMTP_URL: 'smtp://mail.example', MAIL_FROM: 'Flashsheet <us@studio.example>' }, 'us@studio.example'],
  [{ SANDBOX: 'off' }, undefined],
])('messages go to the configured address: %o', (env, expected) => {
  expect(readConfig({ SECRET_KEY: 'x'.repeat(40), ...env }).supportEmail).toBe(expected)
})
