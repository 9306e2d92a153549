import type { Identity, Network, Service, World } from '../world.ts'

/**
 * A module that hands out grants through Google's consent screen under scopes of its own (YouTube). The hosts
 * accounts.google.com and oauth2.googleapis.com belong to `google.ts`, which asks the first kind that handles the scopes.
 */
export type GoogleGrantKind = {
  /** Whose faults and request log the shared doors count under. */
  service: Service
  /** The network's name on the consent screen, and its colour. */
  network: Network | 'google'
  handles(scopes: readonly string[]): boolean
  /** Who may be picked; the grant is bound to the one picked. */
  identities(world: World): Identity[]
}

const kinds: GoogleGrantKind[] = []

/** Called once, at import, by the module that owns the scopes. */
export function registerGoogleGrants(kind: GoogleGrantKind): void {
  kinds.push(kind)
}

/** The kind that owns these scopes, if one was registered; sign-in owns the rest. */
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

export type GoogleToken = { grant: string; expiresAt: number }

export type GoogleCode = {
  grant: string
  redirectUri: string
  challenge: string
  challengeMethod: string
  nonce: string
  offline: boolean
  expiresAt: number
  used: boolean
}

export type GoogleState = {
  grants: Record<string, GoogleGrant>
  codes: Record<string, GoogleCode>
  /** access token → grant; the newest of them last */
  access: Record<string, GoogleToken>
  /** refresh token → grant */
  refresh: Record<string, { grant: string }>
  /** `${clientId} ${identityId}` of grants that already gave a refresh token: only prompt=consent gives another */
  consented: Record<string, boolean>
  /** The private key of id tokens, as a JWK; made at first use */
  keys: Record<string, Record<string, string>>
}

export function googleState(world: World): GoogleState {
  return world.state<GoogleState>('google', () => ({
    grants: {},
    codes: {},
    access: {},
    refresh: {},
    consented: {},
    keys: {},
  }))
}

/** What an API behind a Google access token needs to know of it. */
export function googleTokens(world: World) {
  const grantOf = (accessToken: string): GoogleGrant | undefined => {
    const state = googleState(world)
    const token = state.access[accessToken]
    return token && state.grants[token.grant]
  }
  return {
    /** Who stands behind a live access token; undefined when it is unknown, expired or revoked (answer 401 authError). */
    check(accessToken: string): { identityId: string; scopes: string[]; clientId: string } | undefined {
      const state = googleState(world)
      const token = state.access[accessToken]
      const grant = grantOf(accessToken)
      if (!token || !grant || grant.revoked || token.expiresAt <= world.now()) return undefined
      return { identityId: grant.identityId, scopes: [...grant.scopes], clientId: grant.clientId }
    },
    /** For the fault expire-token: this access token ends now, a refresh brings a new one. */
    expire(accessToken: string): void {
      const token = googleState(world).access[accessToken]
      if (token) token.expiresAt = world.now()
    },
    /** For the fault revoke-token: the whole grant ends, refreshing answers invalid_grant. */
    revoke(accessToken: string): void {
      const grant = grantOf(accessToken)
      if (grant) grant.revoked = true
    },
  }
}
