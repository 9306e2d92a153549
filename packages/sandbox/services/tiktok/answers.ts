import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { World } from '../../world.ts'
import type { Grant } from './state.ts'
import { tiktokState } from './state.ts'

/** TikTok's trace id: a stamp and some digits. */
export function logId(world: World): string {
  return `${new Date(world.now()).toISOString().replace(/\D/g, '').slice(0, 14)}${world
    .secret(9)
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '0')}`
}

/** A good answer in TikTok's envelope. A string `int64:<digits>` leaves as a bare number, as TikTok sends post ids. */
export function done(c: Context, world: World, data: unknown, code = 'ok', message = ''): Response {
  const body = JSON.stringify({ data, error: { code, message, log_id: logId(world) } })
  return c.body(body.replace(/"int64:(\d+)"/g, '$1'), 200, { 'content-type': 'application/json; charset=utf-8' })
}

/** A refusal in the same envelope (docs/networks/tiktok.md). */
export function refuse(
  c: Context,
  world: World,
  status: ContentfulStatusCode,
  code: string,
  message: string,
): Response {
  return c.json({ data: {}, error: { code, message, log_id: logId(world) } }, status)
}

/** The bearer token of a request, as sent. */
export function bearer(c: Context): string {
  return /^Bearer (.+)$/i.exec(c.req.header('authorization') ?? '')?.[1] ?? ''
}

/** The live consent behind a request, or the refusal to answer with. */
export function granted(c: Context, world: World, scope: string): Grant | Response {
  const state = tiktokState(world)
  const token = state.access[bearer(c)]
  const grant = token && state.grants[token.grant]
  if (!token || !grant || grant.revoked || token.expiresAt <= world.now()) {
    const message = 'The access token is invalid or not found in the request.'
    return refuse(c, world, 401, 'access_token_invalid', message)
  }
  if (!grant.scopes.includes(scope)) {
    return refuse(c, world, 401, 'scope_not_authorized', `The user did not authorize the scope ${scope}.`)
  }
  return grant
}

/** One creator at one app: what limits count by, whatever token is used. */
export function loginOf(grant: Pick<Grant, 'clientKey' | 'openId'>): string {
  return `${grant.clientKey} ${grant.openId}`
}

/** Counts one call against a limit per minute and login; the refusal when it is one too many. Holds only while quotas are on. */
export function throttled(
  c: Context,
  world: World,
  grant: Grant,
  call: string,
  perMinute: number,
): Response | undefined {
  if (!world.settings.quotas) return undefined
  const state = tiktokState(world)
  const key = `${call} ${loginOf(grant)}`
  const recent = (state.calls[key] ?? []).filter((at) => at > world.now() - 60_000)
  if (recent.length >= perMinute) {
    return refuse(c, world, 429, 'rate_limit_exceeded', 'The API rate limit was exceeded. Please try again later.')
  }
  state.calls[key] = [...recent, world.now()]
  return undefined
}

/** A path with and without the slash that TikTok's own addresses end in. */
export function slashed(path: string): string[] {
  return [path, `${path}/`]
}
