import { once } from 'node:events'
import * as fs from 'node:fs'
import * as net from 'node:net'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { readConfig } from '../core/config.ts'
import { freePorts } from '../testing/ports.ts'
import { createMailGateway } from './mail.ts'

const mail = { to: 'ida@home.example', subject: '', text: '', html: '', calendar: null, replyTo: null }

/** An SMTP server that accepts every mail. It answers a command or a mail when `ready` has resolved. */
async function startMailServer(ready: (received: string, socket: net.Socket) => Promise<void> = async () => {}) {
  const mails: string[] = []
  const server = net.createServer((socket) => {
    let received = ''
    let isContent = false
    socket.on('error', () => {})
    socket.write('220 ready\r\n')
    socket.setEncoding('utf8').on('data', (text: string) => {
      received += text
      if (!received.endsWith(isContent ? '\r\n.\r\n' : '\r\n')) return
      const whole = received
      received = ''
      if (isContent) mails.push(whole)
      isContent = !isContent && whole.startsWith('DATA')
      const answer = isContent ? '354 go on\r\n' : '250 done\r\n'
      void ready(whole, socket).then(() => socket.write(answer))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { mails, port: (server.address() as net.AddressInfo).port }
}

test('reports why each of several simultaneous mails was not sent', async () => {
  const [port = 0] = await freePorts(1)
  const config = readConfig({ SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'a@b.example' })
  const gateway = createMailGateway(config)
  const sent = await Promise.allSettled(
    ['one', 'two', 'three'].map(async (messageId) => await gateway.send({ ...mail, messageId })),
  )
  for (const { reason } of sent as PromiseRejectedResult[]) expect(String(reason)).toContain('ECONNREFUSED')
})

test('a mail has a Message-ID with the domain of the product, the given Reply-To, and the method of its calendar file', async () => {
  const { mails, port } = await startMailServer()
  const settings = {
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: 'a@b.example',
    PUBLIC_URL: 'https://app.ink.example',
  }
  const gateway = createMailGateway(readConfig(settings))
  const calendar = 'BEGIN:VCALENDAR\r\nMETHOD:CANCEL\r\nEND:VCALENDAR'
  await gateway.send({ ...mail, messageId: 'one', replyTo: 'mara@ink.example', calendar })
  expect(mails).toHaveLength(1)
  expect(mails[0]).toMatch(/^Message-ID: <one@app\.ink\.example>/m)
  expect(mails[0]).toMatch(/^Reply-To: mara@ink.example/m)
  expect(mails[0]).toMatch(/^Content-Type: text\/calendar;.*method=CANCEL/m)
})

test('a mail is marked as automatic, so that no out-of-office reply answers it, unless it is for support', async () => {
  const { mails, port } = await startMailServer()
  const settings = { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'a@b.example', SUPPORT_EMAIL: 'help@b.example' }
  const gateway = createMailGateway(readConfig(settings))
  await gateway.send({ ...mail, messageId: 'one' })
  await gateway.send({ ...mail, messageId: 'two', to: 'help@b.example' })
  expect(mails.map((one) => /^Auto-Submitted: auto-generated\r$/m.test(one))).toEqual([true, false])
})

test('after a failure the next mail goes to the port on which the sandbox listens now', async () => {
  const folder = fs.mkdtempSync(path.join(tmpdir(), 'flashsheet-mail-'))
  onTestFinished(() => fs.rmSync(folder, { recursive: true }))
  const portFile = path.join(folder, 'port')
  const [closed = 0] = await freePorts(1)
  const { mails, port } = await startMailServer()
  const gateway = createMailGateway({ ...readConfig({}), mail: { url: undefined, from: 'a@b.example', portFile } })
  fs.writeFileSync(portFile, `${closed}\n`)
  await expect(gateway.send({ ...mail, messageId: 'one' })).rejects.toThrow('ECONNREFUSED')
  fs.writeFileSync(portFile, `${port}\n`)
  await gateway.send({ ...mail, messageId: 'two' })
  expect(mails).toHaveLength(1)
})

describe('a server that answers late', () => {
  const minutes = (count: number) => vi.advanceTimersByTime(count * 60_000)
  const send = async (port: number) => {
    const config = readConfig({ SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'a@b.example' })
    await createMailGateway(config).send({ ...mail, messageId: 'one' })
  }
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const silence = new Map<net.Socket, NodeJS.Timeout>()
    // Node's timer for the silence of a socket is not one that can be faked.
    vi.spyOn(net.Socket.prototype, 'setTimeout').mockImplementation(function (this: net.Socket, ms) {
      clearTimeout(silence.get(this))
      if (ms > 0)
        silence.set(
          this,
          setTimeout(() => this.emit('timeout'), ms),
        )
      return this
    })
  })
  afterEach(() => {
    vi.restoreAllMocks()
    vi.useRealTimers()
  })

  test('is given up after two minutes, and does not get the mail afterwards', async () => {
    const closed = Promise.withResolvers<void>()
    const { mails, port } = await startMailServer(async (received, socket) => {
      if (!received.startsWith('MAIL')) return
      socket.once('close', () => closed.resolve())
      minutes(3)
      await closed.promise
    })
    await expect(send(port)).rejects.toThrow('the mail server took too long')
    await closed.promise
    expect(mails).toEqual([])
  })

  test('has ten minutes to accept the complete mail', async () => {
    const { mails, port } = await startMailServer(async (received) => {
      if (received.endsWith('\r\n.\r\n')) minutes(9)
      await Promise.resolve()
    })
    await send(port)
    expect(mails).toHaveLength(1)
  })

  test('is given up if it has not accepted the complete mail by then', async () => {
    const { port } = await startMailServer(async (received, socket) => {
      if (!received.endsWith('\r\n.\r\n')) return
      minutes(11)
      await once(socket, 'close')
    })
    await expect(send(port)).rejects.toThrow('the mail server took too long')
  })
})
