import { Hono } from 'hono'
import type { SandboxContext, ServiceModule } from '../context.ts'

/** A call that came to a sink, as `GET /_control/sink` answers it. */
type Call = { at: string; headers: Record<string, string>; body: string; status: number }
type StoredCall = Call & { name: string }
type SinkState = { calls: Record<string, StoredCall>; next: number }

const kept = 10_000

const stateOf = (sandbox: SandboxContext) => sandbox.state<SinkState>('sink', () => ({ calls: {}, next: 1 }))

/** Somebody's own server, for webhooks: takes any call at `/sink/<name>` with 204, and remembers it to the letter. */
export const sink: ServiceModule = {
  service: 'sink',
  hosts: {},
  root: () => new Hono().all('/sink/:name{.+}', (c) => c.body(null, 204)),
  rootPaths: ['/sink'],
  heard(sandbox, { path, headers, text, status, at }) {
    const state = stateOf(sandbox)
    const id = state.next
    state.next = id + 1
    const name = decodeURIComponent(path.split('/')[2] ?? '')
    state.calls[id] = { name, at, headers: Object.fromEntries(headers), body: text, status }
    delete state.calls[id - kept]
  },
}

/** The calls to one sink, or to all, in the order in which they came; `body` is the text as it was sent. */
export function receivedCalls(sandbox: SandboxContext, name: string | undefined): Call[] {
  return Object.values(stateOf(sandbox).calls)
    .filter((call) => name === undefined || call.name === name)
    .map(({ at, headers, body, status }) => ({ at, headers, body, status }))
}
