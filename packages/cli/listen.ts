import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { CommandFailed, type Terminal } from './terminal.ts'

/** Older calls are refused, as Standard Webhooks requires. */
const toleranceSeconds = 300

/** Whether one of the signatures is made with `secret` (Standard Webhooks). After a rotation a call has several. */
function isSigned(secret: string, headers: Record<string, unknown>, body: string, now: Date): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signatures } = headers
  if (typeof id !== 'string' || typeof at !== 'string' || typeof signatures !== 'string') return false
  if (Math.abs(now.getTime() / 1000 - Number(at)) > toleranceSeconds) return false
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest()
  return signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature.replace(/^v1,/, ''), 'base64')
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}

/**
 * Prints the webhook calls that arrive at this port, until `signal` aborts; refuses calls that are not signed with `secret`.
 * Throws CommandFailed if the port cannot be used.
 */
export async function listen(
  { out, err, signal }: Terminal,
  { port, secret, json }: { port: number; secret: string | undefined; json: boolean },
): Promise<void> {
  const server = createServer((request, response) => {
    void text(request).then(
      (body) => {
        const isAccepted = secret === undefined || isSigned(secret, request.headers, body, new Date())
        if (isAccepted) out(json ? `${body}\n` : `${indented(body)}\n`)
        else err('A call without a good signature was refused.\n')
        response.writeHead(isAccepted ? 204 : 401).end()
      },
      () => response.destroy(),
    )
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening').catch((error: Error) => {
    throw new CommandFailed(`Port ${port} cannot be used: ${error.message}`)
  })
  err(`Listening at http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
  await new Promise<void>((resolve) => {
    if (signal.aborted) return resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  server.close().closeAllConnections()
  await once(server, 'close')
}

function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
