import { bearer } from '../../request-body.ts'
import { Refusal } from '../../refusal.ts'
import type { Context } from 'hono'
import type { SandboxContext } from '../../context.ts'
import { callerGrant } from '../google-grants.ts'
import { type Channel, youtubeState } from './state.ts'

const statuses = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
}

/** Google's refusal; callers decide by `reason` (docs/networks/youtube.md). */
export function refuse(
  code: keyof typeof statuses,
  reason: string,
  message: string,
  domain = 'youtube.common',
): Refusal {
  return new Refusal(code, { error: { code, message, errors: [{ message, domain, reason }], status: statuses[code] } })
}

export type Caller = { channel: Channel; clientId: string }

const prefix = 'https://www.googleapis.com/auth/'
const everything = [`${prefix}youtube`, `${prefix}youtube.force-ssl`]
/** `youtube.upload` alone may upload but not read. */
export const uploadScopes = [...everything, `${prefix}youtube.upload`]
export const readScopes = [...everything, `${prefix}youtube.readonly`]

/** The caller. Throws a 401 or 403. Carries out expire-token and revoke-token on the token used. */
export function caller(c: Context, sandbox: SandboxContext, scopes: readonly string[]): Caller {
  const grant = callerGrant(c, sandbox)
  if (!grant) {
    const message = 'Request had invalid authentication credentials. Expected OAuth 2 access token.'
    throw refuse(401, bearer(c) ? 'authError' : 'required', message, 'global')
  }
  if (!grant.scopes.some((scope) => scopes.includes(scope))) {
    const message = 'Request had insufficient authentication scopes.'
    throw refuse(403, 'insufficientPermissions', message, 'global')
  }
  const channel = youtubeState(sandbox).channels[grant.identityId]
  if (!channel) throw refuse(401, 'youtubeSignupRequired', 'The account has no channel.', 'youtube.header')
  return { channel, clientId: grant.clientId }
}

const perDay = { uploads: 100, units: 10_000 }

function pacificDate(now: number): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Los_Angeles', dateStyle: 'short' }).format(now)
}

/**
 * Counts one call against a project's daily quota, which resets at midnight Pacific. Throws a 403 when nothing is left;
 * only while quotas are on.
 */
export function chargeQuota(sandbox: SandboxContext, project: string, bucket: keyof typeof perDay): void {
  if (!sandbox.settings.quotas) return
  const { used } = youtubeState(sandbox)
  const key = `${project} ${pacificDate(sandbox.now())} ${bucket}`
  if ((used[key] ?? 0) >= perDay[bucket]) {
    const message = 'The request cannot be completed because you have exceeded your quota.'
    throw refuse(403, 'quotaExceeded', message, 'youtube.quota')
  }
  used[key] = (used[key] ?? 0) + 1
}

/** The `part` list of a request. Throws a 400: it is required and its parts must be known. */
export function requestedParts(c: Context, known: readonly string[]): string[] {
  const parts = (c.req.query('part') ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)
  if (!parts.length) throw refuse(400, 'missingRequiredParameter', 'Required parameter: part', 'global')
  const unknown = parts.find((one) => !known.includes(one))
  if (unknown !== undefined) throw refuse(400, 'unknownPart', `'${unknown}'`, 'youtube.part')
  return parts
}

/** The requested parts of a resource. */
export function onlyParts(all: Record<string, unknown>, parts: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(all).filter(([name]) => parts.includes(name)))
}
