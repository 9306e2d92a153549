import { Hono, type Context } from 'hono'
import { html } from 'hono/html'
import { type Approval, askConsent, type ConsentRequest, redirectAllowed } from '../../consent.ts'
import { page } from '../../page.ts'
import { redirectToFeed } from '../../post-link.ts'
import type { SandboxContext } from '../../context.ts'
import { faultToken } from '../meta/faults.ts'
import { graphCalls } from '../meta/graph-host.ts'
import { assertTokenValid, badParameter, GraphError, readParams, unknownToken } from '../meta/graph.ts'
import { instagramCaller } from './access.ts'
import { instagram, instagramIdentities, type InstagramToken } from './state.ts'

const hour = 3_600_000
const codeLifeMs = hour
const shortTokenLifeMs = hour
const longTokenSeconds = 5_183_944
const minRefreshAgeMs = 24 * hour

const knownScopes = [
  'instagram_business_basic',
  'instagram_business_content_publish',
  'instagram_business_manage_comments',
  'instagram_business_manage_messages',
  'instagram_business_manage_insights',
]

/**
 * www.instagram.com: Instagram Login (docs/networks/instagram.md), and permalinks, which redirect to the public feed.
 */
export function instagramWww(sandbox: SandboxContext): Hono {
  const app = new Hono()
  for (const path of ['/oauth/authorize', '/oauth/authorize/'])
    app.on(['GET', 'POST'], path, (c) => consent(c, sandbox))
  return app.get('/*', (c) => redirectToFeed(c, sandbox, 'instagram'))
}

async function consent(c: Context, sandbox: SandboxContext): Promise<Response> {
  const appId = c.req.query('client_id') ?? ''
  const redirectUri = c.req.query('redirect_uri')
  const scopes = (c.req.query('scope') ?? '').split(/[\s,]+/).filter(Boolean)
  if (appId === '') return refuse(c, 'Invalid platform app: client_id is missing.')
  if (!redirectAllowed(redirectUri)) return refuse(c, 'Invalid redirect_uri: it must be an https address of the app.')
  if (c.req.query('response_type') !== 'code') return refuse(c, 'Invalid Request: response_type must be code.')
  const invalidScopes = scopes.filter((scope) => !knownScopes.includes(scope))
  if (invalidScopes.length > 0 || scopes.length === 0)
    return refuse(c, `Invalid scope: ${invalidScopes.join(', ') || 'none was asked for'}`)

  const request: ConsentRequest = {
    network: 'Instagram',
    app: `app ${appId}`,
    scopes,
    identities: instagramIdentities(sandbox, c.req.query('as') !== undefined),
  }
  const denial = {
    error: 'access_denied',
    error_reason: 'user_denied',
    error_description: 'The user denied your request',
  }
  const grant = ({ identity }: Approval) => {
    const declined = (c.req.query('decline') ?? '').split(',')
    const code = `AQ${sandbox.secret(48)}`
    instagram(sandbox).codes[code] = {
      appId,
      accountId: identity.id,
      redirectUri,
      scopes: scopes.filter((scope) => !declined.includes(scope)),
      at: sandbox.now(),
      used: false,
    }
    return { code }
  }
  return askConsent(c, request, redirectUri, denial, grant, '#_')
}

function refuse(c: Context, why: string): Response | Promise<Response> {
  return page(c, { title: 'Sorry', service: 'Instagram', status: 400 }, html`<h1>Sorry</h1><p>${why}</p>`)
}

/** api.instagram.com: the code exchange. Its errors have another shape than Graph errors. */
export function instagramApi(sandbox: SandboxContext): Hono {
  const app = new Hono()
  app.post('/oauth/access_token', async (c) => c.json(await exchange(c, sandbox)))
  return app.onError((error, c) => {
    if (!(error instanceof GraphError)) throw error
    return c.json({ error_type: 'OAuthException', code: 400, error_message: error.message }, 400)
  })
}

async function exchange(c: Context, sandbox: SandboxContext): Promise<Record<string, unknown>> {
  const params = await readParams(c)
  const state = instagram(sandbox)
  const appId = params.text('client_id') ?? ''
  const secret = params.text('client_secret') ?? ''
  if (params.text('grant_type') !== 'authorization_code')
    throw badParameter('Invalid grant_type: authorization_code is required')
  const value = params.text('code') ?? ''
  const code = state.codes[value]
  const isInvalid = !code || code.used || code.at + codeLifeMs <= sandbox.now() || code.appId !== appId
  if (isInvalid) throw new GraphError(400, { message: 'Matching code was not found or was already used' })
  const knownSecret = state.apps[appId]?.secret
  if (secret === '' || (knownSecret !== undefined && knownSecret !== secret))
    throw new GraphError(400, { message: 'Error validating client secret.' })
  if (params.text('redirect_uri') !== code.redirectUri) {
    throw new GraphError(400, {
      message:
        'Error validating verification code. Please make sure your redirect_uri is identical to the one you used in the OAuth dialog request',
    })
  }
  state.apps[appId] ??= { secret }
  code.used = true
  const token = issue(sandbox, {
    appId,
    accountId: code.accountId,
    scopes: [...code.scopes],
    long: false,
    expiresAt: sandbox.now() + shortTokenLifeMs,
  })
  return {
    data: [
      { access_token: token, user_id: state.accounts[code.accountId]?.scopedId, permissions: code.scopes.join(',') },
    ],
  }
}

function issue(sandbox: SandboxContext, token: Omit<InstagramToken, 'issuedAt' | 'dead'>): string {
  const value = `IGAA${sandbox.secret(60)}`
  instagram(sandbox).tokens[value] = { ...token, issuedAt: sandbox.now(), dead: '' }
  return value
}

/** `access_token` and `refresh_access_token` of graph.instagram.com. */
export const instagramTokens = graphCalls(() => null, {
  'GET /access_token': ({ c, sandbox, params }) => {
    if (params.text('grant_type') !== 'ig_exchange_token') throw badParameter('grant_type must be ig_exchange_token')
    const state = instagram(sandbox)
    const token = state.tokens[params.text('access_token') ?? '']
    if (!token) throw unknownToken()
    if (params.text('client_secret') !== state.apps[token.appId]?.secret)
      throw new GraphError(1, { message: 'Error validating client secret.' })
    faultToken(c, token)
    assertTokenValid(sandbox.now(), token)
    if (token.long) {
      throw new GraphError(452, {
        message:
          'Session key invalid. This could be because the session key has an incorrect format, or because the user has revoked this session',
      })
    }
    return c.json(longToken(sandbox, token))
  },
  'GET /refresh_access_token': ({ c, sandbox, params }) => {
    if (params.text('grant_type') !== 'ig_refresh_token') throw badParameter('grant_type must be ig_refresh_token')
    const { token } = instagramCaller(c, sandbox, params)
    const type = 'IGApiException'
    if (!token.long) throw new GraphError(100, { message: 'Unsupported request - method type: get', type })
    if (token.issuedAt + minRefreshAgeMs > sandbox.now()) {
      const message = 'The access token must be at least 24 hours old to be refreshed'
      throw new GraphError(100, { message, type })
    }
    return c.json({ ...longToken(sandbox, token), permissions: token.scopes.join(',') })
  },
})

function longToken(sandbox: SandboxContext, { appId, accountId, scopes }: InstagramToken): Record<string, unknown> {
  const expiresAt = sandbox.now() + longTokenSeconds * 1000
  const long = issue(sandbox, { appId, accountId, scopes: [...scopes], long: true, expiresAt })
  return { access_token: long, token_type: 'bearer', expires_in: longTokenSeconds }
}
