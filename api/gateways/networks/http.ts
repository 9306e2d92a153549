import type { Platform } from '@flashsheet/contracts/social'
import { Readable } from 'node:stream'
import type { NetworkError } from './adapter.ts'
import { heedRetryAfter, networkError, record, type Refusal } from './refusal.ts'

export type NetworkRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Absolute; must be at a host of this network, whoever supplied it. */
  url: string
  query?: Record<string, string | undefined>
  headers?: Record<string, string>
  /** At most one of the five. */
  json?: unknown
  form?: Record<string, string | undefined>
  multipart?: FormData
  bytes?: Uint8Array
  /** Sent with `Content-Length`, never chunked (platform-apis 10). `open` is called once per try. */
  stream?: { open: () => Promise<Readable>; length: number }
  /** The ONE call after which nothing can be taken back (design 4): without a clear answer it throws `unknown`. */
  irreversible?: boolean
  /** Milliseconds for the whole exchange; 20 s, or 10 min with a stream. */
  timeoutMs?: number
  signal?: AbortSignal
  /** Statuses beside 2xx that are answers and no refusals (YouTube's 308). */
  accept?: readonly number[]
}

/** Whole numbers beyond 2^53 stand in `body` as text, digit for digit: TikTok's and LinkedIn's ids are that long. */
export type NetworkAnswer = { status: number; headers: Headers; body: unknown; text: string }

export type NetworkHttp = {
  /** Throws NetworkError: what the error table says of a refusal, `retry` (or `unknown`) when nothing came back. */
  call: (request: NetworkRequest) => Promise<NetworkAnswer>
}

export type NetworkHttpOptions = {
  platform: Platform
  /** Bases this network is reached at (settings): their whole origins are allowed. */
  bases: readonly string[]
  /** Hosts server-supplied addresses may name, e.g. `.facebook.com` (platform-apis 10). */
  suffixes: readonly string[]
  /** The network's error table. */
  classify: (refusal: Refusal) => NetworkError
  /** A 2xx that says it failed (TikTok's `error.code`). */
  isRefusal?: (body: unknown) => boolean
  now: () => Date
  /** How requests leave; absent: over the wire. A simulation answers them in this process. */
  send?: Send | undefined
}

export type Send = (url: URL, init: RequestInit) => Promise<Response>

const callTimeout = 20_000
const uploadTimeout = 10 * 60_000
const answerBytes = 8 * 1_048_576

/** The HTTP client of one network: time-outs, encodings, host check, errors by the network's own table (platform-apis 10). */
export function createNetworkHttp(options: NetworkHttpOptions): NetworkHttp {
  const { platform, classify, isRefusal, now, send = fetch } = options
  const origins = options.bases.map((base) => new URL(base).origin)
  return {
    async call(request) {
      const irreversible = request.irreversible ?? false
      const url = new URL(request.url)
      for (const [name, value] of Object.entries(request.query ?? {})) if (value !== undefined) url.searchParams.set(name, value)
      if (!isAllowed(url, origins, options.suffixes)) {
        throw networkError(platform, 'foreign_address', { class: 'config' }, false, new Error(`an answer named an address at ${url.host}`))
      }
      // Outside the try: a file of ours that cannot be opened is no fault of the network.
      const init = await initOf(request)
      let answer: NetworkAnswer
      let succeeded: boolean
      try {
        const response = await send(url, init)
        const text = await readText(response)
        answer = { status: response.status, headers: response.headers, body: parse(text), text }
        // A status the caller asked for is an answer, whatever its body says.
        succeeded = (request.accept?.includes(response.status) ?? false) || (response.ok && !isRefusal?.(answer.body))
      } catch (thrown) {
        const code = thrown instanceof DOMException && thrown.name === 'TimeoutError' ? 'timeout' : request.signal?.aborted ? 'aborted' : 'unreachable'
        throw networkError(platform, code, { class: 'retry' }, irreversible, thrown)
      }
      if (succeeded) return answer
      const refusal = { status: answer.status, headers: answer.headers, body: scrubbed(answer.body, secretsOf(request, url)), irreversible, now: now() }
      throw heedRetryAfter(classify(refusal), platform, refusal)
    },
  }
}

/** https at one of the network's own hosts, or the very origin of a set base. */
function isAllowed(url: URL, origins: readonly string[], suffixes: readonly string[]): boolean {
  if (origins.includes(url.origin)) return true
  return url.protocol === 'https:' && url.port === '' && suffixes.some((suffix) => url.hostname.endsWith(suffix))
}

async function initOf(request: NetworkRequest): Promise<RequestInit> {
  const headers = new Headers({ accept: 'application/json', ...request.headers })
  const timeout = AbortSignal.timeout(request.timeoutMs ?? (request.stream ? uploadTimeout : callTimeout))
  const init: RequestInit = {
    method: request.method,
    headers,
    // A token must not follow a redirect to wherever it leads.
    redirect: 'manual',
    signal: request.signal ? AbortSignal.any([request.signal, timeout]) : timeout,
  }
  if (request.json !== undefined) {
    if (!headers.has('content-type')) headers.set('content-type', 'application/json; charset=UTF-8')
    return { ...init, body: JSON.stringify(request.json) }
  }
  if (request.form) {
    const form = new URLSearchParams()
    for (const [name, value] of Object.entries(request.form)) if (value !== undefined) form.set(name, value)
    return { ...init, body: form }
  }
  if (request.multipart) return { ...init, body: request.multipart }
  if (request.bytes) return { ...init, body: new Uint8Array(request.bytes) }
  if (request.stream) {
    headers.set('content-length', String(request.stream.length))
    return { ...init, body: Readable.toWeb(await request.stream.open()) as ReadableStream<Uint8Array>, duplex: 'half' }
  }
  return init
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > answerBytes) throw new Error('the answer is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text, (_key, value: unknown, context?: { source: string }) =>
      typeof value === 'number' && context && /^-?\d{16,}$/.test(context.source) && !Number.isSafeInteger(value) ? context.source : value,
    )
  } catch {
    return undefined
  }
}

const secretNames = /^(access_token|refresh_token|client_secret|code|code_verifier|token|input_token|fb_exchange_token|appsecret_proof)$/

/** Everything secret this request carried; some networks quote a bad token in their error message. */
function secretsOf(request: NetworkRequest, url: URL): string[] {
  const pairs = [...url.searchParams, ...Object.entries(request.form ?? {}), ...Object.entries(record(request.json) ?? {})]
  const named = pairs.flatMap(([name, value]) => (secretNames.test(name) && typeof value === 'string' ? [value] : []))
  const bearer = new Headers(request.headers).get('authorization')?.split(' ')[1]
  return [...named, ...(bearer ? [bearer] : [])].filter((secret) => secret.length >= 6)
}

function scrubbed(body: unknown, secrets: readonly string[]): unknown {
  if (body === undefined || secrets.length === 0) return body
  const text = JSON.stringify(body)
  const clean = secrets.reduce((rest, secret) => rest.replaceAll(secret, '[cut]'), text)
  return clean === text ? body : parse(clean)
}
