import type { MiddlewareHandler } from 'hono'
import type { StatusCode } from 'hono/utils/http-status'
import type { Logger } from './log.ts'
import type { HttpEnv } from './rest.ts'

/** Logged, as by nginx, when the client closed the connection before the response; never sent. */
export const clientClosedRequestStatus = 499 as StatusCode as 400

/** The path of a request for the log: without the secret that opens a client's booking, a file or the state of a deletion. */
export const loggedPath = (path: string): string =>
  path.replace(/^(\/(?:booking|files\/public|data-deletion)\/).+/s, '$1…')

/** Logs one line per request: 5xx and unanswered ones at level info, others at debug. Pages from the response cache are not logged. */
export function logAccess(log: Logger): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const startedAt = performance.now()
    await next()
    const { outgoing } = c.env
    const answered = outgoing.headersSent ? outgoing.statusCode : c.res.status
    const status = outgoing.destroyed && !outgoing.writableFinished ? clientClosedRequestStatus : answered
    const level = status === clientClosedRequestStatus || status >= 500 ? 'info' : 'debug'
    log[level](
      {
        method: c.req.method,
        path: loggedPath(c.req.path),
        status,
        ms: Math.round(performance.now() - startedAt),
        requestId: c.get('ctx')?.requestId,
      },
      'request',
    )
  }
}
