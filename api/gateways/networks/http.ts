import type { Platform } from '@flashsheet/contracts/networks'
import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import { readAtMost } from '../../core/body.ts'
import { assertNoConnectionHeld } from '../../core/connection-held-guard.ts'
import { Agent, fetch as undiciFetch, type RequestInit as UndiciRequestInit } from 'undici'
import { type Classified, networkError, record, type Refusal, type Verdict, withRetryAfter } from './refusal.ts'

export type NetworkRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Absolute; must be at a host of this network, also where a response named it. */
  url: string
  query?: Record<string, string | undefined>
  headers?: Record<string, string>
  /** Whose request it is: its access token is sent as `Bearer`, and its signal aborts the request. */
  as?: { accessToken: string; signal?: AbortSignal }
  /** At most one of these four; a POST or PUT without one has `Content-Length: 0`. */
  json?: unknown
  form?: Record<string, string | undefined>
  /** Sent with `Content-Length`, never chunked. `open` is called once per attempt. */
  stream?: { open: () => Promise<Readable>; length: number }
  /** A form with one streamed file; with `Content-Length`, like `stream`. */
  formFile?: {
    fields: Record<string, string>
    name: string
    fileName: string
    type: string
    open: () => Promise<Readable>
    length: number
  }
  /**
   * The irreversible call: without a clear answer it throws `unknown`. This function is called once the connection is
   * open and nothing has been sent; if it throws, nothing is sent. A call that failed before that throws `retry`.
   */
  irreversible?: () => Promise<void>
  /** Milliseconds for the whole exchange; 20 s, or 10 min with a stream. */
  timeoutMs?: number
  signal?: AbortSignal
  /** Statuses besides 2xx that are not errors (YouTube's 308). */
  accept?: readonly number[]
}

/** `body`: the answer's JSON object, or an empty one. Integers beyond 2^53 (TikTok's, LinkedIn's ids) are strings. */
type NetworkAnswer = { status: number; headers: Headers; body: Record<string, unknown> }

export type NetworkHttp = {
  /** Throws NetworkError: by the error table for a refusal, `retry` (or `unknown`) without an answer. */
  call: (request: NetworkRequest) => Promise<NetworkAnswer>
}

export type NetworkHttpOptions = {
  platform: Platform
  /** Configured base addresses of this network: their whole origins are allowed. */
  bases: readonly string[]
  /** Host suffixes that addresses from the network may have, e.g. `.facebook.com`. */
  suffixes: readonly string[]
  /** The network's error table. */
  classify: (refusal: Refusal) => Classified
  /** Whether a 2xx is an error (TikTok's `error.code`). */
  isRefusal?: (body: Record<string, unknown>) => boolean
  now: () => Date
  /** The transport: HTTP by default, replaced by simulations. */
  send?: Send | undefined
}

export type Send = (url: URL, init: RequestInit) => Promise<Response>

/** No network's documentation mentions HTTP/2. */
const agent = new Agent({ allowH2: false })

/** undici: Node's fetch can throw what no code catches when a body is aborted while sent (nodejs/undici #5715). */
const sendByUndici: Send = async (url, init) =>
  (await undiciFetch(url, { ...(init as UndiciRequestInit), dispatcher: agent })) as unknown as Response

const callTimeoutMs = 20_000
const uploadTimeoutMs = 10 * 60_000
const maxAnswerBytes = 8 * 1_048_576

/** The HTTP client of one network: timeouts, encodings, host check, errors by the network's own table. */
export function createNetworkHttp(options: NetworkHttpOptions): NetworkHttp {
  const { platform, classify, isRefusal, now, send = sendByUndici } = options
  const origins = options.bases.map((base) => new URL(base).origin)
  return {
    async call(request) {
      const url = new URL(request.url)
      const signal = request.signal ?? request.as?.signal
      for (const [name, value] of Object.entries(request.query ?? {}))
        if (value !== undefined) url.searchParams.set(name, value)
      if (!isAllowed(url, origins, options.suffixes)) {
        const cause = new Error(`an answer named an address at ${url.host}`)
        throw networkError(platform, 'foreign_address', { class: 'config' }, cause)
      }
      // Outside the try, since a failure to open our own file is not an error of the network.
      const gate = gateOf(request.irreversible)
      assertNoConnectionHeld(platform)
      const { init, file } = await initOf(request, gate, signal)
      let answer: NetworkAnswer
      let succeeded: boolean
      try {
        const response = await send(url, init)
        const body = parseObject(await readText(response))
        answer = { status: response.status, headers: response.headers, body }
        // A status that the caller accepts succeeds even with an error body.
        succeeded = (request.accept?.includes(response.status) ?? false) || (response.ok && !isRefusal?.(body))
      } catch (thrown) {
        if (gate?.refusal) throw gate.refusal.reason
        const code =
          thrown instanceof DOMException && thrown.name === 'TimeoutError'
            ? 'timeout'
            : signal?.aborted
              ? 'aborted'
              : 'unreachable'
        throw networkError(platform, code, { class: gate?.hasPassed ? 'unknown' : 'retry' }, thrown)
      } finally {
        file?.destroy()
      }
      if (succeeded) return answer
      const irreversible = request.irreversible !== undefined
      const refusal = {
        status: answer.status,
        headers: answer.headers,
        body: scrubbed(answer.body, secretsOf(request, url)),
        irreversible,
        now: now(),
      }
      const { code, verdict, cause } = classify(refusal)
      // Without a clear answer, the irreversible call may have made its post.
      const clear: Verdict = irreversible && verdict.class === 'retry' ? { ...verdict, class: 'unknown' } : verdict
      throw networkError(platform, code, withRetryAfter(clear, refusal), cause)
    },
  }
}

type Gate = {
  /** Calls `irreversible`; the call may be sent afterwards. */
  pass: () => Promise<void>
  hasPassed: boolean
  /** What `irreversible` threw. */
  refusal: { reason: unknown } | undefined
}

function gateOf(irreversible: NetworkRequest['irreversible']): Gate | undefined {
  if (!irreversible) return undefined
  const gate: Gate = {
    hasPassed: false,
    refusal: undefined,
    async pass() {
      await irreversible().catch((reason: unknown) => {
        gate.refusal = { reason }
        throw reason
      })
      gate.hasPassed = true
    },
  }
  return gate
}

/**
 * A body that undici reads only once its connection is open, and sends no header before. The gate checks the lease then.
 * `Readable.toWeb` can throw where nothing catches it when a network answers before it has read a body.
 */
function bodyOf(source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, gate: Gate | undefined) {
  const parts = (async function* () {
    await gate?.pass()
    for await (const part of source) if (part.byteLength > 0) yield part
  })()
  return new ReadableStream({
    // undici reads a stream of any other type before it has a connection, so the lease would be checked too early.
    type: 'bytes',
    async pull(controller) {
      const { value, done } = await parts.next()
      if (!done) return controller.enqueue(new Uint8Array(value))
      controller.close()
      controller.byobRequest?.respond(0)
    },
    async cancel() {
      await parts.return(undefined)
    },
  })
}

/** https at one of the network's own hosts, or exactly a configured base's origin. */
function isAllowed(url: URL, origins: readonly string[], suffixes: readonly string[]): boolean {
  if (origins.includes(url.origin)) return true
  return url.protocol === 'https:' && url.port === '' && suffixes.some((suffix) => url.hostname.endsWith(suffix))
}

/** The request for undici, and the file of its body, which the caller destroys. */
async function initOf(
  request: NetworkRequest,
  gate: Gate | undefined,
  signal: AbortSignal | undefined,
): Promise<{ init: RequestInit; file?: Readable }> {
  const { json, form, stream, formFile } = request
  const headers = new Headers({ accept: 'application/json', ...request.headers })
  if (request.as) headers.set('authorization', `Bearer ${request.as.accessToken}`)
  const timeout = AbortSignal.timeout(request.timeoutMs ?? (stream || formFile ? uploadTimeoutMs : callTimeoutMs))
  const init: RequestInit = {
    method: request.method,
    headers,
    // A redirect must not receive our token.
    redirect: 'manual',
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  }
  const streamed = (parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, length: number): RequestInit => {
    headers.set('content-length', String(length))
    return { ...init, body: bodyOf(parts, gate), duplex: 'half' }
  }
  const whole = (content: Uint8Array<ArrayBuffer>, type: string) => {
    headers.set('content-type', type)
    return { init: gate ? streamed([content], content.byteLength) : { ...init, body: content } }
  }
  if (json !== undefined)
    return whole(new TextEncoder().encode(JSON.stringify(json)), 'application/json; charset=UTF-8')
  if (form) {
    const fields = new URLSearchParams()
    for (const [name, value] of Object.entries(form)) if (value !== undefined) fields.set(name, value)
    return whole(new TextEncoder().encode(fields.toString()), 'application/x-www-form-urlencoded;charset=UTF-8')
  }
  const file = await (stream ?? formFile)?.open()
  // Reading the body throws an error from before as well.
  file?.on('error', () => {})
  if (file && stream) return { init: streamed(file, stream.length), file }
  if (file && formFile) {
    const { head, tail, type, length } = formAround(formFile)
    headers.set('content-type', type)
    return { init: streamed(surround(head, file, tail), length), file }
  }
  if (gate) throw new Error('an irreversible call needs a body')
  return { init }
}

async function* surround(head: Uint8Array, file: Readable, tail: Uint8Array): AsyncGenerator<Uint8Array> {
  yield head
  for await (const chunk of file) yield chunk as Uint8Array
  yield tail
}

/** The multipart text before and after a file's bytes, and the total length. */
function formAround({ fields, name, fileName, type, length }: NonNullable<NetworkRequest['formFile']>) {
  const boundary = `form-${randomBytes(16).toString('hex')}`
  const plain = Object.entries(fields).map(
    ([field, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`,
  )
  const file = `--${boundary}\r\ncontent-disposition: form-data; name="${name}"; filename="${fileName}"\r\ncontent-type: ${type}\r\n\r\n`
  const head = new TextEncoder().encode(plain.join('') + file)
  const tail = new TextEncoder().encode(`\r\n--${boundary}--\r\n`)
  return {
    head,
    tail,
    type: `multipart/form-data; boundary=${boundary}`,
    length: head.byteLength + length + tail.byteLength,
  }
}

async function readText(response: Response): Promise<string> {
  const bytes = await readAtMost(response.body ?? [], maxAnswerBytes, () => new Error('the answer is too long'))
  return bytes.toString('utf8')
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text, (_key, value: unknown, context?: { source: string }) =>
      typeof value === 'number' && context && /^-?\d{16,}$/.test(context.source) && !Number.isSafeInteger(value)
        ? context.source
        : value,
    )
    return record(parsed) ?? {}
  } catch {
    return {}
  }
}

const secretNames =
  /^(access_token|refresh_token|client_secret|code|code_verifier|token|input_token|fb_exchange_token|appsecret_proof)$/

/** All secrets of a request, since some networks quote a bad token in their error message. */
function secretsOf(request: NetworkRequest, url: URL): string[] {
  const pairs = [
    ...url.searchParams,
    ...Object.entries(request.form ?? {}),
    ...Object.entries(record(request.json) ?? {}),
  ]
  const named = pairs.flatMap(([name, value]) => (secretNames.test(name) && typeof value === 'string' ? [value] : []))
  const token = request.as?.accessToken ?? new Headers(request.headers).get('authorization')?.split(' ')[1] ?? ''
  return [...named, token].filter((secret) => secret.length >= 6)
}

function scrubbed(body: Record<string, unknown>, secrets: readonly string[]): Record<string, unknown> {
  const text = JSON.stringify(body)
  const clean = secrets.reduce((rest, secret) => rest.replaceAll(secret, '[cut]'), text)
  return clean === text ? body : parseObject(clean)
}
