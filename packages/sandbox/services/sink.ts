import { Hono } from 'hono'
import type { SandboxContext, ServiceModule } from '../context.ts'

/** A call that came to a sink, as `GET /_control/sink` answers it. */
type Call = { at: string; headers: Record<string, string>; body: string; status: number }
type StoredCall = Call & { name: string }
type SinkState = { calls: Record<string, StoredCall>; next: number }

const maxCalls = 10_000

const stateOf = (sandbox: SandboxContext) => sandbox.state<SinkState>('sink', () => ({ calls: {}, next: 1 }))

/** A customer's server, for webhooks: answers any call at `/sink/<name>` with 204 and stores it unchanged. */
export const sink: ServiceModule = {
  service: 'sink',
  hosts: {},
  root: () => new Hono().all('/sink/:name{.+}', (c) => c.body(null, 204)),
  rootPaths: ['/sink'],
  onRequest(sandbox, { path, headers, text, status, at }) {
    const state = stateOf(sandbox)
    const id = state.next
    state.next = id + 1
    const name = decodeURIComponent(path.split('/')[2] ?? '')
    state.calls[id] = { name, at, headers: Object.fromEntries(headers), body: text, status }
    delete state.calls[id - maxCalls]
  },
}

/** The calls to one sink, or to all, in order of arrival; `body` is the text that was sent. */
export function receivedCalls(sandbox: SandboxContext, name: string | undefined): Call[] {
  return Object.values(stateOf(sandbox).calls)
    .filter((call) => name === undefined || call.name === name)
    .map(({ at, headers, body, status }) => ({ at, headers, body, status }))
}
