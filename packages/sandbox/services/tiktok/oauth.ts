import { insert } from '../../collection.ts'
import { Refusal } from '../../refusal.ts'
import { type Context, Hono } from 'hono'
import { html } from 'hono/html'
import { askConsent, type ConsentRequest, redirectAllowed } from '../../consent.ts'
import { faulted } from '../../request-faults.ts'
import { page } from '../../page.ts'
import type { SandboxContext } from '../../context.ts'
import { logId, withAndWithoutSlash } from './answers.ts'
import {
  type Grant,
  type TikTok,
  accessSeconds,
  identities,
  knownScopes,
  refreshSeconds,
  revokeGrant,
  tiktokState,
} from './state.ts'

const codeLifeMs = 10 * 60_000

/** The authorization page (docs/networks/tiktok.md). */
export async function authorize(c: Context, sandbox: SandboxContext): Promise<Response> {
  const query = (name: string) => c.req.query(name) ?? ''
  const scopes = query('scope').split(',').filter(Boolean)
  const redirectUri = query('redirect_uri')
  const invalidParameter = !query('client_key')
    ? 'client_key'
    : // Static, without query or fragment, below 512 characters.
      !redirectAllowed(redirectUri) || redirectUri.includes('?') || redirectUri.length >= 512
      ? 'redirect_uri'
      : query('response_type') !== 'code'
        ? 'response_type'
        : !scopes.length || scopes.some((scope) => !knownScopes.includes(scope))
          ? 'scope'
          : ''
  if (invalidParameter) {
    const body = html`<h1>Something went wrong</h1><p>We could not log in with TikTok. This may be due to specific app settings: <b>${invalidParameter}</b>.</p>`
    return page(c, { title: 'Something went wrong', service: 'TikTok', status: 400 }, body)
  }
  const request: ConsentRequest = {
    network: 'TikTok',
    app: query('client_key'),
    scopes,
    identities: identities(sandbox),
  }
  const denial = { error: 'access_denied', error_description: 'User cancelled the authorization' }
  return askConsent(c, request, redirectUri, denial, ({ identity }) => {
    const code = sandbox.secret(32)
    tiktokState(sandbox).codes[code] = {
      clientKey: query('client_key'),
      redirectUri,
      openId: identity.id,
      scopes,
      expiresAt: sandbox.now() + codeLifeMs,
    }
    return { code, scopes: scopes.join(',') }
  })
}

function refuseToken(status: 400 | 401, error: string, description: string): Refusal {
  return new Refusal(status, { error, error_description: description, log_id: logId() })
}

function issue(c: Context, sandbox: SandboxContext, grant: Grant): Response {
  const state = tiktokState(sandbox)
  const [access, refresh] = [`act.${sandbox.secret(40)}`, `rft.${sandbox.secret(40)}`]
  state.access[access] = { grant: grant.id, expiresAt: sandbox.now() + accessSeconds * 1000 }
  state.refresh[refresh] = { grant: grant.id, expiresAt: sandbox.now() + refreshSeconds * 1000, spent: false }
  return c.json({
    access_token: access,
    expires_in: accessSeconds,
    open_id: grant.openId,
    refresh_token: refresh,
    refresh_expires_in: refreshSeconds,
    scope: grant.scopes.join(','),
    token_type: 'Bearer',
  })
}

function exchange(c: Context, sandbox: SandboxContext, state: TikTok, form: URLSearchParams): Response {
  const code = form.get('code') ?? ''
  const stored = state.codes[code]
  // Any attempt uses the code up, also a failed one.
  delete state.codes[code]
  if (!stored || stored.expiresAt <= sandbox.now() || stored.clientKey !== form.get('client_key')) {
    throw refuseToken(400, 'invalid_grant', 'Authorization code is expired.')
  }
  if (stored.redirectUri !== form.get('redirect_uri')) {
    throw refuseToken(400, 'invalid_request', 'Redirect_uri is not matched with the uri when requesting code.')
  }
  const { clientKey, openId } = stored
  const grant = { id: sandbox.digits(16), clientKey, openId, scopes: [...stored.scopes], revoked: false }
  return issue(c, sandbox, insert(state.grants, grant))
}

function refresh(c: Context, sandbox: SandboxContext, state: TikTok, form: URLSearchParams): Response {
  const token = state.refresh[form.get('refresh_token') ?? '']
  const grant = token && state.grants[token.grant]
  if (token && faulted(c, 'expire-token')) token.expiresAt = sandbox.now()
  if (grant && faulted(c, 'revoke-token')) revokeGrant(sandbox, grant.id)
  const isValid = token && grant && !token.spent && !grant.revoked && token.expiresAt > sandbox.now()
  if (!isValid || grant.clientKey !== form.get('client_key')) {
    throw refuseToken(400, 'invalid_grant', 'Refresh token is invalid or expired.')
  }
  // The refresh token rotates, which invalidates the old one.
  token.spent = true
  return issue(c, sandbox, grant)
}

/** The form of a token call. Throws the refusal of one without its client. */
async function clientForm(c: Context): Promise<URLSearchParams> {
  if (!/^application\/x-www-form-urlencoded\b/i.test(c.req.header('content-type') ?? '')) {
    throw refuseToken(400, 'invalid_request', 'Only `application/x-www-form-urlencoded` is accepted as Content-Type.')
  }
  const form = new URLSearchParams(await c.req.text())
  if (!form.get('client_key')) throw refuseToken(400, 'invalid_request', 'The request parameters are malformed.')
  if (!form.get('client_secret')) throw refuseToken(401, 'invalid_client', 'Client key or secret is incorrect.')
  return form
}

/** The token endpoints below `/v2/oauth`. */
export function oauthRoutes(sandbox: SandboxContext): Hono {
  const routes = new Hono()
  routes.on('POST', withAndWithoutSlash('/token'), async (c) => {
    const form = await clientForm(c)
    const state = tiktokState(sandbox)
    state.secrets[form.get('client_key') ?? ''] = form.get('client_secret') ?? ''
    if (form.get('grant_type') === 'authorization_code') return exchange(c, sandbox, state, form)
    if (form.get('grant_type') === 'refresh_token') return refresh(c, sandbox, state, form)
    throw refuseToken(400, 'unsupported_grant_type', 'The grant type is not supported.')
  })
  routes.on('POST', withAndWithoutSlash('/revoke'), async (c) => {
    const form = await clientForm(c)
    const state = tiktokState(sandbox)
    const token = state.access[form.get('token') ?? '']
    const grant = token && token.expiresAt > sandbox.now() ? state.grants[token.grant] : undefined
    if (!grant || grant.revoked || grant.clientKey !== form.get('client_key')) {
      throw refuseToken(400, 'invalid_request', 'The token is invalid.')
    }
    revokeGrant(sandbox, grant.id)
    return c.body(null, 200)
  })
  return routes
}
