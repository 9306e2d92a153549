import type { Context } from 'hono'
import { faultOf } from '../../request-middleware.ts'
import type { SemanticFault } from '../../context.ts'

/** Whether the fault scripted for this request is of that kind. */
export function faulted(c: Context, kind: SemanticFault['kind']): boolean {
  return faultOf(c)?.kind === kind
}

/**
 * The text that a fault gives as the reason of a processing failure, otherwise `standard`. Undefined without such a
 * fault.
 */
export function scriptedFailure(c: Context, standard: string): string | undefined {
  const fault = faultOf(c)
  if (fault?.kind !== 'processing-fails') return undefined
  return typeof fault.body === 'string' && fault.body !== '' ? fault.body : standard
}

/** The subcode that a fault gives for a processing failure (`{error_subcode}` or a number), otherwise `standard`. */
export function scriptedSubcode(c: Context, standard: number): number | undefined {
  const fault = faultOf(c)
  if (fault?.kind !== 'processing-fails') return undefined
  const body: unknown = fault.body
  const given: unknown =
    body !== null && typeof body === 'object' ? (body as Record<string, unknown>)['error_subcode'] : body
  return typeof given === 'number' ? given : standard
}
