import { randomBytes } from 'node:crypto'
import { Refusal } from '../../refusal.ts'
import { bearer } from '../../request-body.ts'
import type { Context } from 'hono'
import type { SandboxContext } from '../../context.ts'
import { type Grant, tiktokState } from './state.ts'

/** TikTok's trace id: a timestamp and some digits. */
export function logId(): string {
  const time = new Date().toISOString().replace(/\D/g, '').slice(0, 14)
  return `${time}${randomBytes(6).toString('hex').toUpperCase()}`
}

/**
 * An answer with HTTP 200 in TikTok's envelope. A string `int64:<digits>` is sent as a bare number, as TikTok sends
 * post ids.
 */
export function succeed(c: Context, data: unknown, code = 'ok', message = ''): Response {
  const body = JSON.stringify({ data, error: { code, message, log_id: logId() } })
  return c.body(body.replace(/"int64:(\d+)"/g, '$1'), 200, { 'content-type': 'application/json; charset=utf-8' })
}

/** A refusal in the same envelope (docs/networks/tiktok.md). */
export function refuse(status: number, code: string, message: string): Refusal {
  return new Refusal(status, { data: {}, error: { code, message, log_id: logId() } })
}

/** The valid consent of a request. Throws the 401. */
export function granted(c: Context, sandbox: SandboxContext, scope: string): Grant {
  const state = tiktokState(sandbox)
  const token = state.access[bearer(c)]
  const grant = token && state.grants[token.grant]
  if (!token || !grant || grant.revoked || token.expiresAt <= sandbox.now()) {
    throw refuse(401, 'access_token_invalid', 'The access token is invalid or not found in the request.')
  }
  if (!grant.scopes.includes(scope)) throw unauthorized(scope)
  return grant
}

export function unauthorized(scope: string): Refusal {
  return refuse(401, 'scope_not_authorized', `The user did not authorize the scope ${scope}.`)
}

/** One creator at one app: the key of rate limits, whichever token is used. */
export function loginOf(grant: Pick<Grant, 'clientKey' | 'openId'>): string {
  return `${grant.clientKey} ${grant.openId}`
}

/** Counts one call against a limit per minute and login. Throws the refusal when it is exceeded; only while quotas are on. */
export function throttle(sandbox: SandboxContext, grant: Grant, call: string, perMinute: number): void {
  if (!sandbox.settings.quotas) return
  const state = tiktokState(sandbox)
  const key = `${call} ${loginOf(grant)}`
  const recent = (state.calls[key] ?? []).filter((at) => at > sandbox.now() - 60_000)
  if (recent.length >= perMinute) {
    throw refuse(429, 'rate_limit_exceeded', 'The API rate limit was exceeded. Please try again later.')
  }
  state.calls[key] = [...recent, sandbox.now()]
}

/** A path with and without TikTok's trailing slash. */
export function withAndWithoutSlash(path: string): string[] {
  return [path, `${path}/`]
}
