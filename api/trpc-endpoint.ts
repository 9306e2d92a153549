import { requestLimits } from '@flashsheet/contracts/request-limits'
import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import { readBody } from './core/body.ts'
import type { RequestCtx, System } from './core/context.ts'
import { AppError, errorHeaders, notFound } from './core/errors.ts'
import { jsonBytes, type HttpContext } from './core/rest.ts'
import { watchSessionEnd } from './core/sessions/session-end.ts'
import { appRouter } from './router.ts'

/** Answers a tRPC call, a batch of at most `requestLimits.batchCalls`, or a subscription as an event stream. */
export async function handleTrpc(system: System, c: HttpContext): Promise<Response> {
  const ctx = c.get('ctx')
  const { raw } = c.req
  // Node's `Request` constructor refuses the method TRACE.
  if (raw.method === 'TRACE' || !isDecodable(c.req.path)) throw notFound()
  const ended = new AbortController()
  const stop = () => {
    ended.abort()
    // Not by the option `signal`: once garbage was collected, Node removes only the newest of a target's listeners by it.
    system.stopping.removeEventListener('abort', stop)
  }
  let isWatched = false
  // A new `Request`, because Node cannot copy the server's lightweight one once it has a body.
  const request = new Request(raw.url, {
    method: raw.method,
    headers: raw.headers,
    signal: AbortSignal.any([raw.signal, ended.signal]),
    ...(raw.method === 'GET' || raw.method === 'HEAD' ? {} : { body: await readBody(c, jsonBytes) }),
  })
  const answer = await fetchRequestHandler({
    endpoint: '/trpc',
    req: request,
    router: appRouter,
    maxBatchSize: requestLimits.batchCalls,
    responseMeta: ({ errors }) => ({ headers: headersOf(errors) }),
    createContext: ({ info }): RequestCtx => {
      // An event stream must end when its session ends, so the session is watched.
      if (info.type === 'subscription' && ctx.caller) {
        isWatched = true
        void watchSessionEnd(system, ctx.caller, request.signal, stop)
      }
      return ctx
    },
  })
  if (!answer.headers.has('cache-control')) answer.headers.set('cache-control', 'no-store')
  if (!isWatched) return answer
  // A refused subscription has no stream (in a batch, for example).
  if (!answer.body || !answer.headers.get('content-type')?.startsWith('text/event-stream')) {
    stop()
    return answer
  }
  if (system.stopping.aborted) stop()
  else system.stopping.addEventListener('abort', stop)
  // The stream ended or failed, or its reader cancelled it.
  return new Response(answer.body.pipeThrough(new TransformStream({ flush: stop, cancel: stop })), answer)
}

/** tRPC would answer an undecodable path with an internal error instead of 404. */
function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

/** The headers of a batch's refusals, with the longest `Retry-After` of them. */
function headersOf(errors: readonly Error[]): Record<string, string> {
  const refusals = errors.flatMap(({ cause }) => (cause instanceof AppError ? [cause] : []))
  const longestLast = refusals.toSorted((a, b) => (a.retryAfter ?? 0) - (b.retryAfter ?? 0))
  return Object.assign({}, ...longestLast.map(errorHeaders)) as Record<string, string>
}
