import type { Context } from 'hono'
import type { FaultEffect } from './faults.ts'
import { isRecord } from './request-body.ts'
import type { Fault, SandboxContext } from './context.ts'

const effects = new WeakMap<Request, Omit<FaultEffect, 'delayMs'>>()

/** Notes what the faults of a request ask of its handler. */
export function setFaults(c: Context, effect: Omit<FaultEffect, 'delayMs'>): void {
  effects.set(c.req.raw, effect)
}

/** The fault that fired for this request, for its handler; undefined without one. */
export function faultOf(c: Context): Fault | undefined {
  return effects.get(c.req.raw)?.fault
}

/** Whether a fault of this kind fired for this request. */
export function faulted(c: Context, kind: Fault['kind']): boolean {
  return faultOf(c)?.kind === kind
}

/** The failure that a `processing-fails` fault scripts: `field` of its body, or `standard`; '' without such a fault. */
export function scriptedFailure(c: Context, field: string, standard: string): string {
  const fault = faultOf(c)
  if (fault?.kind !== 'processing-fails') return ''
  const reason = isRecord(fault.body) ? fault.body[field] : undefined
  return typeof reason === 'string' && reason ? reason : standard
}

/** Carries out `expire-token` on the token of a request, and `revoke-token` on its consent. */
export function faultGrant(
  c: Context,
  sandbox: SandboxContext,
  token: { expiresAt: number } | undefined,
  grant: { revoked: boolean } | undefined,
): void {
  if (token && faulted(c, 'expire-token')) token.expiresAt = sandbox.now()
  if (grant && faulted(c, 'revoke-token')) grant.revoked = true
}

/** The milliseconds by which an object's lists and its status lag behind its state. Absent: no delay. */
export type Delays = { lateListMs?: number; lateStatusMs?: number }

/** Stores on `object` the delays of the `late-list` and `late-status` faults of the request that creates it. */
export function applyDelays(c: Context, object: Delays): void {
  const { lateListMs = 0, lateStatusMs = 0 } = effects.get(c.req.raw) ?? {}
  if (lateListMs > 0) object.lateListMs = lateListMs
  if (lateStatusMs > 0) object.lateStatusMs = lateStatusMs
}

/** The time whose state lists show of this object. */
export function listedAsOf(c: Context, object: Delays, now: number): number {
  return now - Math.max(object.lateListMs ?? 0, effects.get(c.req.raw)?.lateListMs ?? 0)
}

/** The time whose state the object's status shows. */
export function statusAsOf(c: Context, object: Delays, now: number): number {
  return now - Math.max(object.lateStatusMs ?? 0, effects.get(c.req.raw)?.lateStatusMs ?? 0)
}
