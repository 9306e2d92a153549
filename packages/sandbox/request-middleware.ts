import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context, MiddlewareHandler } from 'hono'
import { fireFaults } from './faults.ts'
import { setFaults } from './request-faults.ts'
import type { Holds } from './holds.ts'
import { logRequest, withoutSecretHeaders, withoutSecrets } from './request-log.ts'
import { isRecord } from './request-body.ts'
import type { Fault, Service, ServiceModule, SandboxContext } from './context.ts'

/** What the services claim of the paths: the module of each prefix, and the mount that its own paths do not contain. */
function claimsOf(modules: readonly ServiceModule[]) {
  const claims = modules.flatMap((module) => [
    ...Object.keys(module.hosts).map((host) => ({ module, prefix: `/${host}`, mount: `/${host.split('/')[0]}` })),
    ...(module.rootPaths ?? []).map((prefix) => ({ module, prefix, mount: '' })),
  ])
  return claims.toSorted((a, b) => b.prefix.length - a.prefix.length)
}

/**
 * Wraps every service: writes the request log, carries out scripted faults, and writes the effect of a request to disk
 * before its answer is sent.
 */
export function requestMiddleware(
  sandbox: SandboxContext,
  modules: readonly ServiceModule[],
  holds: Holds,
): MiddlewareHandler<{ Bindings: HttpBindings }> {
  const claims = claimsOf(modules)
  return async (c, next) => {
    // The longest prefix owns a path.
    const owner = claims.find(({ prefix }) => `${c.req.path}/`.startsWith(`${prefix}/`))
    if (!owner) {
      await next()
      sandbox.changed()
      return
    }
    const url = new URL(c.req.url)
    const path = url.pathname.slice(owner.mount.length) || '/'
    const received = await readBody(c).catch(() => undefined)
    // The sender disconnected before the body was complete, so there was no request.
    if (!received) return RESPONSE_ALREADY_SENT
    const { body } = received
    const service =
      owner.module.serviceOf?.(sandbox, { path, query: url.searchParams, body: isRecord(body) ? body : {} }) ??
      owner.module.service
    const services: Service[] = service === owner.module.service ? [service] : [service, owner.module.service]
    const { delayMs, fault, lateListMs, lateStatusMs } = fireFaults(sandbox, services, c.req.method, path + url.search)
    sandbox.changed()
    const receivedAt = new Date(sandbox.now()).toISOString()
    const record = (status: number): void => {
      owner.module.onRequest?.(sandbox, {
        path,
        headers: c.req.raw.headers,
        text: received.text,
        status,
        at: receivedAt,
      })
      logRequest(sandbox, {
        service,
        method: c.req.method,
        path,
        query: withoutSecrets(Object.fromEntries(url.searchParams)) as Record<string, string>,
        headers: withoutSecretHeaders(c.req.raw.headers),
        body: withoutSecrets(body),
        status,
        at: new Date(sandbox.now()).toISOString(),
      })
      sandbox.changed()
    }
    if (delayMs > 0) await holds.wait(delayMs)
    if (fault?.kind === 'drop') {
      c.env.incoming.socket.destroy()
      record(0)
      return RESPONSE_ALREADY_SENT
    }
    if (fault?.kind === 'status') {
      await drain(c)
      record(fault.status)
      return scriptedAnswer(fault)
    }
    setFaults(c, { fault, lateListMs, lateStatusMs })
    await next()
    sandbox.changed()
    if (fault?.kind === 'drop-after-commit') {
      c.env.incoming.socket.destroy()
      record(0)
      c.res = RESPONSE_ALREADY_SENT
      return
    }
    // A handler may refuse an upload before reading its bytes.
    await drain(c).catch(() => undefined)
    if (fault?.kind === 'status-after-commit') {
      record(fault.status)
      c.res = undefined
      c.res = scriptedAnswer(fault)
      return
    }
    record(c.res.status)
  }
}

/** The text of a body, and the parsed body for the log and `serviceOf`. The bytes of an upload are not read. */
async function readBody(c: Context): Promise<{ text: string; body: unknown }> {
  if (c.req.method === 'GET' || c.req.method === 'HEAD' || !c.req.raw.body) return { text: '', body: null }
  const type = c.req.header('content-type') ?? ''
  const length = Number(c.req.header('content-length') ?? Number.NaN)
  if (!/json|x-www-form-urlencoded|^text\//i.test(type) || length > 1024 * 1024) {
    return { text: '', body: length === 0 ? null : { bytes: Number.isNaN(length) ? null : length } }
  }
  const text = await c.req.text()
  if (!text) return { text, body: null }
  if (/x-www-form-urlencoded/i.test(type)) return { text, body: Object.fromEntries(new URLSearchParams(text)) }
  try {
    return { text, body: JSON.parse(text) }
  } catch {
    return { text, body: text }
  }
}

/** Reads the rest of a body, as real servers do: an answer before all bytes are read would reset the connection. */
async function drain(c: Context): Promise<void> {
  if (c.req.raw.bodyUsed || !c.req.raw.body) return
  let read = 0
  for await (const chunk of c.req.raw.body) {
    read += (chunk as Uint8Array).byteLength
    if (read > 64 * 1024 * 1024) break
  }
}

function scriptedAnswer(fault: Fault): Response {
  const headers = new Headers(fault.headers)
  const text =
    typeof fault.body === 'string'
      ? fault.body
      : JSON.stringify(fault.body ?? { error: { message: 'Sandbox: scripted fault' } })
  if (!headers.has('content-type'))
    headers.set('content-type', typeof fault.body === 'string' ? 'text/plain' : 'application/json')
  const hasNoBody = [204, 304].includes(fault.status)
  return new Response(hasNoBody ? null : text, { status: fault.status, headers })
}
