import type { Context } from 'hono'
import { html } from 'hono/html'
import { askConsent, backTo, type ConsentRequest, redirectAllowed } from '../../consent.ts'
import { page } from '../../page.ts'
import type { SandboxContext } from '../../context.ts'
import { googleState, isYoutubeScope, serviceOfScopes, type GoogleGrant, type GoogleState } from '../google-grants.ts'
import { identities as channelIdentities } from '../youtube/state.ts'
import { people } from './people.ts'

const codeLifeMs = 10 * 60_000

/** Scopes of sign-in; any other must be one of YouTube. */
const signInScopes = [
  'openid',
  'email',
  'profile',
  'https://www.googleapis.com/auth/userinfo.email',
  'https://www.googleapis.com/auth/userinfo.profile',
]

/** `/o/oauth2/v2/auth`: the account chooser and consent screen, for sign-in and for YouTube. */
export async function authorize(c: Context, sandbox: SandboxContext): Promise<Response> {
  const query = (name: string): string => c.req.query(name) ?? ''
  const scopes = query('scope').split(/\s+/).filter(Boolean)
  const service = serviceOfScopes(scopes)
  const problem = problemOf(query, scopes)
  if (problem) {
    const body = html`<h1>Access blocked: authorization error</h1><p>${problem.words}</p><p class="muted">Error 400: ${problem.code}</p>`
    return page(c, { title: 'Access blocked', service: 'Google', status: 400 }, body)
  }
  const redirectUri = query('redirect_uri')
  const state = c.req.query('state')
  // There is no signed-in session here, so a silent sign-in always fails.
  if (query('prompt') === 'none') return c.redirect(backTo(redirectUri, { error: 'interaction_required', state }))
  const all = service === 'youtube' ? channelIdentities(sandbox) : people
  const preferred = all.find((one) => one.email === query('login_hint') || one.id === query('login_hint'))
  const identities = preferred ? [preferred, ...all.filter((one) => one !== preferred)] : all
  const network = service === 'youtube' ? 'YouTube' : 'Google'
  const request: ConsentRequest = { network, app: query('client_id'), scopes, identities }
  return askConsent(c, request, redirectUri, { error: 'access_denied' }, ({ identity }) => {
    const granted = { clientId: query('client_id'), identityId: identity.id, scopes, service }
    const code = makeCode(sandbox, query, granted)
    return { state, code, scope: scopes.join(' '), authuser: '0', prompt: query('prompt') || 'none' }
  })
}

type Query = (name: string) => string

function problemOf(query: Query, scopes: readonly string[]): { code: string; words: string } | undefined {
  const missing = ['client_id', 'redirect_uri', 'response_type', 'scope'].find((name) => !query(name))
  if (missing) return { code: 'invalid_request', words: `Missing required parameter: ${missing}` }
  if (!redirectAllowed(query('redirect_uri')))
    return { code: 'redirect_uri_mismatch', words: 'The redirect address is not allowed for this app.' }
  if (query('response_type') !== 'code')
    return { code: 'unsupported_response_type', words: `Invalid response_type: ${query('response_type')}` }
  const unknown = scopes.find((scope) => !signInScopes.includes(scope) && !isYoutubeScope(scope))
  if (unknown) return { code: 'invalid_scope', words: `Some requested scopes were invalid: ${unknown}` }
  const method = query('code_challenge_method') || 'plain'
  if (query('code_challenge') && !['S256', 'plain'].includes(method))
    return { code: 'invalid_request', words: 'Invalid code_challenge_method' }
  if (query('code_challenge') && !/^[\w~.-]{43,128}$/.test(query('code_challenge')))
    return { code: 'invalid_request', words: 'Invalid code_challenge' }
  return undefined
}

type Granted = Pick<GoogleGrant, 'clientId' | 'identityId' | 'scopes' | 'service'>

function makeCode(sandbox: SandboxContext, query: Query, granted: Granted): string {
  const state = googleState(sandbox)
  const before = query('include_granted_scopes') === 'true' ? grantedBefore(state, granted) : []
  const id = sandbox.secret(12)
  state.grants[id] = { id, ...granted, scopes: [...new Set([...granted.scopes, ...before])], revoked: false }
  const who = `${granted.clientId} ${granted.identityId}`
  const offline =
    query('access_type') === 'offline' && (query('prompt').split(' ').includes('consent') || !state.consented[who])
  state.consented[who] = true
  const code = `4/0A${sandbox.secret(40)}`
  state.codes[code] = {
    grant: id,
    redirectUri: query('redirect_uri'),
    challenge: query('code_challenge'),
    challengeMethod: query('code_challenge_method') || 'plain',
    nonce: query('nonce'),
    offline,
    expiresAt: sandbox.now() + codeLifeMs,
    used: false,
  }
  return code
}

function grantedBefore(state: GoogleState, granted: Granted): string[] {
  return Object.values(state.grants)
    .filter((one) => !one.revoked && one.clientId === granted.clientId && one.identityId === granted.identityId)
    .flatMap((one) => [...one.scopes])
}
