import { requestLimits } from '@flashsheet/contracts/request-limits'
import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import { readBody } from './core/body.ts'
import type { RequestCtx, System } from './core/context.ts'
import { AppError, errorHeaders, notFound } from './core/errors.ts'
import { jsonBytes, type HttpContext } from './core/rest.ts'
import { watchCaller } from './core/sessions/session-end.ts'
import { appRouter } from './router.ts'

/** Answers a tRPC call, a batch of at most `requestLimits.batchCalls`, or a subscription as an event stream. */
export async function answerTrpc(system: System, c: HttpContext): Promise<Response> {
  const ctx = c.get('ctx')
  const { raw } = c.req
  // Node makes no `Request` of this method.
  if (raw.method === 'TRACE' || !isDecodable(c.req.path)) throw notFound()
  const over = new AbortController()
  const stop = () => over.abort()
  let isWatched = false
  // tRPC gets a request of Node's own kind: the server's light one cannot be read or copied by Node's `Request` once it has a body.
  const request = new Request(raw.url, {
    method: raw.method,
    headers: raw.headers,
    signal: AbortSignal.any([raw.signal, over.signal]),
    ...(raw.method === 'GET' || raw.method === 'HEAD' ? {} : { body: await readBody(c, jsonBytes) }),
  })
  const answer = await fetchRequestHandler({
    endpoint: '/trpc',
    req: request,
    router: appRouter,
    maxBatchSize: requestLimits.batchCalls,
    responseMeta: ({ errors }) => ({ headers: headersOf(errors) }),
    createContext: ({ info }): RequestCtx => {
      // An event stream outlives the moment its session was proven in: it ends with the session.
      if (info.type === 'subscription' && ctx.caller) {
        isWatched = true
        void watchCaller(system, ctx.caller, request.signal, stop)
      }
      return ctx
    },
  })
  if (!answer.headers.has('cache-control')) answer.headers.set('cache-control', 'no-store')
  if (!isWatched) return answer
  // A subscription that was refused (in a batch, say) has no stream.
  if (!answer.body || !answer.headers.get('content-type')?.startsWith('text/event-stream')) {
    stop()
    return answer
  }
  return new Response(endingWith(answer.body, stop), answer)
}

/** A path that means nothing names nothing; tRPC would take it for a failure of its own. */
function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

/** The headers of a batch's refusals; of several `Retry-After` the latest. */
function headersOf(errors: readonly Error[]): Record<string, string> {
  const refusals = errors.flatMap(({ cause }) => (cause instanceof AppError ? [cause] : []))
  const first = refusals.toSorted((a, b) => (a.retryAfter ?? 0) - (b.retryAfter ?? 0))
  return Object.assign({}, ...first.map(errorHeaders)) as Record<string, string>
}

/** The same stream, which calls `done` when it has been read, was given up by its reader, or broke. */
function endingWith(stream: ReadableStream<Uint8Array>, done: () => void): ReadableStream<Uint8Array> {
  const reader = stream.getReader()
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done: isOver, value } = await reader.read()
        if (!isOver) return controller.enqueue(value)
        done()
        controller.close()
      } catch (error) {
        done()
        throw error
      }
    },
    async cancel(reason) {
      done()
      await reader.cancel(reason)
    },
  })
}
