import * as fs from 'node:fs'
import * as path from 'node:path'
import type { Service } from './context.ts'

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

export type RequestLog = {
  add(entry: LoggedRequest): void
  list(): readonly LoggedRequest[]
  clear(): void
  close(): void
}

const maxEntries = 20_000

/**
 * The requests to every service, at least the newest 20,000, one per line in `requests.jsonl`, so that the log survives
 * a kill.
 */
export function openRequestLog(folder: string): RequestLog {
  const file = path.join(folder, 'requests.jsonl')
  let entries = load(file)
  let handle = rewrite(file, entries)
  let closed = false
  return {
    add(entry) {
      if (closed) return
      entries.push(entry)
      if (entries.length > maxEntries * 1.25) {
        entries = entries.slice(-maxEntries)
        fs.closeSync(handle)
        handle = rewrite(file, entries)
      } else fs.writeSync(handle, line(entry))
    },
    list: () => entries,
    clear() {
      entries = []
      fs.closeSync(handle)
      handle = rewrite(file, entries)
    },
    close() {
      if (!closed) fs.closeSync(handle)
      closed = true
    },
  }
}

/** Replaces the entries of the file and opens it for appending. */
function rewrite(file: string, entries: readonly LoggedRequest[]): number {
  fs.writeFileSync(`${file}.next`, entries.map(line).join(''))
  fs.renameSync(`${file}.next`, file)
  return fs.openSync(file, 'a')
}

function line(entry: LoggedRequest): string {
  return `${JSON.stringify(entry)}\n`
}

function load(file: string): LoggedRequest[] {
  if (!fs.existsSync(file)) return []
  const entries: LoggedRequest[] = []
  for (const text of fs.readFileSync(file, 'utf8').split('\n')) {
    try {
      if (text) entries.push(JSON.parse(text))
    } catch {
      break
    }
  }
  return entries.slice(-maxEntries)
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
