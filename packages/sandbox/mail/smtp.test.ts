import { createTransport, type SentMessageInfo } from 'nodemailer'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startSandboxFixture, type SandboxFixture } from '../sandbox-fixture.ts'
import { linksIn } from './mailbox.ts'

type Mail = { to: string; from: string; subject: string; text: string; html: string; links: string[]; at: string }

let sandbox: SandboxFixture
beforeEach(async () => {
  sandbox = await startSandboxFixture()
})
afterEach(() => sandbox.remove())

async function send(change: Record<string, unknown> = {}): Promise<SentMessageInfo> {
  const transport = createTransport({ host: '127.0.0.1', port: sandbox.smtpPort })
  try {
    return await transport.sendMail({
      from: 'Flashsheet <hello@flashsheet.example>',
      to: 'ada@ink.example',
      subject: 'Verify your e-mail',
      text: 'Hello',
      ...change,
    })
  } finally {
    transport.close()
  }
}
const inbox = async (to?: string) =>
  (await sandbox.control('GET', `/mail${to ? `?to=${encodeURIComponent(to)}` : ''}`)) as Mail[]

test('a scripted refusal has its SMTP code and leaves no mail; the next attempt arrives', async () => {
  await sandbox.fault({ service: 'smtp', kind: 'status', status: 451, path: 'ada@' })
  await expect(send({ to: 'other@ink.example' })).resolves.toBeDefined()
  await expect(send()).rejects.toMatchObject({ responseCode: 451 })
  expect(await inbox('ada@ink.example')).toEqual([])
  await send()
  expect(await inbox('ada@ink.example')).toHaveLength(1)
})

test('drop loses the mail, drop-after-commit only its answer', async () => {
  await sandbox.fault({ service: 'smtp', kind: 'drop' })
  await expect(send()).rejects.toThrow()
  expect(await inbox()).toEqual([])
  await sandbox.fault({ service: 'smtp', method: 'DATA', kind: 'drop-after-commit' })
  await expect(send()).rejects.toThrow()
  await sandbox.fault({ service: 'smtp', kind: 'status-after-commit', status: 550 })
  await expect(send()).rejects.toMatchObject({ responseCode: 550 })
  expect(await inbox()).toHaveLength(2)
  const log = (await sandbox.control('GET', '/requests?service=smtp')) as {
    method: string
    path: string
    status: number
  }[]
  expect(log.map((one) => [one.method, one.path, one.status])).toEqual([
    ['DATA', '/ada@ink.example', 0],
    ['DATA', '/ada@ink.example', 0],
    ['DATA', '/ada@ink.example', 550],
  ])
})

test('lists mail newest first, by recipient whatever the case, with its links in order', async () => {
  await send({ subject: 'first' })
  await send({ to: 'BOB@ink.example', subject: 'second' })
  await send({
    subject: 'third – ünï',
    text: 'Open https://flashsheet.example/verify?token=abc&x=1. Thanks',
    html: '<p>Hi <a class="b" href="https://flashsheet.example/verify?token=abc&amp;x=1">verify</a> <a href="mailto:x@y.example">mail</a></p>',
  })
  expect((await inbox()).map((one) => one.subject)).toEqual(['third – ünï', 'second', 'first'])
  const [mail, ...rest] = await inbox('ADA@ink.example')
  expect(rest).toHaveLength(1)
  expect(Object.keys(mail!).toSorted()).toEqual(['at', 'from', 'html', 'links', 'subject', 'text', 'to'])
  expect(mail).toMatchObject({
    to: 'ada@ink.example',
    from: 'hello@flashsheet.example',
    links: ['https://flashsheet.example/verify?token=abc&x=1'],
  })
  expect(await inbox('bob@ink.example')).toHaveLength(1)
  expect(await inbox('da@ink.example')).toEqual([])
})

test('links of the text come after those of the HTML, and only http(s) links are listed', () => {
  const html = `<a href='https://a.example/1'>1</a><a href="javascript:alert(1)">2</a><a href="/relative">3</a>`
  expect(linksIn(html, 'see https://b.example/2, https://a.example/1 and ftp://c.example')).toEqual([
    'https://a.example/1',
    'https://b.example/2',
  ])
})

test('the inbox page shows the list, a frame without scripts, and attachments', async () => {
  expect(await (await fetch(`${sandbox.url}/inbox`)).text()).toContain('No mail yet')
  const ics = 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n'
  await send({
    subject: '<script>alert(1)</script>',
    html: '<p onclick="x()">Your <b>booking</b></p>',
    attachments: [{ filename: 'booking.ics', content: ics, contentType: 'text/calendar' }],
  })
  const list = await (await fetch(`${sandbox.url}/inbox`)).text()
  expect(list).toContain('&lt;script&gt;')
  expect(list).not.toContain('<script>')
  const path = /href="(\/inbox\/\d+)"/.exec(list)![1]!
  const shown = await (await fetch(sandbox.url + path)).text()
  expect(shown).toContain('sandbox="allow-popups')
  expect(shown).not.toContain('allow-scripts')
  expect(shown).toContain('booking.ics')
  expect(await (await fetch(`${sandbox.url}${path}/attachments/0`)).text()).toBe(ics)
  expect((await fetch(`${sandbox.url}${path}/attachments/9`)).status).toBe(404)
  expect((await fetch(`${sandbox.url}/inbox/999`)).status).toBe(404)
  expect(await (await fetch(`${sandbox.url}/`)).text()).toContain('Sandbox')
})

test('mail survives a restart on the same port, and a reset deletes it', async () => {
  await send()
  sandbox = await sandbox.restart()
  await send({ subject: 'again' })
  expect((await inbox()).map((one) => one.subject)).toEqual(['again', 'Verify your e-mail'])
  await sandbox.control('POST', '/reset')
  expect(await inbox()).toEqual([])
})
