import { Hono } from 'hono'
import { append, newRing } from '../collection.ts'
import type { SandboxContext, ServiceModule } from '../context.ts'

/** A call that came to a sink, as `GET /_control/sink` answers it. */
type Call = { at: string; headers: Record<string, string>; body: string; status: number }

const maxCalls = 10_000

const callsTo = (sandbox: SandboxContext) => sandbox.state('sink', () => newRing<Call & { name: string }>())

/** A customer's server, for webhooks: answers any call at `/sink/<name>` with 204 and stores it unchanged. */
export const sink: ServiceModule = {
  service: 'sink',
  hosts: {},
  root: () => new Hono().all('/sink/:name{.+}', (c) => c.body(null, 204)),
  rootPaths: ['/sink'],
  onRequest(sandbox, { path, headers, text, status, at }) {
    const name = decodeURIComponent(path.split('/')[2] ?? '')
    append(callsTo(sandbox), { name, at, headers: Object.fromEntries(headers), body: text, status }, maxCalls)
  },
}

/** The calls to one sink, or to all, in order of arrival; `body` is the text that was sent. */
export function receivedCalls(sandbox: SandboxContext, name: string | undefined): Call[] {
  return Object.values(callsTo(sandbox).entries)
    .filter((call) => name === undefined || call.name === name)
    .map(({ at, headers, body, status }) => ({ at, headers, body, status }))
}
