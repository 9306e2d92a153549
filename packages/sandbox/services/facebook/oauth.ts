import { splitWords } from '../../split-words.ts'
import { Hono, type Context } from 'hono'
import { html } from 'hono/html'
import { type Approval, askConsent, type ConsentRequest, redirectAllowed } from '../../consent.ts'
import { page } from '../../page.ts'
import { redirectToFeed } from '../../post-link.ts'
import type { SandboxContext } from '../../context.ts'
import { faultToken } from '../meta/faults.ts'
import { graphCalls } from '../meta/graph-host.ts'
import { GraphError, type Params, unknownToken } from '../meta/graph.ts'
import { assertAlive } from './access.ts'
import { facebook, facebookIdentities, type FacebookGrant, type FacebookToken } from './state.ts'

const hour = 3_600_000
const day = 24 * hour
const codeLifeMs = 10 * 60_000
const shortTokenLifeMs = 5_400_000
const longTokenSeconds = 5_183_944

/** The permissions that an app can request here; others are refused as the real dialog does. */
const knownScopes =
  splitWords(`public_profile email pages_show_list pages_read_engagement pages_manage_posts pages_read_user_content
  pages_manage_engagement pages_manage_metadata business_management publish_video read_insights instagram_basic
  instagram_content_publish`)

/**
 * www.facebook.com: the consent dialog (docs/networks/facebook.md), and the permalinks of published posts, which
 * redirect to the public feed.
 */
export function facebookWww(sandbox: SandboxContext): Hono {
  const app = new Hono()
  const dialog = (c: Context) => consent(c, sandbox)
  for (const path of ['/dialog/oauth', '/:version{v[0-9.]+}/dialog/oauth']) app.on(['GET', 'POST'], path, dialog)
  return app.get('/*', (c) => redirectToFeed(c, sandbox, 'facebook'))
}

async function consent(c: Context, sandbox: SandboxContext): Promise<Response> {
  const appId = c.req.query('client_id') ?? ''
  const redirectUri = c.req.query('redirect_uri')
  const scopes = (c.req.query('scope') ?? 'public_profile').split(/[\s,]+/).filter(Boolean)
  if (appId === '') return refuse(c, 'The parameter app_id is required.')
  if (!redirectAllowed(redirectUri))
    return refuse(
      c,
      'URL blocked: this redirect failed because the redirect URI is not an https address the app may use.',
    )
  if ((c.req.query('response_type') ?? 'code') !== 'code')
    return refuse(c, 'Only response_type=code is set up for this app.')
  const invalidScopes = scopes.filter((scope) => !knownScopes.includes(scope))
  if (invalidScopes.length > 0)
    return refuse(c, `Invalid Scopes: ${invalidScopes.join(', ')}. This message is only shown to developers.`)

  const request: ConsentRequest = {
    network: 'Facebook',
    app: `app ${appId}`,
    scopes,
    identities: facebookIdentities(sandbox),
    picksPages: true,
  }
  const denial = {
    error: 'access_denied',
    error_code: '200',
    error_description: 'Permissions error',
    error_reason: 'user_denied',
  }
  const grant = ({ identity, pageIds }: Approval) => {
    const declined = (c.req.query('decline') ?? '').split(',').filter((scope) => scopes.includes(scope))
    const store = facebook(sandbox)
    const id = sandbox.digits(12)
    const granted = [...new Set(['public_profile', ...scopes])].filter((scope) => !declined.includes(scope))
    store.grants[id] = {
      id,
      appId,
      userId: identity.id,
      pages: pageIds,
      scopes: granted,
      declined,
      revoked: false,
    }
    const code = `AQ${sandbox.secret(48)}`
    store.codes[code] = { grant: id, redirectUri, at: sandbox.now(), used: false }
    return { code }
  }
  // Facebook appends this empty fragment to every redirect.
  return askConsent(c, request, redirectUri, denial, grant, '#_=_')
}

function refuse(c: Context, why: string): Response | Promise<Response> {
  return page(
    c,
    { title: 'Sorry, something went wrong', service: 'Facebook', status: 400 },
    html`<h1>Sorry, something went wrong.</h1><p>${why}</p>`,
  )
}

/** `oauth/access_token` and `debug_token` of graph.facebook.com. */
export const facebookTokens = graphCalls(() => null, {
  'GET /oauth/access_token': ({ c, sandbox, params }) => c.json(exchange(c, sandbox, params)),
  'GET /debug_token': ({ c, sandbox, params }) => c.json({ data: debugToken(sandbox, params) }),
})

function exchange(c: Context, sandbox: SandboxContext, params: Params): Record<string, unknown> {
  const appId = params.text('client_id') ?? ''
  const secret = params.text('client_secret') ?? ''
  if (appId === '') throw new GraphError(101, { message: 'Missing client_id parameter.' })
  if (secret === '') throw new GraphError(1, { message: 'Missing client_secret parameter.' })
  const kind = params.text('grant_type') ?? 'authorization_code'
  if (kind === 'fb_exchange_token')
    return exchangeForLongToken(c, sandbox, appId, secret, params.text('fb_exchange_token'))
  if (kind !== 'authorization_code') throw new GraphError(100, { message: 'Unsupported grant_type' })

  const value = params.text('code')
  if (!value) throw new GraphError(1, { message: 'Missing authorization code' })
  const state = facebook(sandbox)
  const code = state.codes[value]
  const grant = code && state.grants[code.grant]
  if (!code || !grant) throw new GraphError(100, { message: 'Invalid verification code format.' })
  if (grant.appId !== appId)
    throw new GraphError(100, { message: 'Error validating verification code. The code was issued to another app.' })
  checkSecret(sandbox, appId, secret)
  if (code.used) throw new GraphError(100, { message: 'This authorization code has been used.', subcode: 36009 })
  if (code.at + codeLifeMs <= sandbox.now())
    throw new GraphError(100, { message: 'This authorization code has expired.', subcode: 36007 })
  if (params.text('redirect_uri') !== code.redirectUri) {
    const message =
      'Error validating verification code. Please make sure your redirect_uri is identical to the one you used in the OAuth dialog request'
    throw new GraphError(100, { message, subcode: 36008 })
  }
  state.apps[appId] ??= { secret }
  code.used = true
  const token = issue(sandbox, {
    grant: grant.id,
    kind: 'user',
    pageId: '',
    long: false,
    expiresAt: sandbox.now() + shortTokenLifeMs,
  })
  return { access_token: token, token_type: 'bearer', expires_in: shortTokenLifeMs / 1000 }
}

/** Stores the app's secret at its first exchange and checks it at every later call. */
function checkSecret(sandbox: SandboxContext, appId: string, secret: string): void {
  const known = facebook(sandbox).apps[appId]
  if (known && known.secret !== secret) throw new GraphError(1, { message: 'Error validating client secret.' })
}

function exchangeForLongToken(
  c: Context,
  sandbox: SandboxContext,
  appId: string,
  secret: string,
  value: string | undefined,
): Record<string, unknown> {
  checkSecret(sandbox, appId, secret)
  const state = facebook(sandbox)
  const token = value === undefined ? undefined : state.tokens[value]
  const grant = token && state.grants[token.grant]
  if (!token || !grant || token.kind !== 'user') throw unknownToken()
  faultToken(c, token)
  assertAlive(sandbox, token, grant)
  if (grant.appId !== appId)
    throw new GraphError(100, { message: 'The access token does not belong to application ' + appId })
  const long = issue(sandbox, {
    grant: grant.id,
    kind: 'user',
    pageId: '',
    long: true,
    expiresAt: sandbox.now() + longTokenSeconds * 1000,
  })
  return { access_token: long, token_type: 'bearer', expires_in: longTokenSeconds }
}

function issue(sandbox: SandboxContext, token: Omit<FacebookToken, 'issuedAt' | 'dead'>): string {
  const value = `EAAG${sandbox.secret(60)}`
  facebook(sandbox).tokens[value] = { ...token, issuedAt: sandbox.now(), dead: '' }
  return value
}

/**
 * The token of a page under one consent, the same at each request. It has no expiry date when the user token is
 * long-lived.
 */
export function pageToken(sandbox: SandboxContext, grant: FacebookGrant, user: FacebookToken, pageId: string): string {
  const state = facebook(sandbox)
  const key = `${grant.id} ${pageId} ${user.long ? 'long' : user.expiresAt}`
  const known = state.pageTokens[key]
  const isValid = known && state.tokens[known.token]?.dead === ''
  if (known && isValid) return known.token
  const value = issue(sandbox, {
    grant: grant.id,
    kind: 'page',
    pageId,
    long: user.long,
    expiresAt: user.long ? 0 : user.expiresAt,
  })
  state.pageTokens[key] = { token: value }
  return value
}

function debugToken(sandbox: SandboxContext, params: Params): Record<string, unknown> {
  const state = facebook(sandbox)
  const callerToken = params.text('access_token') ?? ''
  const [appId = '', secret] = callerToken.split('|')
  if (secret === undefined ? !state.tokens[callerToken] : !state.apps[appId] || state.apps[appId]?.secret !== secret) {
    throw new GraphError(190, { message: 'Invalid OAuth access token signature.' })
  }
  const input = params.text('input_token')
  if (!input) throw new GraphError(100, { message: '(#100) The parameter input_token is required' })
  const token = state.tokens[input]
  const grant = token && state.grants[token.grant]
  if (!token || !grant) {
    return { error: { code: 190, message: 'Invalid OAuth access token.' }, is_valid: false, scopes: [] }
  }
  const person = {
    app_id: grant.appId,
    type: token.kind === 'page' ? 'PAGE' : 'USER',
    ...(token.kind === 'page' ? { profile_id: token.pageId } : {}),
    user_id: grant.userId,
    issued_at: Math.floor(token.issuedAt / 1000),
    expires_at: Math.floor(token.expiresAt / 1000),
    data_access_expires_at: Math.floor((token.issuedAt + 90 * day) / 1000),
    scopes: [...grant.scopes],
    granular_scopes: grant.scopes.map((scope) =>
      scope.startsWith('pages_') ? { scope, target_ids: [...grant.pages] } : { scope },
    ),
  }
  try {
    assertAlive(sandbox, token, grant)
    return { ...person, is_valid: true }
  } catch (error) {
    if (!(error instanceof GraphError)) throw error
    return {
      ...person,
      is_valid: false,
      error: { code: error.code, subcode: error.detail.subcode, message: error.message },
    }
  }
}
