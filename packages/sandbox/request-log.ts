import { append, newRing } from './collection.ts'
import { withoutTracking } from './store-track.ts'
import type { SandboxContext, Service } from './context.ts'

export type LoggedRequest = {
  service: Service
  method: string
  /** Without the mount and the query. */
  path: string
  query: Record<string, string>
  headers: Record<string, string>
  /** Parsed JSON or form fields; `{bytes}` for an upload; null without a body. */
  body: unknown
  /** 0 when the connection was dropped without an answer. */
  status: number
  at: string
}

const maxEntries = 20_000

const logOf = (sandbox: SandboxContext) => sandbox.state('requests', () => newRing<LoggedRequest>())

export function logRequest(sandbox: SandboxContext, entry: LoggedRequest): void {
  append(logOf(sandbox), entry, maxEntries)
}

/** The newest 20,000 requests to every service, in order of arrival. */
export function loggedRequests(sandbox: SandboxContext) {
  return Object.values(withoutTracking(logOf(sandbox)).entries)
}

const secretHeaders = new Set(['authorization', 'cookie', 'proxy-authorization', 'x-goog-api-key', 'x-api-key'])
const secretNames =
  /^(access_token|refresh_token|id_token|client_secret|app_secret|appsecret_proof|code|code_verifier|fb_exchange_token|input_token|token|password|pass|key|secret|client_assertion)$/i
const cutMark = '[cut]'

export function withoutSecretHeaders(headers: Headers): Record<string, string> {
  const shown: Record<string, string> = {}
  for (const [name, value] of headers) shown[name] = secretHeaders.has(name) ? cutMark : value
  return shown
}

/**
 * A copy of `value` in which each field with a secret's name, at any depth, reads `[cut]`, and long strings are
 * shortened.
 */
export function withoutSecrets(value: unknown): unknown {
  if (typeof value === 'string') return value.length > 8192 ? `${value.slice(0, 8192)}…` : value
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, secretNames.test(name) ? cutMark : withoutSecrets(inner)]),
  )
}
