import type { Context } from 'hono'
import type { SandboxContext } from '../../context.ts'
import { faultToken } from '../meta/faults.ts'
import {
  assertTokenValid,
  checkProof,
  GraphError,
  missingObject,
  type Params,
  tokenOf,
  unknownToken,
} from '../meta/graph.ts'
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
  if (!token || !account) throw unknownToken()
  faultToken(c, token)
  assertTokenValid(sandbox.now(), token)
  checkProof(params, value, state.apps[token.appId]?.secret)
  return { value, token, account }
}

/** Throws 100/33 unless the path names this caller's account: `me`, its publishing id or its app-scoped id. */
export function ownAccount(who: InstagramCaller, id: string, verb: 'get' | 'post'): InstagramAccount {
  const { account } = who
  if (id !== 'me' && id !== account.id && id !== account.scopedId) throw missingObject(verb, id)
  return account
}

/** Throws 10 unless the person granted publishing and the account is a professional one. */
export function requirePublishing(who: InstagramCaller): void {
  if (who.token.scopes.includes('instagram_business_content_publish') && who.account.type !== 'PERSONAL') return
  throw new GraphError(10, { message: '(#10) Application does not have permission for this action', status: 403 })
}
