import { Agent, createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One request as it passed; `answer` is the parsed JSON body, once there is one. */
export type Call = {
  method: string
  path: string
  type: string
  status: number
  answer: unknown
  headers: Record<string, string>
}

/**
 * What happens to a request on its way. `refused` and `lost` are a connection that breaks before and after the effect, `short`
 * one that breaks in the middle of the body; a status is answered instead of the real answer, without the effect or after it.
 */
export type Mishap =
  | { kind: 'refused' | 'lost' | 'short' }
  | { kind: 'status'; status: number; headers?: Record<string, string>; body?: unknown; after?: boolean }

export type RecordingProxy = {
  /** What clients use as the far side's address. */
  url: string
  /** Where requests really go. */
  aim: (port: number) => void
  /** Called as a request begins, and when something was done to one. */
  listen: (on: { call: (call: Call) => void; mishap: () => void }) => void
  /** Does this to the n-th request (from 1) from now on, and to it alone. */
  hurt: (nth: number, mishap: Mishap) => void
  /** Counts from zero again, with nothing planned. */
  reset: () => void
  stop: () => Promise<void>
}

const keptAnswer = 256 * 1024

/** A real HTTP connection that can be watched and broken: stands between a client and the sandbox. */
export async function startRecordingProxy(): Promise<RecordingProxy> {
  const agent = new Agent({ keepAlive: true })
  let port = 0
  let count = 0
  let plan: { nth: number; mishap: Mishap } | undefined
  let on = { call: (_call: Call) => {}, mishap: () => {} }

  const server = createServer((incoming, outgoing) => {
    count += 1
    const mishap = plan?.nth === count ? plan.mishap : undefined
    const call: Call = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      type: incoming.headers['content-type'] ?? '',
      status: 0,
      answer: undefined,
      headers: {},
    }
    on.call(call)
    if (mishap) carryOut(mishap, call, incoming, outgoing)
    else
      forward(call, incoming, (answer, body) => outgoing.writeHead(answer.statusCode ?? 502, answer.headers).end(body))
  })

  function carryOut(mishap: Mishap, call: Call, incoming: IncomingMessage, outgoing: ServerResponse): void {
    const hangUp = (): void => {
      on.mishap()
      incoming.socket.destroy()
    }
    const answer = (): void => {
      if (mishap.kind !== 'status') return hangUp()
      on.mishap()
      call.status = mishap.status
      const body = mishap.body === undefined ? '' : JSON.stringify(mishap.body)
      outgoing.writeHead(mishap.status, { 'content-type': 'application/json', ...mishap.headers }).end(body)
    }
    if (mishap.kind === 'refused') hangUp()
    else if (mishap.kind === 'short') forwardHalf(incoming, hangUp)
    else if (mishap.kind === 'lost' || (mishap.kind === 'status' && mishap.after)) forward(call, incoming, answer)
    else incoming.resume().once('end', answer)
  }

  function onward(incoming: IncomingMessage) {
    return ask({
      host: '127.0.0.1',
      port,
      method: incoming.method,
      path: incoming.url,
      headers: incoming.headers,
      agent,
    })
  }

  function forward(call: Call, incoming: IncomingMessage, done: (answer: IncomingMessage, body: Buffer) => void): void {
    const sent = onward(incoming)
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

  /** Half of the body travels on; then both ends are cut. */
  function forwardHalf(incoming: IncomingMessage, hangUp: () => void): void {
    const half = Math.floor(Number(incoming.headers['content-length'] ?? 0) / 2)
    if (half === 0) return hangUp()
    const sent = onward(incoming)
    sent.once('error', () => {})
    let passed = 0
    incoming.on('data', (chunk: Buffer) => {
      if (passed >= half) return
      passed += chunk.byteLength
      sent.write(chunk.subarray(0, chunk.byteLength - Math.max(0, passed - half)))
      if (passed < half) return
      // What was written has to leave before the line goes dead.
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
    aim: (next) => {
      port = next
    },
    listen: (next) => {
      on = next
    },
    hurt: (nth, mishap) => {
      plan = { nth: count + nth, mishap }
    },
    reset: () => {
      plan = undefined
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
  if (body.byteLength > keptAnswer) return undefined
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
