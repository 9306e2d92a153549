import { PublishingStoppedError } from '@flashsheet/db/publish-progress'
import { errorMessages } from '@flashsheet/contracts/errors/messages'
import { requestLimits } from '@flashsheet/contracts/request-limits'
import { withTimeout } from '@flashsheet/db/with-timeout'
import { runInRequestContext, currentRequest } from '@flashsheet/db/request-context'
import { Hono } from 'hono'
import { secureHeaders } from 'hono/secure-headers'
import { clientClosedRequestStatus, logAccess, loggedPath } from './core/access-log.ts'
import { ClientDisconnected } from './core/body.ts'
import type { KeyCaller } from './core/api-keys.ts'
import { serveBuiltWeb } from './core/built-web.ts'
import { createWriteProbe } from './core/database-writes.ts'
import type { RequestCtx, System } from './core/context.ts'
import { readCookie } from './core/cookies.ts'
import {
  errorBody,
  errorHeaders,
  errorTable,
  notFound,
  acceptsProblem,
  problemOf,
  problemType,
  toAppError,
  unavailableSeconds,
  withProblemMembers,
} from './core/errors.ts'
import { newId } from './core/ids.ts'
import { logFailure } from './core/log-failure.ts'
import { anonymousCtx } from './core/request-ctx.ts'
import { isSameOrigin, mayUseSession } from './core/origin.ts'
import type { HttpContext, HttpEnv } from './core/rest.ts'
import { handleMcp, mcpPath } from './mcp-endpoint.ts'
import { mountOwnBookings } from './pages/booking/own-booking.ts'
import { mountSites } from './pages/mount.ts'
import { pageTopics } from './pages/cached-page.ts'
import { previewPath } from './pages/preview.ts'
import { restTable } from './rest.ts'
import { handleTrpc } from './trpc-endpoint.ts'

const readingMethods = ['GET', 'HEAD', 'OPTIONS']

/** The Hono app with all HTTP entry points of the product and one error handler. */
export function createApp(system: System): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>()

  app.onError((thrown, c) => answerError(system, c, thrown))
  app.use('*', logAccess(system.log))
  app.use('*', async (_c, next) => await runInRequestContext(next))
  // Before the session and the headers of the app: artists' sites have other headers and no session.
  mountSites(app, system)
  const secure = secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'self'"],
      // Previews of files that are not uploaded yet are blobs of this page.
      imgSrc: ["'self'", 'blob:', 'data:'],
      mediaSrc: ["'self'", 'blob:'],
      styleSrc: ["'self'"],
      // Overlays are positioned by style attributes.
      styleSrcAttr: ["'unsafe-inline'"],
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
    },
    referrerPolicy: 'strict-origin-when-cross-origin',
    strictTransportSecurity: system.config.publicUrl.startsWith('https:') ? 'max-age=31536000' : false,
    xFrameOptions: 'DENY',
  })
  app.use('*', async (c, next) => {
    if (!isTooLong(c.req.path)) return await next()
    return await secure(c, () => {
      c.res = refuseLongAddress(c)
      return Promise.resolve()
    })
  })
  mountOwnBookings(app, system)

  // The builder frames its preview, which brings a policy of its own.
  app.use('*', async (c, next) => (c.req.path === previewPath ? await next() : await secure(c, next)))

  app.get('/healthz', (c) => c.json({ ok: true }))
  const canWrite = createWriteProbe(system.client)
  app.get('/readyz', async (c) => {
    const [database, storage, queue, stopped] = await Promise.all([
      canWrite(),
      withTimeout(system.gateways.storage.ready(), readyWithinMs, false),
      withTimeout(system.jobs.ready(), readyWithinMs, false),
      withTimeout(
        system.progress.isStopped().catch(() => false),
        readyWithinMs,
        false,
      ),
    ])
    // Requests are still answered; only publishing waits until staff act.
    const publishing = stopped ? { publishing: new PublishingStoppedError().message } : {}
    return c.json({ database, storage, queue, ...publishing }, database && storage && queue ? 200 : 503)
  })

  for (const folder of ['api', 'trpc', 'files', 'oauth', '.well-known']) app.use(`/${folder}/*`, withCaller(system))
  app.use(
    mcpPath,
    withCaller(system, async (header) => await system.assistantTokens.callerOf(header)),
  )
  for (const row of restTable) app.on(row.method, row.path, row.handle)
  app.all('/trpc/*', async (c) => await handleTrpc(system, c))
  app.all(mcpPath, handleMcp)
  app.all('/api/*', () => {
    throw notFound()
  })

  serveBuiltWeb(app, system.config.publicUrl)
  return app
}

/** `/readyz` does not wait for the longer time-outs of the bucket and of the jobs' connections. */
const readyWithinMs = 3000

/** No path of ours is longer, except those of tRPC batches, which contain the names of their calls, and signed addresses. */
const isTooLong = (path: string): boolean =>
  path.length > requestLimits.pathCharacters && !path.startsWith('/trpc/') && !path.startsWith('/files/public/')

/** Answers without a context, since no route has been chosen yet. */
function refuseLongAddress(c: HttpContext): Response {
  const accept = c.req.header('accept')
  const requestId = newId()
  const body = { message: errorMessages.addressTooLong, code: 'invalid' }
  return c.json(withProblemMembers(accept, 414, body, requestId), 414, {
    'cache-control': 'no-store',
    'x-request-id': requestId,
    ...(acceptsProblem(accept) ? { 'content-type': problemType } : {}),
  })
}

/**
 * Identifies the caller, and adds cookies that a service set to the response. `findOther` finds the caller of an
 * Authorization header that contains no API key.
 */
function withCaller(system: System, findOther?: (authorization: string) => Promise<KeyCaller | undefined>) {
  return async (c: HttpContext, next: () => Promise<void>) => {
    const cookies: string[] = []
    const cookieHeader = c.req.header('cookie')
    const sessionId = cookieHeader === undefined ? undefined : system.sessions.idIn(cookieHeader)
    const isReading = readingMethods.includes(c.req.method)
    const source = {
      method: c.req.method,
      path: c.req.path,
      origin: c.req.header('origin'),
      fetchSite: c.req.header('sec-fetch-site'),
    }
    const ctx: RequestCtx = {
      ...anonymousCtx(system, c),
      isSameOrigin: isSameOrigin(system.config.publicUrl, source),
      cookie: (name) => readCookie(system.config.publicUrl, cookieHeader, name),
      setCookie: (cookie) => cookies.push(cookie),
    }
    c.set('ctx', ctx)
    c.header('x-request-id', ctx.requestId)
    // Responses are private and current, so they are not cached; files set their own Cache-Control.
    c.header('cache-control', 'no-store')
    const authorization = c.req.header('authorization')
    if (authorization !== undefined) {
      // No other site can make a browser send the key, so the origin is ignored, and so is the cookie.
      ctx.caller = (await system.apiKeys.callerOf(authorization)) ?? (await findOther?.(authorization))
      ctx.isKeyRefused = ctx.caller === undefined
    } else if (sessionId !== undefined && (isReading || mayUseSession(system.config.publicUrl, source))) {
      const found = await system.sessions.validate(sessionId, ctx.userAgent)
      if (found) {
        ctx.caller = { kind: 'session', id: found.sessionId, user: found.user }
        if (found.renewedCookie) cookies.push(found.renewedCookie)
      }
    }
    await next()
    // `caughtUp` would wait for the unavailable database.
    if (c.res.status === errorTable.unavailable.status) return
    // A change to a public page is answered only after this process has removed the old page from its cache.
    if (pageTopics.some((topic) => currentRequest()?.notifiedTopics.has(topic))) await system.live.caughtUp()
    for (const cookie of cookies) c.res.headers.append('set-cookie', cookie)
    // A proxy may cache a public picture together with the cookie of whoever requested it.
    if (cookies.length > 0) c.res.headers.set('cache-control', 'no-store')
  }
}

/** The HTTP response to a thrown error. */
function answerError(system: System, c: HttpContext, thrown: unknown): Response {
  if (thrown instanceof ClientDisconnected) return c.body(null, clientClosedRequestStatus)
  const error = toAppError(thrown)
  const requestId = c.get('ctx')?.requestId
  logFailure(system.log, 'a request', error, { err: thrown, requestId, path: loggedPath(c.req.path) })
  // A browser reconnects to an event stream that ended (after `retry` milliseconds), but not to one that was refused.
  if (error.kind === 'unavailable' && c.req.header('accept')?.includes('text/event-stream')) {
    return c.body(`retry: ${1000 * (error.retryAfter ?? unavailableSeconds)}\n\n`, 200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
    })
  }
  for (const [name, value] of Object.entries(errorHeaders(error))) c.header(name, value)
  const wantsProblem = acceptsProblem(c.req.header('accept'))
  const body = wantsProblem ? { ...problemOf(error, requestId), ...errorBody(error) } : errorBody(error)
  return c.json(
    error.kind === 'internal' ? { ...body, requestId } : body,
    errorTable[error.kind].status,
    wantsProblem ? { 'content-type': problemType } : {},
  )
}
