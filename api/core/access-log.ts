import type { MiddlewareHandler } from 'hono'
import type { StatusCode } from 'hono/utils/http-status'
import type { Logger } from './log.ts'
import type { HttpEnv } from './rest.ts'

/** What nginx logs for a caller who hung up before the answer; nobody receives it. */
export const clientGoneStatus = 499 as StatusCode as 400

/**
 * Writes one line per request: those that were not answered, or answered with our own failure, at level info, all others at
 * level debug. A public page that is served from the page cache is answered before this.
 */
export function logAccess(log: Logger): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const startedAt = performance.now()
    await next()
    const { outgoing } = c.env
    const answered = outgoing.headersSent ? outgoing.statusCode : c.res.status
    const status = outgoing.destroyed && !outgoing.writableFinished ? clientGoneStatus : answered
    const level = status === clientGoneStatus || status >= 500 ? 'info' : 'debug'
    log[level](
      {
        method: c.req.method,
        path: c.req.path,
        status,
        ms: Math.round(performance.now() - startedAt),
        requestId: c.get('ctx')?.requestId,
      },
      'request',
    )
  }
}
