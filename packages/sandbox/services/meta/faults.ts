import type { Context } from 'hono'
import { isRecord } from '../../request-body.ts'
import { faulted, faultOf } from '../../request-faults.ts'

/** Carries out `expire-token` and `revoke-token` on the token of a request. */
export function faultToken(c: Context, token: { dead: '' | 'expired' | 'revoked' }): void {
  if (faulted(c, 'expire-token')) token.dead = 'expired'
  if (faulted(c, 'revoke-token')) token.dead = 'revoked'
}

/** The subcode of a scripted processing failure: that of the fault's body (`{error_subcode}` or a number), or `standard`. */
export function scriptedSubcode(c: Context, standard: number): number | undefined {
  const fault = faultOf(c)
  if (fault?.kind !== 'processing-fails') return undefined
  const given = isRecord(fault.body) ? fault.body['error_subcode'] : fault.body
  return typeof given === 'number' ? given : standard
}
