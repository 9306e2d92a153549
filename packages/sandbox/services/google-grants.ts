import type { JsonWebKey } from 'node:crypto'
import type { Context } from 'hono'
import { collection } from '../collection.ts'
import { bearer } from '../request-body.ts'
import { faultGrant } from '../request-faults.ts'
import type { SandboxContext } from '../context.ts'

export function isYoutubeScope(scope: string): boolean {
  return /^https:\/\/www\.googleapis\.com\/auth\/youtube(\.|$)/.test(scope)
}

/** Whose consent these scopes need: YouTube's goes through Google's hosts, like sign-in. */
export function serviceOfScopes(scopes: readonly string[]): 'youtube' | 'google' {
  return scopes.some(isYoutubeScope) ? 'youtube' : 'google'
}

export type GoogleGrant = {
  id: string
  identityId: string
  clientId: string
  scopes: string[]
  /** The service of its calls for faults and for the request log. */
  service: ReturnType<typeof serviceOfScopes>
  revoked: boolean
}

type GoogleToken = { grant: string; expiresAt: number }

type GoogleCode = {
  grant: string
  redirectUri: string
  challenge: string
  challengeMethod: string
  nonce: string
  offline: boolean
  expiresAt: number
  used: boolean
}

const initial = () => ({
  grants: collection<GoogleGrant>(),
  codes: collection<GoogleCode>(),
  /** access token → grant, newest last */
  access: collection<GoogleToken>(),
  /** refresh token → grant */
  refresh: collection<{ grant: string }>(),
  /** `${clientId} ${identityId}` of grants that already issued a refresh token: only prompt=consent issues another */
  consented: collection<boolean>(),
  /** The private key of id tokens, as a JWK; generated at first use */
  keys: collection<JsonWebKey>(),
})
export type GoogleState = ReturnType<typeof initial>

export function googleState(sandbox: SandboxContext): GoogleState {
  return sandbox.state('google', initial)
}

/**
 * The grant of a request's access token; undefined when the token is unknown, expired or revoked (answer 401 authError).
 * Carries out the faults `expire-token` (this token; a refresh issues a new one) and `revoke-token` (the whole grant; a
 * refresh answers invalid_grant).
 */
export function callerGrant(c: Context, sandbox: SandboxContext): GoogleGrant | undefined {
  const state = googleState(sandbox)
  const token = state.access[bearer(c)]
  const grant = token && state.grants[token.grant]
  faultGrant(c, sandbox, token, grant)
  return token && grant && !grant.revoked && token.expiresAt > sandbox.now() ? grant : undefined
}
