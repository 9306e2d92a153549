import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { SandboxContext } from '../../context.ts'
import type { Grant } from './state.ts'
import { tiktokState } from './state.ts'

/** TikTok's trace id: a timestamp and some digits. */
export function logId(sandbox: SandboxContext): string {
  return `${new Date(sandbox.now()).toISOString().replace(/\D/g, '').slice(0, 14)}${sandbox
    .secret(9)
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '0')}`
}

/**
 * A successful answer in TikTok's envelope. A string `int64:<digits>` is sent as a bare number, as TikTok sends post
 * ids.
 */
export function done(c: Context, sandbox: SandboxContext, data: unknown, code = 'ok', message = ''): Response {
  const body = JSON.stringify({ data, error: { code, message, log_id: logId(sandbox) } })
  return c.body(body.replace(/"int64:(\d+)"/g, '$1'), 200, { 'content-type': 'application/json; charset=utf-8' })
}

/** A refusal in the same envelope (docs/networks/tiktok.md). */
export function refuse(
  c: Context,
  sandbox: SandboxContext,
  status: ContentfulStatusCode,
  code: string,
  message: string,
): Response {
  return c.json({ data: {}, error: { code, message, log_id: logId(sandbox) } }, status)
}

/** The bearer token of a request, as sent. */
export function bearer(c: Context): string {
  return /^Bearer (.+)$/i.exec(c.req.header('authorization') ?? '')?.[1] ?? ''
}

/** The valid consent of a request, or the refusal to answer. */
export function granted(c: Context, sandbox: SandboxContext, scope: string): Grant | Response {
  const state = tiktokState(sandbox)
  const token = state.access[bearer(c)]
  const grant = token && state.grants[token.grant]
  if (!token || !grant || grant.revoked || token.expiresAt <= sandbox.now()) {
    const message = 'The access token is invalid or not found in the request.'
    return refuse(c, sandbox, 401, 'access_token_invalid', message)
  }
  if (!grant.scopes.includes(scope)) {
    return refuse(c, sandbox, 401, 'scope_not_authorized', `The user did not authorize the scope ${scope}.`)
  }
  return grant
}

/** One creator at one app: the key of rate limits, whichever token is used. */
export function loginOf(grant: Pick<Grant, 'clientKey' | 'openId'>): string {
  return `${grant.clientKey} ${grant.openId}`
}

/** Counts one call against a limit per minute and login; the refusal when it is exceeded. Only while quotas are on. */
export function throttled(
  c: Context,
  sandbox: SandboxContext,
  grant: Grant,
  call: string,
  perMinute: number,
): Response | undefined {
  if (!sandbox.settings.quotas) return undefined
  const state = tiktokState(sandbox)
  const key = `${call} ${loginOf(grant)}`
  const recent = (state.calls[key] ?? []).filter((at) => at > sandbox.now() - 60_000)
  if (recent.length >= perMinute) {
    return refuse(c, sandbox, 429, 'rate_limit_exceeded', 'The API rate limit was exceeded. Please try again later.')
  }
  state.calls[key] = [...recent, sandbox.now()]
  return undefined
}

/** A path with and without TikTok's trailing slash. */
export function slashed(path: string): string[] {
  return [path, `${path}/`]
}
