import { splitWords } from '../../split-words.ts'
import { type Context, Hono } from 'hono'
import { html } from 'hono/html'
import { askConsent, backTo, type ConsentRequest, redirectAllowed } from '../../consent.ts'
import { faulted, faultGrant } from '../../request-faults.ts'
import { page } from '../../page.ts'
import { Refusal } from '../../refusal.ts'
import type { Identity, SandboxContext } from '../../context.ts'
import { type Grant, type LinkedIn, linkedinState, organizationsOf } from './state.ts'

const accessSeconds = 5_184_000
const refreshSeconds = 31_536_000
const codeLifeMs = 30 * 60_000
const knownScopes =
  splitWords(`r_organization_social w_organization_social rw_organization_admin r_organization_admin r_basicprofile
  w_member_social openid profile email`)

/** The members, for the consent page and the control API. */
export function identities(sandbox: SandboxContext): Identity[] {
  const state = linkedinState(sandbox)
  return Object.values(state.members).map(({ id, name, email }) => ({
    id,
    name,
    email,
    pages: organizationsOf(state, id).map((one) => ({ id: one.id, name: one.name })),
  }))
}

async function authorize(c: Context, sandbox: SandboxContext): Promise<Response> {
  const query = (name: string) => c.req.query(name) ?? ''
  const scopes = query('scope').split(/[ ,]+/).filter(Boolean)
  const redirectUri = query('redirect_uri')
  const problem = !query('client_id')
    ? 'You need to pass the "client_id" parameter'
    : !redirectAllowed(redirectUri)
      ? 'The redirect_uri does not match the registered value'
      : query('response_type') !== 'code'
        ? 'You need to pass the "response_type" parameter'
        : ''
  if (problem) {
    const body = html`<h1>Bummer, something went wrong.</h1><p>${problem}</p>`
    return page(c, { title: 'Something went wrong', service: 'LinkedIn', status: 400 }, body)
  }
  const unknown = scopes.find((scope) => !knownScopes.includes(scope))
  if (!scopes.length || unknown !== undefined) {
    const description = `Scope "${unknown ?? ''}" is not authorized for your application`
    const refusal = { error: 'unauthorized_scope_error', error_description: description }
    return c.redirect(backTo(redirectUri, { ...refusal, state: c.req.query('state') }))
  }
  const request: ConsentRequest = {
    network: 'LinkedIn',
    app: query('client_id'),
    scopes,
    identities: identities(sandbox),
  }
  const denial = {
    error: 'user_cancelled_authorize',
    error_description: 'The user cancelled the authorization',
  }
  return askConsent(c, request, redirectUri, denial, ({ identity }) => {
    const code = `AQ${sandbox.secret(40)}`
    linkedinState(sandbox).codes[code] = {
      clientId: query('client_id'),
      redirectUri,
      member: identity.id,
      scopes,
      expiresAt: sandbox.now() + codeLifeMs,
    }
    return { code }
  })
}

function refuseToken(status: 400 | 401, error: string, description: string): Refusal {
  return new Refusal(status, { error, error_description: description })
}

function issue(c: Context, sandbox: SandboxContext, grant: Grant, refreshToken: string | undefined): Response {
  const now = sandbox.now()
  const access = `AQ${sandbox.secret(60)}`
  // A refresh extends by 60 days, but never beyond the consent's own year (docs/networks/linkedin.md).
  const expiresIn = grant.refreshUntil
    ? Math.min(accessSeconds, Math.floor((grant.refreshUntil - now) / 1000))
    : accessSeconds
  linkedinState(sandbox).access[access] = { grant: grant.id, at: now, expiresAt: now + expiresIn * 1000 }
  const remaining = Math.round((grant.refreshUntil - now) / 1000)
  return c.json({
    access_token: access,
    expires_in: expiresIn,
    ...(refreshToken === undefined ? {} : { refresh_token: refreshToken, refresh_token_expires_in: remaining }),
    scope: grant.scopes.join(','),
    token_type: 'Bearer',
  })
}

function exchange(c: Context, sandbox: SandboxContext, state: LinkedIn, form: URLSearchParams): Response {
  const value = form.get('code') ?? ''
  const code = state.codes[value]
  // Any attempt uses the code up, also a failed one.
  delete state.codes[value]
  const matches = code && code.clientId === form.get('client_id') && code.redirectUri === form.get('redirect_uri')
  if (!matches || code.expiresAt <= sandbox.now()) {
    const description =
      'Unable to retrieve access token: appid/redirect uri/code verifier does not match authorization code. Or authorization code expired.'
    throw refuseToken(400, 'invalid_request', description)
  }
  const scopes = [...code.scopes]
  for (const earlier of Object.values(state.grants)) {
    // A consent for other scopes invalidates the member's earlier tokens of this app.
    const same = earlier.scopes.length === scopes.length && earlier.scopes.every((scope) => scopes.includes(scope))
    if (earlier.clientId === code.clientId && earlier.member === code.member && !same) earlier.revoked = true
  }
  const id = sandbox.digits(16)
  const now = sandbox.now()
  const hasRefreshTokens = state.members[code.member]?.refreshTokens === true
  const refreshUntil = hasRefreshTokens ? now + refreshSeconds * 1000 : 0
  state.grants[id] = { id, clientId: code.clientId, member: code.member, scopes, at: now, refreshUntil, revoked: false }
  const refreshToken = hasRefreshTokens ? `AQ${sandbox.secret(60)}` : undefined
  if (refreshToken) state.refresh[refreshToken] = { grant: id }
  return issue(c, sandbox, state.grants[id], refreshToken)
}

function refresh(c: Context, sandbox: SandboxContext, state: LinkedIn, form: URLSearchParams): Response {
  const value = form.get('refresh_token') ?? ''
  const grant = state.grants[state.refresh[value]?.grant ?? '']
  if (grant && faulted(c, 'expire-token')) grant.refreshUntil = sandbox.now()
  faultGrant(c, sandbox, undefined, grant)
  if (!grant || grant.revoked || grant.refreshUntil <= sandbox.now() || grant.clientId !== form.get('client_id')) {
    throw refuseToken(
      400,
      'invalid_grant',
      'The provided authorization grant or refresh token is invalid, expired or revoked.',
    )
  }
  return issue(c, sandbox, grant, value)
}

function introspect(c: Context, sandbox: SandboxContext, state: LinkedIn, form: URLSearchParams): Response {
  const value = form.get('token') ?? ''
  const token = state.access[value]
  const grant = state.grants[(token ?? state.refresh[value])?.grant ?? '']
  if (!grant || grant.clientId !== form.get('client_id')) return c.json({ active: false })
  const expiresAt = token?.expiresAt ?? grant.refreshUntil
  const status = grant.revoked ? 'revoked' : expiresAt <= sandbox.now() ? 'expired' : 'active'
  return c.json({
    active: status === 'active',
    status,
    client_id: grant.clientId,
    authorized_at: Math.floor(grant.at / 1000),
    created_at: Math.floor((token?.at ?? grant.at) / 1000),
    expires_at: Math.floor(expiresAt / 1000),
    scope: grant.scopes.join(','),
    auth_type: '3L',
  })
}

/** The form of a token call. Throws the refusal of one without its client. */
async function clientForm(c: Context): Promise<URLSearchParams> {
  if (!/^application\/x-www-form-urlencoded\b/i.test(c.req.header('content-type') ?? ''))
    throw refuseToken(400, 'invalid_request', 'The content type must be application/x-www-form-urlencoded')
  const form = new URLSearchParams(await c.req.text())
  if (!form.get('client_id')) throw refuseToken(400, 'invalid_request', 'A required parameter "client_id" is missing')
  if (!form.get('client_secret')) throw refuseToken(401, 'invalid_client', 'Client authentication failed')
  return form
}

/** The consent page and token calls below `www.linkedin.com/oauth/v2`. */
export function oauthRoutes(sandbox: SandboxContext): Hono {
  const routes = new Hono()
  routes.on(['GET', 'POST'], '/authorization', (c) => authorize(c, sandbox))
  routes.post('/accessToken', async (c) => {
    const form = await clientForm(c)
    const state = linkedinState(sandbox)
    if (form.get('grant_type') === 'authorization_code') return exchange(c, sandbox, state, form)
    if (form.get('grant_type') === 'refresh_token') return refresh(c, sandbox, state, form)
    throw refuseToken(400, 'unsupported_grant_type', 'The grant type is not supported')
  })
  routes.post('/introspectToken', async (c) => introspect(c, sandbox, linkedinState(sandbox), await clientForm(c)))
  routes.post('/revoke', async (c) => {
    const form = await clientForm(c)
    const state = linkedinState(sandbox)
    const value = form.get('token') ?? ''
    const grant = state.grants[(state.access[value] ?? state.refresh[value])?.grant ?? '']
    if (!grant || grant.clientId !== form.get('client_id'))
      throw refuseToken(400, 'invalid_request', 'The token is not valid')
    grant.revoked = true
    return c.body(null, 200)
  })
  return routes
}
