import { Agent, createServer, request as sendRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One request; `answer` is the parsed JSON body, once there is one. */
export type Call = {
  method: string
  path: string
  type: string
  status: number
  answer: unknown
  headers: Record<string, string>
}

/**
 * A fault of one request. `refused` and `lost` break the connection before and after the effect, `short` breaks it in
 * the middle of the body; a status replaces the real answer, without the effect or after it.
 */
export type RequestFault =
  | { kind: 'refused' | 'lost' | 'short' }
  | { kind: 'status'; status: number; headers?: Record<string, string>; body?: unknown; after?: boolean }

export type RecordingProxy = {
  /** The address for clients. */
  url: string
  /** Sets the target port. */
  setTarget: (port: number) => void
  /** Called when a request begins, and when a fault was applied. */
  listen: (on: { call: (call: Call) => void; fault: () => void }) => void
  /** Applies a fault to the n-th request (from 1) from now on only. */
  disturb: (nth: number, fault: RequestFault) => void
  /** Resets the counter and planned faults. */
  reset: () => void
  stop: () => Promise<void>
}

const maxRecordedBytes = 256 * 1024

/** A proxy between a client and the sandbox that records requests and breaks connections. */
export async function startRecordingProxy(): Promise<RecordingProxy> {
  const agent = new Agent({ keepAlive: true })
  let port = 0
  let count = 0
  let planned: { nth: number; fault: RequestFault } | undefined
  let on = { call: (_call: Call) => {}, fault: () => {} }

  const server = createServer((incoming, outgoing) => {
    count += 1
    const fault = planned?.nth === count ? planned.fault : undefined
    const call: Call = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      type: incoming.headers['content-type'] ?? '',
      status: 0,
      answer: undefined,
      headers: {},
    }
    on.call(call)
    if (fault) applyFault(fault, call, incoming, outgoing)
    else
      forward(call, incoming, (answer, body) => outgoing.writeHead(answer.statusCode ?? 502, answer.headers).end(body))
  })

  function applyFault(fault: RequestFault, call: Call, incoming: IncomingMessage, outgoing: ServerResponse): void {
    const hangUp = (): void => {
      on.fault()
      incoming.socket.destroy()
    }
    const answer = (): void => {
      if (fault.kind !== 'status') return hangUp()
      on.fault()
      call.status = fault.status
      const body = fault.body === undefined ? '' : JSON.stringify(fault.body)
      outgoing.writeHead(fault.status, { 'content-type': 'application/json', ...fault.headers }).end(body)
    }
    if (fault.kind === 'refused') hangUp()
    else if (fault.kind === 'short') forwardHalf(incoming, hangUp)
    else if (fault.kind === 'lost' || (fault.kind === 'status' && fault.after)) forward(call, incoming, answer)
    else incoming.resume().once('end', answer)
  }

  function requestTarget(incoming: IncomingMessage) {
    return sendRequest({
      host: '127.0.0.1',
      port,
      method: incoming.method,
      path: incoming.url,
      headers: incoming.headers,
      agent,
    })
  }

  function forward(call: Call, incoming: IncomingMessage, done: (answer: IncomingMessage, body: Buffer) => void): void {
    const sent = requestTarget(incoming)
    sent.once('error', () => incoming.socket.destroy())
    sent.once('response', (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.once('end', () => {
        const body = Buffer.concat(chunks)
        call.status = answer.statusCode ?? 0
        call.headers = Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, String(value)]))
        call.answer = parsed(body)
        done(answer, body)
      })
    })
    incoming.pipe(sent)
  }

  /** Forwards half of the body; then cuts both connections. */
  function forwardHalf(incoming: IncomingMessage, hangUp: () => void): void {
    const half = Math.floor(Number(incoming.headers['content-length'] ?? 0) / 2)
    if (half === 0) return hangUp()
    const sent = requestTarget(incoming)
    sent.once('error', () => {})
    let passed = 0
    incoming.on('data', (chunk: Buffer) => {
      if (passed >= half) return
      passed += chunk.byteLength
      sent.write(chunk.subarray(0, chunk.byteLength - Math.max(0, passed - half)))
      if (passed < half) return
      // The written bytes must be sent before the connection is cut.
      setTimeout(() => {
        sent.destroy()
        hangUp()
      }, 15)
    })
    incoming.once('error', () => {})
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    setTarget: (next) => {
      port = next
    },
    listen: (next) => {
      on = next
    },
    disturb: (nth, fault) => {
      planned = { nth: count + nth, fault }
    },
    reset: () => {
      planned = undefined
      count = 0
    },
    async stop() {
      agent.destroy()
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

function parsed(body: Buffer): unknown {
  if (body.byteLength > maxRecordedBytes) return undefined
  try {
    return JSON.parse(body.toString('utf8'), (_key, value: unknown, context?: { source: string }) =>
      typeof value === 'number' && context && !Number.isSafeInteger(value) && /^\d+$/.test(context.source)
        ? context.source
        : value,
    )
  } catch {
    return undefined
  }
}
