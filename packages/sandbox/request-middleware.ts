import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context, MiddlewareHandler } from 'hono'
import { type FaultState, type FaultEffect, hit, semanticOf } from './faults.ts'
import type { Holds } from './holds.ts'
import { type RequestLog, withoutSecretHeaders, withoutSecrets } from './request-log.ts'
import type { Fault, SemanticFault, Service, ServiceModule, SandboxContext } from './context.ts'

const gone = Symbol('gone')
type Delays = Pick<FaultEffect, 'lateListMs' | 'lateStatusMs'>
const pending = new WeakMap<Request, SemanticFault>()
const lateness = new WeakMap<Request, Delays>()

/**
 * The fault scripted for this request that its handler must carry out: the token is expired or revoked, the container
 * or session is gone, processing will fail, a duplicate is refused that does not exist. Undefined without one.
 */
export function faultOf(c: Context): SemanticFault | undefined {
  return pending.get(c.req.raw)
}

/** The delays, in milliseconds, that this request's faults put on lists and on a status. */
export function delaysOf(c: Context): Delays {
  return lateness.get(c.req.raw) ?? { lateListMs: 0, lateStatusMs: 0 }
}

export type RequestMiddlewareOptions = {
  sandbox: SandboxContext
  modules: readonly ServiceModule[]
  faults: () => FaultState
  holds: Holds
  log: RequestLog
  flush: () => void
}

/** The service that owns a path: the longest mount that it starts with. */
function owner(modules: readonly ServiceModule[], path: string): { module: ServiceModule; mount: string } | undefined {
  let found: { module: ServiceModule; mount: string; length: number } | undefined
  const offer = (module: ServiceModule, claim: string, mount: string): void => {
    if ((path === claim || path.startsWith(`${claim}/`)) && claim.length > (found?.length ?? -1))
      found = { module, mount, length: claim.length }
  }
  for (const module of modules) {
    for (const host of Object.keys(module.hosts)) offer(module, `/${host}`, `/${host.split('/')[0]}`)
    for (const claim of module.rootPaths ?? []) offer(module, claim, '')
  }
  return found
}

/**
 * Wraps every service: writes the request log, carries out scripted faults, and sends no answer before its effect is on
 * disk.
 */
export function requestMiddleware({
  sandbox,
  modules,
  faults,
  holds,
  log,
  flush,
}: RequestMiddlewareOptions): MiddlewareHandler<{ Bindings: HttpBindings }> {
  return async (c, next) => {
    const found = owner(modules, c.req.path)
    if (!found) {
      await next()
      flush()
      return
    }
    const url = new URL(c.req.url)
    const path = url.pathname.slice(found.mount.length) || '/'
    const sent = await readBody(c).catch(() => gone)
    // The sender disconnected before its body was complete, so there was no request.
    if (typeof sent === 'symbol') return RESPONSE_ALREADY_SENT
    const { body } = sent
    const played =
      found.module.serviceOf?.(sandbox, { path, query: url.searchParams, body: fields(body) }) ?? found.module.service
    const asked: Service[] = played === found.module.service ? [played] : [played, found.module.service]
    const { delayMs, fault, lateListMs, lateStatusMs } = hit(faults(), asked, c.req.method, path + url.search)
    flush()
    const at = new Date(sandbox.now()).toISOString()
    const done = (status: number): void => {
      found.module.heard?.(sandbox, { path, headers: c.req.raw.headers, text: sent.text, status, at })
      flush()
      log.add({
        service: played,
        method: c.req.method,
        path,
        query: withoutSecrets(Object.fromEntries(url.searchParams)) as Record<string, string>,
        headers: withoutSecretHeaders(c.req.raw.headers),
        body: withoutSecrets(body),
        status,
        at: new Date(sandbox.now()).toISOString(),
      })
    }
    if (delayMs > 0) await holds.wait(delayMs)
    if (fault?.kind === 'drop') {
      c.env.incoming.socket.destroy()
      done(0)
      return RESPONSE_ALREADY_SENT
    }
    if (fault?.kind === 'status') {
      await drain(c)
      done(fault.status)
      return scripted(fault)
    }
    const semantic = semanticOf(fault)
    if (semantic) pending.set(c.req.raw, semantic)
    if (lateListMs > 0 || lateStatusMs > 0) lateness.set(c.req.raw, { lateListMs, lateStatusMs })
    await next()
    flush()
    if (fault?.kind === 'drop-after-commit') {
      c.env.incoming.socket.destroy()
      done(0)
      c.res = RESPONSE_ALREADY_SENT
      return
    }
    // A handler may refuse an upload before it has read its bytes.
    await drain(c).catch(() => undefined)
    if (fault?.kind === 'status-after-commit') {
      done(fault.status)
      c.res = undefined
      c.res = scripted(fault)
      return
    }
    done(c.res.status)
  }
}

/** A body as it came and as the log and `serviceOf` read it; the bytes of an upload stay unread. */
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

function fields(body: unknown): Record<string, unknown> {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
}

/** An answer over unread bytes resets the sender's connection. Real servers read on for a while, too. */
async function drain(c: Context): Promise<void> {
  if (c.req.raw.bodyUsed || !c.req.raw.body) return
  let read = 0
  for await (const chunk of c.req.raw.body) {
    read += (chunk as Uint8Array).byteLength
    if (read > 64 * 1024 * 1024) break
  }
}

function scripted(fault: Fault): Response {
  const headers = new Headers(fault.headers)
  const text =
    typeof fault.body === 'string'
      ? fault.body
      : JSON.stringify(fault.body ?? { error: { message: 'Sandbox: scripted fault' } })
  if (!headers.has('content-type'))
    headers.set('content-type', typeof fault.body === 'string' ? 'text/plain' : 'application/json')
  const bodiless = [204, 304].includes(fault.status)
  return new Response(bodiless ? null : text, { status: fault.status, headers })
}
