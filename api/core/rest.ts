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
import { requireOwnPage, usesNoSession } from './origin.ts'
import { refuseNul } from './text.ts'

export type HttpEnv = { Bindings: HttpBindings; Variables: { ctx: RequestCtx } }
export type HttpContext = Context<HttpEnv>
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'

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
  /** What it wants of an API key, or that none reaches it. */
  key: KeyAccess
  /** It creates something: the stricter rate of API keys applies. */
  creates: boolean
  /** What it takes; a path that reads something else than JSON has its own ways. */
  input?: z.ZodType
  /** What a good answer holds. */
  answer: Answer
  /** What a path that reads something else than JSON reads. */
  takes?: BodyKind
  /** The status of a successful JSON response; a path that does not answer JSON sets its own. */
  status?: ContentfulStatusCode
  /** Its body is a file, which may take long to arrive (`core/body-pace.ts`). */
  takesFiles?: boolean
  handle: (c: HttpContext) => Promise<Response>
}

/** The largest JSON body either door takes. */
export const jsonBytes = 1_048_576

/** Far more than any event an outside service sends. */
const webhookBytes = 2_097_152

/** Reads a JSON body of at most 1 MB; an empty one is an empty object. Throws invalid or tooLarge. */
async function readJson(c: HttpContext): Promise<unknown> {
  const bytes = await readBody(c, jsonBytes)
  if (bytes.byteLength === 0) return {}
  try {
    return JSON.parse(new TextDecoder('utf8', { fatal: true }).decode(bytes))
  } catch {
    throw invalid(errorMessages.malformed)
  }
}

/** The bytes of a webhook as they came: a signature is over them, not over what they mean. Throws tooLarge past 2 MB. */
export async function readRaw(c: HttpContext): Promise<string> {
  return (await readBody(c, webhookBytes)).toString('utf8')
}

async function readInput(c: HttpContext, method: Method): Promise<unknown> {
  const params = c.req.param()
  if (method === 'GET') return { ...c.req.query(), ...params }
  const body = await readJson(c)
  if (body === null || typeof body !== 'object' || Array.isArray(body)) throw invalid(errorMessages.malformed)
  const key = c.req.header('idempotency-key')
  return { ...body, ...(key === undefined ? {} : { requestId: key }), ...params }
}

async function guarded<G extends GuardName>(c: HttpContext, guard: G, wanted: Admission): Promise<Guarded[G]> {
  const ctx = c.get('ctx')
  await admit(ctx, wanted)
  return guards[guard](ctx)
}

/** A method and a path in Hono's notation. */
type Operation = `${Method} /${string}`

function partsOf(operation: Operation): Pick<RestRow, 'method' | 'path'> {
  const [method, path] = operation.split(' ') as [Method, string]
  return { method, path }
}

const Nothing = z.object({})

/** A path that answers JSON. Body, query and path parameters are one input; `Idempotency-Key` is its `requestId`. */
export function row<G extends GuardName, S extends z.ZodType = typeof Nothing>(
  operation: Operation,
  guard: G,
  key: KeyAccess,
  options: {
    /** Without it the path takes nothing. */
    input?: S
    answer: z.ZodType
    /** `run` answers a page of a list; the way to the next one leaves as `Link`. */
    isPaged?: boolean
    status?: ContentfulStatusCode
    creates?: boolean
    /**
     * Answers with a cookie, so a form on another site must not reach it: it wants `application/json`, which no form can send, and a page of
     * ours. A path that needs no session tells the origin apart itself.
     */
    setsCookie?: boolean
    run: (ctx: Guarded[G], input: z.output<S>) => Promise<unknown>
  },
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
      // The guard comes before the input, so that an anonymous caller learns nothing about it.
      const ctx = await guarded(c, guard, { key, creates })
      if (setsCookie) {
        if (!usesNoSession({ method, path })) requireOwnPage(ctx)
        if (!/^application\/json\s*(;|$)/i.test(c.req.header('content-type') ?? ''))
          throw invalid(errorMessages.jsonOnly)
      }
      const sent = await readInput(c, method)
      refuseNul(sent)
      const parsed = input.safeParse(sent)
      if (!parsed.success) {
        // An id that cannot exist is not found.
        const named = c.req.param()
        throw parsed.error.issues.some(({ path: [field] }) => String(field) in named) ? notFound() : parsed.error
      }
      const answered = await options.run(ctx, parsed.data as z.output<S>)
      if (!isPaged) return c.json(answered as object, status)
      const { items, next } = answered as Page<object>
      if (next !== undefined) ctx.setHeader('Link', linkToNext(c, ctx, next))
      return c.json(items, status)
    },
  }
}

/** The `Link` to the next page (RFC 8288): the same request with its cursor. */
function linkToNext(c: HttpContext, { config }: RequestCtx, cursor: string): string {
  const next = new URL(c.req.path, config.publicUrl)
  next.search = new URLSearchParams({ ...c.req.query(), cursor }).toString()
  return `<${next.href}>; rel="next"`
}

/** The input of a path that reads no JSON and takes an `Idempotency-Key`. */
const Repeatable = z.object({ requestId: z.string().min(1).max(200).optional() })

/** A path that answers something else than JSON, or reads something else: redirects, uploads, pages. */
export function rawRow<G extends GuardName>(
  operation: Operation,
  guard: G,
  key: KeyAccess,
  options: {
    takes?: BodyKind
    takesFiles?: boolean
    /** It takes an `Idempotency-Key`, which `run` gets. */
    isRepeatable?: boolean
    answer: Answer
    creates?: boolean
    run: (ctx: Guarded[G], c: HttpContext, requestId: string | undefined) => Promise<Response>
  },
): RestRow {
  const { takes = 'nothing', takesFiles = false, isRepeatable = false, answer, creates = false, run } = options
  return {
    ...partsOf(operation),
    guard,
    key,
    creates,
    answer,
    takes,
    takesFiles,
    ...(isRepeatable ? { input: Repeatable } : {}),
    handle: async (c) => {
      const ctx = await guarded(c, guard, { key, creates })
      refuseNul(c.req.param())
      const { requestId } = isRepeatable ? Repeatable.parse({ requestId: c.req.header('idempotency-key') }) : {}
      return await run(ctx, c, requestId)
    },
  }
}
