import { splitWords } from '../split-words.ts'
import { type Context, Hono } from 'hono'
import type { ServiceModule, Service, SandboxContext } from '../context.ts'
import { callerGrant, googleState, serviceOfScopes } from './google-grants.ts'
import { authorize } from './google/authorize.ts'
import { certs } from './google/keys.ts'
import { people } from './google/people.ts'
import { claimsOf, revoke, token } from './google/token.ts'

/** Google's sign-in (OpenID Connect), and the consent and tokens of YouTube (`google-grants.ts`). */
export const google: ServiceModule = {
  service: 'google',
  hosts: {
    'accounts.google.com': (sandbox) =>
      new Hono()
        .get('/.well-known/openid-configuration', (c) =>
          c.json(discovery(sandbox.url), 200, { 'cache-control': 'public, max-age=3600' }),
        )
        .on(['GET', 'POST'], '/o/oauth2/v2/auth', (c) => authorize(c, sandbox)),
    'oauth2.googleapis.com': (sandbox) =>
      new Hono().post('/token', (c) => token(c, sandbox)).post('/revoke', (c) => revoke(c, sandbox)),
    'openidconnect.googleapis.com': (sandbox) => new Hono().get('/v1/userinfo', (c) => userinfo(c, sandbox)),
    'www.googleapis.com/oauth2': (sandbox) =>
      new Hono().get('/oauth2/v3/certs', (c) =>
        c.json(certs(sandbox), 200, { 'cache-control': 'public, max-age=19800, must-revalidate' }),
      ),
  },
  defaults: () => ({
    identities: people.map(({ id, name, email, emailVerified, pages }) => ({ id, name, email, emailVerified, pages })),
  }),
  serviceOf,
}

function discovery(url: string): Record<string, unknown> {
  return {
    issuer: 'https://accounts.google.com',
    authorization_endpoint: `${url}/accounts.google.com/o/oauth2/v2/auth`,
    token_endpoint: `${url}/oauth2.googleapis.com/token`,
    userinfo_endpoint: `${url}/openidconnect.googleapis.com/v1/userinfo`,
    revocation_endpoint: `${url}/oauth2.googleapis.com/revoke`,
    jwks_uri: `${url}/www.googleapis.com/oauth2/v3/certs`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: ['openid', 'email', 'profile'],
    token_endpoint_auth_methods_supported: ['client_secret_post'],
    claims_supported: splitWords('aud email email_verified exp family_name given_name iat iss name sub'),
    code_challenge_methods_supported: ['plain', 'S256'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
  }
}

function userinfo(c: Context, sandbox: SandboxContext): Response {
  const grant = callerGrant(c, sandbox)
  if (!grant?.scopes.includes('openid'))
    return c.json({ error: 'invalid_request', error_description: 'Invalid Credentials' }, 401)
  return c.json(claimsOf(grant))
}

/**
 * The service of a call to the shared hosts: by scope at the consent screen, by the grant of a code or token
 * afterwards.
 */
function serviceOf(
  sandbox: SandboxContext,
  request: { path: string; query: URLSearchParams; body: Record<string, unknown> },
): Service | undefined {
  if (request.path === '/o/oauth2/v2/auth') return serviceOfScopes((request.query.get('scope') ?? '').split(/\s+/))
  const state = googleState(sandbox)
  const text = (name: string): string => {
    const value = request.body[name]
    return typeof value === 'string' ? value : ''
  }
  const given = text('token') || request.query.get('token') || ''
  const grant =
    state.codes[text('code')]?.grant ??
    (state.refresh[text('refresh_token')] ?? state.refresh[given] ?? state.access[given])?.grant
  return grant ? state.grants[grant]?.service : undefined
}
