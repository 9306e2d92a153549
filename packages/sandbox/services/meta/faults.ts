import type { Context } from 'hono'
import { faultOf } from '../../request-middleware.ts'
import type { SemanticFault } from '../../context.ts'

/** Whether the fault scripted for this request is of this kind. */
export function faulted(c: Context, kind: SemanticFault['kind']): boolean {
  return faultOf(c)?.kind === kind
}

/** Carries out `expire-token` and `revoke-token` on the token of a request. */
export function faultToken(c: Context, token: { dead: '' | 'expired' | 'revoked' }): void {
  if (faulted(c, 'expire-token')) token.dead = 'expired'
  if (faulted(c, 'revoke-token')) token.dead = 'revoked'
}

/** The subcode of a scripted processing failure: that of the fault's body (`{error_subcode}` or a number), or `standard`. */
export function scriptedSubcode(c: Context, standard: number): number | undefined {
  const fault = faultOf(c)
  if (fault?.kind !== 'processing-fails') return undefined
  const body: unknown = fault.body
  const given: unknown =
    body !== null && typeof body === 'object' ? (body as Record<string, unknown>)['error_subcode'] : body
  return typeof given === 'number' ? given : standard
}
