import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import PostalMime from 'postal-mime'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import { fireFaults } from '../faults.ts'
import { logRequest } from '../request-log.ts'
import type { Fault, SandboxContext } from '../context.ts'
import { storeMail } from './mailbox.ts'

/**
 * Receives mail on `port` (0: any free port) without TLS and with any login. For the log and for faults a mail is one
 * request: method `DATA`, path `/<recipients>?from=…&subject=…`. A scripted status is the SMTP code of the answer to it.
 */
export async function startSmtp(
  sandbox: SandboxContext,
  port: number,
): Promise<{ port: number; stop(): Promise<void> }> {
  const sockets = new Map<number, Socket>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    size: 40 * 1024 * 1024,
    onAuth: (auth, _, callback) => callback(null, { user: auth.username ?? 'anyone' }),
    onData(stream, session, callback) {
      receive(sandbox, stream, session, () => sockets.get(session.remotePort ?? 0)?.destroy()).then(
        (refusal) => callback(refusal ?? null),
        (error: unknown) => {
          console.error('sandbox smtp', error)
          callback(refused(451, 'The sandbox failed'))
        },
      )
    },
  })
  server.on('error', () => {
    // A client that disconnects is no error.
  })
  server.server.on('connection', (socket: Socket) => {
    const remote = socket.remotePort ?? 0
    sockets.set(remote, socket)
    socket.once('close', () => sockets.delete(remote))
  })
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  return {
    port: (server.server.address() as AddressInfo).port,
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(resolve))
      for (const socket of sockets.values()) socket.destroy()
      await closed
    },
  }
}

function refused(code: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode: code })
}

/** Receives one mail and applies its faults. Returns the refusal, if any. */
async function receive(
  sandbox: SandboxContext,
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
  hangUp: () => void,
): Promise<Error | undefined> {
  const pieces: Buffer[] = []
  for await (const piece of stream) pieces.push(piece as Buffer)
  const raw = Buffer.concat(pieces)
  if (stream.sizeExceeded) return refused(552, 'Message exceeds the fixed maximum message size')
  const envelope = {
    from: session.envelope.mailFrom ? session.envelope.mailFrom.address : '',
    to: session.envelope.rcptTo.map((one) => one.address),
  }
  const query = { from: envelope.from, subject: (await PostalMime.parse(raw)).subject ?? '' }
  const path = `/${envelope.to.join(',')}`
  const { delayMs, fault } = fireFaults(
    sandbox,
    ['smtp'],
    'DATA',
    `${path}?from=${query.from}&subject=${query.subject}`,
  )
  sandbox.changed()
  const record = (status: number): void => {
    logRequest(sandbox, {
      service: 'smtp',
      method: 'DATA',
      path,
      query,
      headers: {},
      body: { bytes: raw.length },
      status,
      at: new Date(sandbox.now()).toISOString(),
    })
    sandbox.changed()
  }
  if (delayMs > 0) await sleep(delayMs)
  if (fault?.kind !== 'drop' && fault?.kind !== 'status') await storeMail(sandbox, envelope, raw)
  sandbox.changed()
  if (fault?.kind === 'drop' || fault?.kind === 'drop-after-commit') {
    hangUp()
    record(0)
    return undefined
  }
  if (fault?.kind === 'status' || fault?.kind === 'status-after-commit') {
    const code = codeOf(fault)
    record(code)
    return refused(code, typeof fault.body === 'string' ? fault.body : 'Scripted refusal')
  }
  record(250)
  return undefined
}

/** SMTP refuses with 4xx (temporarily) or 5xx (permanently). Any other status becomes a temporary refusal. */
function codeOf(fault: Fault): number {
  return fault.status >= 400 && fault.status < 600 ? fault.status : 451
}
