import { createHmac, randomBytes } from 'node:crypto'
import type { Context } from 'hono'
import { Refusal } from '../../refusal.ts'
import { isRecord } from '../../request-body.ts'

/** The details of a Graph error; `status` is the HTTP status, default 400. */
type GraphErrorDetail = {
  message: string
  type?: string
  subcode?: number
  status?: 400 | 401 | 403 | 404 | 500 | 503
  transient?: boolean
  userTitle?: string
  userMessage?: string
  /** Sent as `error_data`. */
  data?: Record<string, unknown>
}

/**
 * An error in the shape of both Graph hosts (docs/networks/facebook.md); handlers throw it, `answerGraphError` answers it.
 */
export class GraphError extends Error {
  readonly code: number
  readonly detail: GraphErrorDetail
  constructor(code: number, detail: GraphErrorDetail) {
    super(detail.message)
    this.code = code
    this.detail = detail
  }
}

/** A trace id in Meta's format. */
function traceId(): string {
  return `A${randomBytes(17).toString('base64url')}`
}

/** The error handler of all Graph hosts: answers a thrown `GraphError`, and any other error as code 1 with HTTP 500. */
export function answerGraphError(thrown: Error, c: Context): Response {
  if (thrown instanceof Refusal) return thrown.getResponse()
  const error =
    thrown instanceof GraphError
      ? thrown
      : new GraphError(1, { message: 'An unknown error has occurred.', status: 500, transient: true })
  if (error !== thrown) console.error('sandbox graph', thrown)
  const { code, detail } = error
  const reason = code === 190 || code === 104 ? 'invalid_token' : 'invalid_request'
  c.header(
    'www-authenticate',
    `OAuth "Facebook Platform" "${reason}" "${detail.message.replaceAll('"', "'").replaceAll(/[^\x20-\x7e]/g, '?')}"`,
  )
  const hasTransience = detail.transient !== undefined || detail.userMessage !== undefined
  const body = {
    message: detail.message,
    type: detail.type ?? 'OAuthException',
    code,
    error_subcode: detail.subcode,
    error_data: detail.data,
    is_transient: hasTransience ? (detail.transient ?? false) : undefined,
    error_user_title: detail.userTitle,
    error_user_msg: detail.userMessage,
    fbtrace_id: traceId(),
  }
  return c.json({ error: body }, detail.status ?? 400)
}

/** 100/33: the object does not exist, or this token may not read it. */
export function missingObject(verb: 'get' | 'post' | 'delete', id: string): GraphError {
  return new GraphError(100, {
    message: `Unsupported ${verb} request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation. Please read the Graph API documentation at https://developers.facebook.com/docs/graph-api`,
    type: 'GraphMethodException',
    subcode: 33,
  })
}

/** 100: a parameter that is wrong or missing. */
export function badParameter(message: string): GraphError {
  return new GraphError(100, { message: `(#100) ${message}` })
}

/** Query and body of one Graph call, in any encoding: JSON, form or multipart. The body takes precedence. */
export class Params {
  readonly #values: Map<string, unknown>
  constructor(values: Map<string, unknown>) {
    this.#values = values
  }

  /** The value as text; numbers and booleans of a JSON body are converted. */
  text(name: string): string | undefined {
    const value = this.#values.get(name)
    if (typeof value === 'string') return value
    if (typeof value === 'number' || typeof value === 'boolean') return String(value)
    return undefined
  }

  /** `true`, `1` and `"true"` alike; undefined when absent. */
  flag(name: string): boolean | undefined {
    const text = this.text(name)
    return text === undefined ? undefined : text === 'true' || text === '1'
  }

  file(name: string): File | undefined {
    const value = this.#values.get(name)
    return value instanceof File ? value : undefined
  }

  /**
   * A list in any encoding: a JSON array, a JSON array in a form field, or `name[0]=…` fields. Entries that are JSON
   * are parsed. Undefined when absent.
   */
  list(name: string): unknown[] | undefined {
    const whole = readJson(this.#values.get(name))
    if (Array.isArray(whole)) return whole.map(readJson)
    const entries: [number, unknown][] = []
    for (const [key, value] of this.#values) {
      const index = key.startsWith(`${name}[`) ? /^\[(\d+)\]$/.exec(key.slice(name.length))?.[1] : undefined
      if (index !== undefined) entries.push([Number(index), readJson(value)])
    }
    if (entries.length > 0) return entries.toSorted((a, b) => a[0] - b[0]).map(([, value]) => value)
    return this.#values.has(name) ? [whole] : undefined
  }
}

function readJson(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

/** The parameters of a call whose body is raw bytes: its query alone. */
export function queryParams(c: Context): Params {
  return new Params(new Map(Object.entries(c.req.query())))
}

/** Reads the parameters of a call. Throws 100 for a body that cannot be parsed. A body of another type is left unread. */
export async function readParams(c: Context): Promise<Params> {
  const type = c.req.method === 'GET' ? '' : (c.req.header('content-type') ?? '').toLowerCase()
  let body: unknown
  try {
    if (type.startsWith('application/json')) body = JSON.parse((await c.req.text()) || '{}')
    else if (/^(application\/x-www-form-urlencoded|multipart\/form-data)/.test(type)) body = await c.req.parseBody()
  } catch {
    throw badParameter('The request body could not be parsed')
  }
  return new Params(new Map(Object.entries({ ...c.req.query(), ...(isRecord(body) && body) })))
}

/** The token of a call: `access_token`, or `Authorization` with Bearer or OAuth. */
export function tokenOf(c: Context, params: Params): string | undefined {
  const given = params.text('access_token')
  if (given !== undefined && given !== '') return given
  return /^(?:Bearer|OAuth)\s+(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1]
}

/** 190: a token that was never issued. */
export function unknownToken(): GraphError {
  return new GraphError(190, { message: 'Invalid OAuth access token - Cannot parse access token' })
}

/** 190 with the subcode of the reason why the token is invalid. */
export function invalidToken(subcode: 460 | 463 | 458 | undefined, message: string): GraphError {
  return new GraphError(190, { message, ...(subcode === undefined ? {} : { subcode }), status: 401 })
}

/** Throws 190 for a token whose session was invalidated or has expired. `expiresAt` 0: it never expires. */
export function assertTokenValid(now: number, token: { dead: '' | 'expired' | 'revoked'; expiresAt: number }): void {
  if (token.dead === 'revoked')
    throw invalidToken(
      460,
      'Error validating access token: The session has been invalidated because the user changed their password or Facebook has changed the session for security reasons.',
    )
  if (token.dead !== 'expired' && (token.expiresAt === 0 || token.expiresAt > now)) return
  const ended = new Date(token.dead === 'expired' ? now : token.expiresAt).toUTCString()
  throw invalidToken(
    463,
    `Error validating access token: Session has expired on ${ended}. The current time is ${new Date(now).toUTCString()}.`,
  )
}

/** Checks `appsecret_proof` when it is sent; throws 100 when it does not match. */
export function checkProof(params: Params, token: string, secret: string | undefined): void {
  const proof = params.text('appsecret_proof')
  if (proof === undefined || secret === undefined) return
  if (proof !== createHmac('sha256', secret).update(token).digest('hex'))
    throw badParameter('Invalid appsecret_proof provided in the API argument')
}

/** The rate-limit headers of calls for a page or an account, '' for neither; figures are percent of the limit. */
export function usageHeaders(c: Context, type: 'pages' | 'instagram', id: string, minutes = 0): void {
  c.header('x-app-usage', JSON.stringify({ call_count: 1, total_cputime: 0, total_time: 1 }))
  if (id === '') return
  const usage = {
    type,
    call_count: minutes > 0 ? 100 : 1,
    total_cputime: 1,
    total_time: 1,
    estimated_time_to_regain_access: minutes,
  }
  c.header('x-business-use-case-usage', JSON.stringify({ [id]: [usage] }))
}

/** An instant as Graph prints it: `2026-11-21T09:00:00+0000`. */
export function graphTime(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, '+0000')
}

/** Milliseconds of a `since`/`until` value: unix seconds or a date. */
export function sinceMs(value: string | undefined): number | undefined {
  if (value === undefined || value === '') return undefined
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value)
  if (Number.isNaN(ms)) throw badParameter(`since or until is not a time: ${value}`)
  return ms
}
