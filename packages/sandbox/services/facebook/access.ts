import type { Context } from 'hono'
import type { SandboxContext } from '../../context.ts'
import { faultToken } from '../meta/faults.ts'
import {
  assertTokenValid,
  checkProof,
  invalidToken,
  GraphError,
  missingObject,
  type Params,
  tokenOf,
  unknownToken,
  usageHeaders,
} from '../meta/graph.ts'
import { facebook, type FacebookGrant, type FacebookPage, type FacebookToken } from './state.ts'

/** The caller: the token, its consent, and the page it acts for ('' for a user token). */
export type Caller = { value: string; token: FacebookToken; grant: FacebookGrant; pageId: string }

/** Invalidates every token of one person at one app, as removing the app or a changed password does. */
export function revokeGrants(sandbox: SandboxContext, appId: string, userId: string): void {
  for (const grant of Object.values(facebook(sandbox).grants))
    if (grant.appId === appId && grant.userId === userId) grant.revoked = true
}

/**
 * The caller of a Graph request. Throws 104 or 2500 without a token, 190 for one that is unknown or invalid (458, 460,
 * 463). Carries out the faults `expire-token` (this token) and `revoke-token` (its consent).
 */
export function caller(c: Context, sandbox: SandboxContext, params: Params): Caller {
  const value = tokenOf(c, params)
  if (value === undefined) {
    if (/\/me(\/|$)/.test(c.req.path)) {
      throw new GraphError(2500, {
        message: 'An active access token must be used to query information about the current user.',
      })
    }
    throw new GraphError(104, { message: 'An access token is required to request this resource.' })
  }
  const state = facebook(sandbox)
  const token = state.tokens[value]
  const grant = token && state.grants[token.grant]
  if (!token || !grant) throw unknownToken()
  faultToken(c, token)
  assertAlive(sandbox, token, grant)
  checkProof(params, value, state.apps[grant.appId]?.secret)
  return { value, token, grant, pageId: token.pageId }
}

/** Throws the 190 with the reason why a token is invalid. */
export function assertAlive(sandbox: SandboxContext, token: FacebookToken, grant: FacebookGrant): void {
  if (token.dead !== 'revoked' && grant.revoked)
    throw invalidToken(458, `Error validating access token: The user has not authorized application ${grant.appId}.`)
  assertTokenValid(sandbox.now(), token)
}

const missingRoleMessage =
  '(#200) If posting to a page, requires both pages_read_engagement and pages_manage_posts as an admin with sufficient administrative permission'

/**
 * The page that a publishing call is for: `id` or `me`, with that page's own token, `pages_manage_posts` and the task
 * CREATE_CONTENT. Throws 200 without them, 100/33 for a page that this token cannot see.
 */
export function publishingPage(sandbox: SandboxContext, who: Caller, id: string): FacebookPage {
  const page = visiblePage(sandbox, who, id, 'post')
  const mayPublish =
    who.token.kind === 'page' &&
    who.grant.scopes.includes('pages_manage_posts') &&
    page.tasks.includes('CREATE_CONTENT')
  if (!mayPublish) throw new GraphError(200, { message: missingRoleMessage, status: 403 })
  return page
}

/**
 * The page that a reading call is for. Throws 100/33 when this token cannot see it, 10 without `pages_read_engagement`.
 */
export function readablePage(sandbox: SandboxContext, who: Caller, id: string): FacebookPage {
  const page = visiblePage(sandbox, who, id, 'get')
  requireReading(who)
  return page
}

/** Throws 10 unless the person granted `pages_read_engagement`. */
export function requireReading(who: Caller): void {
  if (who.grant.scopes.includes('pages_read_engagement')) return
  throw new GraphError(10, {
    message:
      "(#10) This endpoint requires the 'pages_read_engagement' permission or the 'Page Public Content Access' feature.",
    status: 403,
  })
}

function visiblePage(sandbox: SandboxContext, who: Caller, id: string, verb: 'get' | 'post'): FacebookPage {
  const pageId = id === 'me' ? who.pageId : id
  const page = facebook(sandbox).pages[pageId]
  if (!page || !canSee(who, pageId)) throw missingObject(verb, id)
  return page
}

/** Whether this caller may read objects of `pageId`. */
export function canSee(who: Caller, pageId: string): boolean {
  return who.token.kind === 'page' ? who.pageId === pageId : who.grant.pages.includes(pageId)
}

/** The rate-limit headers of page calls (docs/networks/facebook.md). */
export function pageUsage(c: Context, pageId: string, minutes = 0): void {
  usageHeaders(c, 'pages', pageId, minutes)
  if (pageId !== '') c.header('x-page-usage', JSON.stringify({ call_count: 1, total_cputime: 1, total_time: 1 }))
}
