import { createHash, timingSafeEqual } from 'node:crypto'
import type { Context } from 'hono'
import { Refusal } from '../../refusal.ts'
import { faulted } from '../../request-faults.ts'
import type { SandboxContext } from '../../context.ts'
import { googleState, type GoogleGrant } from '../google-grants.ts'
import { signIdToken } from './keys.ts'
import { people } from './people.ts'

const accessSeconds = 3599
const liveRefreshTokens = 100

/** `oauth2.googleapis.com/token`: exchanges a code or refresh token for an access token of one hour. */
export async function token(c: Context, sandbox: SandboxContext): Promise<Response> {
  const form = new URLSearchParams(await c.req.text())
  const clientId = form.get('client_id')
  if (!clientId) throw refuse(401, 'invalid_client', 'The OAuth client was not found.')
  if (!form.get('client_secret')) throw refuse(401, 'invalid_client', 'Unauthorized')
  const type = form.get('grant_type')
  if (type === 'authorization_code') return exchange(c, sandbox, form, clientId)
  if (type === 'refresh_token') return refresh(c, sandbox, form, clientId)
  throw type
    ? refuse(400, 'unsupported_grant_type', `Invalid grant_type: ${type}`)
    : refuse(400, 'invalid_request', 'Required parameter is missing: grant_type')
}

function refuse(status: 400 | 401, error: string, words: string): Refusal {
  return new Refusal(status, { error, error_description: words })
}

async function exchange(
  c: Context,
  sandbox: SandboxContext,
  form: URLSearchParams,
  clientId: string,
): Promise<Response> {
  const state = googleState(sandbox)
  const code = state.codes[form.get('code') ?? '']
  const grant = code && state.grants[code.grant]
  if (!code || !grant || grant.clientId !== clientId) throw refuse(400, 'invalid_grant', 'Malformed auth code.')
  if (faulted(c, 'expire-token')) code.expiresAt = 0
  if (code.used || code.expiresAt <= sandbox.now() || grant.revoked) throw refuse(400, 'invalid_grant', 'Bad Request')
  if (code.redirectUri !== form.get('redirect_uri')) throw refuse(400, 'redirect_uri_mismatch', 'Bad Request')
  if (!verifierMatches(code.challenge, code.challengeMethod, form.get('code_verifier') ?? '')) {
    throw refuse(
      400,
      'invalid_grant',
      code.challenge && !form.get('code_verifier') ? 'Missing code verifier.' : 'Invalid code verifier.',
    )
  }
  code.used = true
  return c.json(await issue(sandbox, grant, code))
}

async function issue(sandbox: SandboxContext, grant: GoogleGrant, code: { nonce: string; offline: boolean }) {
  const access = `ya29.${sandbox.secret(60)}`
  googleState(sandbox).access[access] = { grant: grant.id, expiresAt: sandbox.now() + accessSeconds * 1000 }
  return {
    access_token: access,
    expires_in: accessSeconds,
    ...(code.offline && { refresh_token: issueRefresh(sandbox, grant) }),
    scope: grant.scopes.join(' '),
    token_type: 'Bearer',
    ...(grant.scopes.includes('openid') && { id_token: await idTokenFor(sandbox, grant, code.nonce, access) }),
  }
}

async function refresh(
  c: Context,
  sandbox: SandboxContext,
  form: URLSearchParams,
  clientId: string,
): Promise<Response> {
  const state = googleState(sandbox)
  const known = state.refresh[form.get('refresh_token') ?? '']
  const grant = known && state.grants[known.grant]
  if (grant && (faulted(c, 'revoke-token') || faulted(c, 'expire-token'))) grant.revoked = true
  if (!grant || grant.clientId !== clientId || grant.revoked)
    throw refuse(400, 'invalid_grant', 'Token has been expired or revoked.')
  return c.json(await issue(sandbox, grant, { nonce: '', offline: false }))
}

/** RFC 7636: a challenge requires its verifier, and a verifier without a challenge is refused. */
function verifierMatches(challenge: string, method: string, verifier: string): boolean {
  if (!challenge) return verifier === ''
  const computed = method === 'S256' ? createHash('sha256').update(verifier).digest('base64url') : verifier
  return computed.length === challenge.length && timingSafeEqual(Buffer.from(computed), Buffer.from(challenge))
}

/** Google invalidates the oldest of more than 100 refresh tokens of one person and client. */
function issueRefresh(sandbox: SandboxContext, grant: GoogleGrant): string {
  const state = googleState(sandbox)
  const same = Object.entries(state.refresh).filter(([, one]) => {
    const other = state.grants[one.grant]
    return other && !other.revoked && other.clientId === grant.clientId && other.identityId === grant.identityId
  })
  for (const [old] of same.slice(0, Math.max(0, same.length - liveRefreshTokens + 1))) delete state.refresh[old]
  const token = `1//0${sandbox.secret(48)}`
  state.refresh[token] = { grant: grant.id }
  return token
}

async function idTokenFor(sandbox: SandboxContext, grant: GoogleGrant, nonce: string, access: string): Promise<string> {
  return signIdToken(sandbox, {
    iss: 'https://accounts.google.com',
    azp: grant.clientId,
    aud: grant.clientId,
    ...claimsOf(grant),
    at_hash: createHash('sha256').update(access).digest().subarray(0, 16).toString('base64url'),
    ...(nonce && { nonce }),
  })
}

/** The claims that a grant allows: the subject always, the rest by scope. */
export function claimsOf(grant: Pick<GoogleGrant, 'identityId' | 'scopes'>): Record<string, unknown> {
  const who = people.find((one) => one.id === grant.identityId)
  const has = (name: string): boolean =>
    grant.scopes.some((scope) => scope === name || scope.endsWith(`/auth/userinfo.${name}`))
  return {
    sub: grant.identityId,
    ...(who && has('email') && { email: who.email, email_verified: who.emailVerified }),
    ...(who && has('profile') && { name: who.name, given_name: who.givenName, family_name: who.familyName }),
  }
}

/** `oauth2.googleapis.com/revoke`: ends every grant of the person for this client. */
export async function revoke(c: Context, sandbox: SandboxContext): Promise<Response> {
  const state = googleState(sandbox)
  const given = c.req.query('token') ?? new URLSearchParams(await c.req.text()).get('token') ?? ''
  const grant = state.grants[(state.access[given] ?? state.refresh[given])?.grant ?? '']
  if (!given) throw refuse(400, 'invalid_request', 'Required parameter is missing: token')
  if (!grant || grant.revoked) throw refuse(400, 'invalid_token', 'Token expired or revoked')
  for (const one of Object.values(state.grants)) {
    if (one.clientId === grant.clientId && one.identityId === grant.identityId) one.revoked = true
  }
  delete state.consented[`${grant.clientId} ${grant.identityId}`]
  return c.json({})
}
