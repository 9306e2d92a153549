import { errorMessages } from '@flashsheet/contracts/errors/messages'
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { z } from 'zod'
import { admit, type Admission, type KeyAccess } from './admit.ts'
import { readBody } from './body.ts'
import type { RequestCtx } from './context.ts'
import type { Page } from './cursor.ts'
import { invalid, notFound } from './errors.ts'
import { guards, type Guarded, type GuardName } from './guards.ts'
import { requireSameOrigin, usesNoSession } from './origin.ts'
import { refuseNul } from './text.ts'

export type HttpEnv = { Bindings: HttpBindings; Variables: { ctx: RequestCtx } }
export type HttpContext = Context<HttpEnv>
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'

/** The body of a successful response: JSON by a schema, bytes, a page, nothing, or a redirect. */
export type Answer =
  | z.ZodType
  | { status: ContentfulStatusCode | 204 | 302; is: 'bytes' | 'html' | 'nothing' }
  | { status: ContentfulStatusCode; json: z.ZodType }

export type BodyKind = 'files' | 'file' | 'form' | 'tus' | 'poster' | 'webhook' | 'oauth' | 'client' | 'nothing'

/** A row of the REST table: guard, input, output and the service function. */
export type RestRow = {
  method: Method
  /** Hono's notation: `/api/posts/:postId`. */
  path: string
  guard: GuardName
  /** The access that an API key needs. */
  key: KeyAccess
  /** Creates something, so the stricter rate limit of API keys applies. */
  creates: boolean
  /** The JSON input; absent if the path reads something else. */
  input?: z.ZodType
  /** The body of a successful response. */
  answer: Answer
  /** The kind of a body that is not JSON. */
  takes?: BodyKind
  /** The status of a successful JSON response. */
  status?: ContentfulStatusCode
  handle: (c: HttpContext) => Promise<Response>
}

/** Whether the body is a file, which may take long to arrive (`core/body-timeouts.ts`). */
export const takesFiles = ({ takes = 'nothing', method }: RestRow): boolean =>
  ['files', 'file', 'poster'].includes(takes) || (takes === 'tus' && ['POST', 'PATCH'].includes(method))

/** The maximum JSON body of REST and tRPC. */
export const jsonBytes = 1_048_576

/** Far more than any event of an outside service. */
const webhookBytes = 2_097_152

/** The value of a JSON body. Throws invalid for other text, and for bytes that are not UTF-8. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf8', { fatal: true }).decode(bytes))
  } catch {
    throw invalid(errorMessages.malformed)
  }
}

/** The unparsed body of a webhook, for its signature. Throws tooLarge above 2 MB. */
export async function readRaw(c: HttpContext): Promise<string> {
  return (await readBody(c, webhookBytes)).toString('utf8')
}

/** The `Idempotency-Key`, the same with and without the quotes that the draft of this header requires. */
const idempotencyKey = (c: HttpContext) => c.req.header('idempotency-key')?.replace(/^"(.*)"$/, '$1')

async function readInput(c: HttpContext, method: Method): Promise<unknown> {
  const params = c.req.param()
  if (method === 'GET') return { ...c.req.query(), ...params }
  const bytes = await readBody(c, jsonBytes)
  const body = bytes.byteLength === 0 ? {} : parseJson(bytes)
  if (body === null || typeof body !== 'object' || Array.isArray(body)) throw invalid(errorMessages.malformed)
  const requestId = idempotencyKey(c)
  return { ...body, ...(requestId === undefined ? {} : { requestId }), ...params }
}

async function admitAndGuard<G extends GuardName>(c: HttpContext, guard: G, admission: Admission): Promise<Guarded[G]> {
  const ctx = c.get('ctx')
  await admit(ctx, admission)
  return guards[guard](ctx)
}

/** A method and a path in Hono's notation. */
type Operation = `${Method} /${string}`

function partsOf(operation: Operation): Pick<RestRow, 'method' | 'path'> {
  const [method, path] = operation.split(' ') as [Method, string]
  return { method, path }
}

const Nothing = z.object({})

type RowOptions<G extends GuardName, S extends z.ZodType> = {
  /** Absent: the path takes no input. */
  input?: S
  answer: z.ZodType
  /** `run` returns a `Page`; the next one is linked in the header `Link`. */
  isPaged?: boolean
  status?: ContentfulStatusCode
  creates?: boolean
  /**
   * The answer sets a cookie. Requires `application/json`, which a form on another site cannot send, and our own origin. A path that
   * needs no session checks the origin itself.
   */
  setsCookie?: boolean
  run: (ctx: Guarded[G], input: z.output<S>) => Promise<unknown>
}

/** A path that answers JSON. Body, query and path parameters are one input; `Idempotency-Key` is its `requestId`. */
export function row<G extends GuardName, S extends z.ZodType = typeof Nothing>(
  operation: Operation,
  guard: G,
  key: KeyAccess,
  options: RowOptions<G, S>,
): RestRow {
  const { method, path } = partsOf(operation)
  const { input = Nothing, answer, isPaged = false, status = 200, creates = false, setsCookie = false } = options
  return {
    method,
    path,
    guard,
    key,
    creates,
    input,
    answer,
    status,
    handle: async (c) => {
      // The guard comes first, so that an anonymous caller learns nothing about the input.
      const ctx = await admitAndGuard(c, guard, { key, creates })
      if (setsCookie) {
        if (!usesNoSession({ method, path })) requireSameOrigin(ctx)
        if (!/^application\/json\s*(;|$)/i.test(c.req.header('content-type') ?? ''))
          throw invalid(errorMessages.jsonOnly)
      }
      const raw = await readInput(c, method)
      refuseNul(raw)
      const parsed = input.safeParse(raw)
      if (!parsed.success) {
        // A malformed id in the path is answered like an unknown one.
        const params = c.req.param()
        throw parsed.error.issues.some(({ path: [field] }) => String(field) in params) ? notFound() : parsed.error
      }
      const result = await options.run(ctx, parsed.data as z.output<S>)
      if (!isPaged) return c.json(result as object, status)
      const { items, next } = result as Page<object>
      if (next !== undefined) ctx.setHeader('Link', linkToNext(c, ctx, next))
      return c.json(items, status)
    },
  }
}

/** `row` for the paths of a slice that share a guard and an access. */
export const rowFor =
  <G extends GuardName>(guard: G, key: KeyAccess) =>
  <S extends z.ZodType = typeof Nothing>(operation: Operation, options: RowOptions<G, S>): RestRow =>
    row(operation, guard, key, options)

/** The `Link` to the next page (RFC 8288): the same request with its cursor. */
function linkToNext(c: HttpContext, { config }: RequestCtx, cursor: string): string {
  const next = new URL(c.req.path, config.publicUrl)
  next.search = new URLSearchParams({ ...c.req.query(), cursor }).toString()
  return `<${next.href}>; rel="next"`
}

/** The input of a path without JSON that takes an `Idempotency-Key`. */
const Repeatable = z.object({ requestId: z.string().min(1).max(200).optional() })

/** A path that reads or answers something other than JSON: redirects, uploads, pages. */
export function rawRow<G extends GuardName>(
  operation: Operation,
  guard: G,
  key: KeyAccess,
  options: {
    takes?: BodyKind
    /** Takes an `Idempotency-Key`, which is passed to `run`. */
    isRepeatable?: boolean
    answer: Answer
    creates?: boolean
    run: (ctx: Guarded[G], c: HttpContext, requestId: string | undefined) => Promise<Response>
  },
): RestRow {
  const { takes = 'nothing', isRepeatable = false, answer, creates = false, run } = options
  return {
    ...partsOf(operation),
    guard,
    key,
    creates,
    answer,
    takes,
    ...(isRepeatable ? { input: Repeatable } : {}),
    handle: async (c) => {
      const ctx = await admitAndGuard(c, guard, { key, creates })
      refuseNul(c.req.param())
      const { requestId } = isRepeatable ? Repeatable.parse({ requestId: idempotencyKey(c) }) : {}
      return await run(ctx, c, requestId)
    },
  }
}

type Run<G extends GuardName, Result = Promise<Response>> = (ctx: Guarded[G], c: HttpContext) => Result

/** A path to which an outside service sends its events. */
export const webhookRow = (operation: Operation, run: Run<'public'>): RestRow =>
  rawRow(operation, 'public', 'never', { takes: 'webhook', answer: { status: 200, is: 'nothing' }, run })

/** A path that serves a stored file. */
export const fileRow = <G extends GuardName>(operation: Operation, guard: G, key: KeyAccess, run: Run<G>) =>
  rawRow(operation, guard, key, { answer: { status: 200, is: 'bytes' }, run })

/** A path that redirects a browser to the address that `addressOf` returns. */
export const redirectRow = (operation: Operation, addressOf: Run<'public', string | Promise<string>>): RestRow =>
  rawRow(operation, 'public', 'never', {
    answer: { status: 302, is: 'nothing' },
    run: async (ctx, c) => c.redirect(await addressOf(ctx, c)),
  })
