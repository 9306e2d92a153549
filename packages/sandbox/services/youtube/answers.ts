import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { faultOf } from '../../door.ts'
import type { World } from '../../world.ts'
import { googleTokens } from '../google-grants.ts'
import type { Channel } from './state.ts'
import { youtubeState } from './state.ts'

const statuses: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
}

/** Google's refusal; callers decide by `reason` (docs/networks/youtube.md). */
export function refuse(
  c: Context,
  code: ContentfulStatusCode,
  reason: string,
  message: string,
  domain = 'youtube.common',
): Response {
  return c.json(
    { error: { code, message, errors: [{ message, domain, reason }], status: statuses[code] ?? 'UNKNOWN' } },
    code,
  )
}

export function bearer(c: Context): string {
  return /^Bearer (.+)$/i.exec(c.req.header('authorization') ?? '')?.[1] ?? ''
}

export type Caller = { channel: Channel; clientId: string }

const prefix = 'https://www.googleapis.com/auth/'
const everything = [`${prefix}youtube`, `${prefix}youtube.force-ssl`]
/** Scopes that may upload, and scopes that may read: uploading alone cannot read. */
export const uploadScopes = [...everything, `${prefix}youtube.upload`]
export const readScopes = [...everything, `${prefix}youtube.readonly`]

/** Who calls, or the refusal to answer with. Carries out expire-token and revoke-token on the token used. */
export function caller(c: Context, world: World, scopes: readonly string[]): Caller | Response {
  const token = bearer(c)
  const tokens = googleTokens(world)
  const kind = faultOf(c)?.kind
  if (kind === 'expire-token') tokens.expire(token)
  if (kind === 'revoke-token') tokens.revoke(token)
  const grant = tokens.check(token)
  if (!grant) {
    const message = 'Request had invalid authentication credentials. Expected OAuth 2 access token.'
    return refuse(c, 401, token ? 'authError' : 'required', message, 'global')
  }
  if (!grant.scopes.some((scope) => scopes.includes(scope))) {
    return refuse(c, 403, 'insufficientPermissions', 'Request had insufficient authentication scopes.', 'global')
  }
  const channel = youtubeState(world).channels[grant.identityId]
  if (!channel) return refuse(c, 401, 'youtubeSignupRequired', 'The account has no channel.', 'youtube.header')
  return { channel, clientId: grant.clientId }
}

const perDay = { uploads: 100, units: 10_000 }

function pacificDate(now: number): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Los_Angeles', dateStyle: 'short' }).format(now)
}

/** Takes one from a project's day, which ends at midnight Pacific; the refusal when nothing is left. Holds only while quotas are on. */
export function spend(c: Context, world: World, project: string, bucket: keyof typeof perDay): Response | undefined {
  if (!world.settings.quotas) return undefined
  const { used } = youtubeState(world)
  const key = `${project} ${pacificDate(world.now())} ${bucket}`
  if ((used[key] ?? 0) >= perDay[bucket]) {
    const message = 'The request cannot be completed because you have exceeded your quota.'
    return refuse(c, 403, 'quotaExceeded', message, 'youtube.quota')
  }
  used[key] = (used[key] ?? 0) + 1
  return undefined
}

/** The `part` list of a request, or the refusal: it must be there and known. */
export function partsAsked(c: Context, known: readonly string[]): string[] | Response {
  const parts = (c.req.query('part') ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)
  if (!parts.length) return refuse(c, 400, 'missingRequiredParameter', 'Required parameter: part', 'global')
  const unknown = parts.find((one) => !known.includes(one))
  return unknown === undefined ? parts : refuse(c, 400, 'unknownPart', `'${unknown}'`, 'youtube.part')
}
