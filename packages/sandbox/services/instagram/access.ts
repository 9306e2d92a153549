import type { Context } from 'hono'
import type { SandboxContext } from '../../context.ts'
import { faulted } from '../meta/faults.ts'
import { checkProof, deadToken, GraphError, missingObject, type Params, tokenOf } from '../meta/graph.ts'
import { instagram, type InstagramAccount, type InstagramToken } from './state.ts'

export type InstagramCaller = { value: string; token: InstagramToken; account: InstagramAccount }

/**
 * The caller of a graph.instagram.com request. Throws 104 without a token and 190 for one that is unknown or invalid
 * (460, 463). Carries out the faults `expire-token` (this token) and `revoke-token` (every token of the account at the
 * app).
 */
export function instagramCaller(c: Context, sandbox: SandboxContext, params: Params): InstagramCaller {
  const value = tokenOf(c, params)
  if (value === undefined)
    throw new GraphError(104, { message: 'An access token is required to request this resource.' })
  const state = instagram(sandbox)
  const token = state.tokens[value]
  const account = token && state.accounts[token.accountId]
  if (!token || !account)
    throw new GraphError(190, { message: 'Invalid OAuth access token - Cannot parse access token' })
  if (faulted(c, 'expire-token')) token.dead = 'expired'
  if (faulted(c, 'revoke-token')) token.dead = 'revoked'
  assertInstagramAlive(sandbox, token)
  checkProof(params, value, state.apps[token.appId]?.secret)
  return { value, token, account }
}

/** Throws the 190 with the reason why a token is invalid. */
export function assertInstagramAlive(sandbox: SandboxContext, token: InstagramToken): void {
  if (token.dead === 'revoked') {
    throw deadToken(
      460,
      'Error validating access token: The session has been invalidated because the user changed their password or Facebook has changed the session for security reasons.',
    )
  }
  if (token.dead === 'expired' || token.expiresAt <= sandbox.now()) {
    const ended = new Date(token.dead === 'expired' ? sandbox.now() : token.expiresAt).toUTCString()
    throw deadToken(
      463,
      `Error validating access token: Session has expired on ${ended}. The current time is ${new Date(sandbox.now()).toUTCString()}.`,
    )
  }
}

/** Throws 100/33 unless the path names this caller's account: `me`, its publishing id or its app-scoped id. */
export function ownAccount(who: InstagramCaller, id: string, verb: 'get' | 'post'): InstagramAccount {
  const { account } = who
  if (id !== 'me' && id !== account.id && id !== account.scopedId) throw missingObject(verb, id)
  return account
}

/** Throws 10 unless the person granted publishing and the account is a professional one. */
export function needPublishing(who: InstagramCaller): void {
  if (who.token.scopes.includes('instagram_business_content_publish') && who.account.type !== 'PERSONAL') return
  throw new GraphError(10, { message: '(#10) Application does not have permission for this action', status: 403 })
}

/** The rate-limit header of Instagram calls (docs/networks/instagram.md); figures are percent of the limit. */
export function instagramUsage(c: Context, accountId: string): void {
  const usage = {
    type: 'instagram',
    call_count: 1,
    total_cputime: 1,
    total_time: 1,
    estimated_time_to_regain_access: 0,
  }
  c.header('x-business-use-case-usage', JSON.stringify({ [accountId]: [usage] }))
  c.header('x-app-usage', JSON.stringify({ call_count: 1, total_cputime: 0, total_time: 1 }))
}
