import type { Context } from 'hono'
import { collection } from '../collection.ts'
import { bearer } from '../request-body.ts'
import { faultGrant } from '../request-middleware.ts'
import type { Identity, Network, Service, SandboxContext } from '../context.ts'

/**
 * A module (YouTube) that issues grants for its own scopes through Google's consent screen. The hosts
 * accounts.google.com and oauth2.googleapis.com belong to `google.ts`, which delegates to the first kind that handles the
 * scopes.
 */
export type GoogleGrantKind = {
  /** The service of these calls for faults and for the request log. */
  service: Service
  /** The network's name on the consent screen, and its colour. */
  network: Network | 'google'
  handles(scopes: readonly string[]): boolean
  /** The identities to pick from; the grant is bound to the one picked. */
  identities(sandbox: SandboxContext): Identity[]
}

const kinds: GoogleGrantKind[] = []

/** Called once, at import, by the module that owns the scopes. */
export function registerGoogleGrants(kind: GoogleGrantKind): void {
  kinds.push(kind)
}

/** The kind that owns these scopes, if one is registered; sign-in owns the rest. */
export function grantKindOf(scopes: readonly string[]): GoogleGrantKind | undefined {
  return kinds.find((kind) => kind.handles(scopes))
}

export type GoogleGrant = {
  id: string
  identityId: string
  clientId: string
  scopes: string[]
  service: Service
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
  keys: collection<Record<string, string>>(),
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
