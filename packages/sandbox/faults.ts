import type { Fault, SandboxContext, Service } from './context.ts'

/**
 * The effect of all faults on one request. `delayMs` is the sum of all, `lateListMs` and `lateStatusMs` the longest, and
 * `fault` the first one of another kind.
 */
export type FaultEffect = { delayMs: number; lateListMs: number; lateStatusMs: number; fault: Fault | undefined }

/** Kinds that fire together with any other kind. */
const combinable: readonly Fault['kind'][] = ['slow', 'late-list', 'late-status']

/**
 * Fires the faults of a request. A fault counts each request that it matches: it ignores the first `skip`, and fires for
 * the next `times`. `services` are those to which this request belongs.
 */
export function fireFaults(
  sandbox: SandboxContext,
  services: readonly Service[],
  method: string,
  pathAndQuery: string,
): FaultEffect {
  const result: FaultEffect = { delayMs: 0, lateListMs: 0, lateStatusMs: 0, fault: undefined }
  for (const fault of sandbox.control().faults) {
    if (!services.includes(fault.service) || fault.fired >= fault.times) continue
    if (result.fault && !combinable.includes(fault.kind)) continue
    if (!new RegExp(fault.method).test(method) || !new RegExp(fault.path).test(pathAndQuery)) continue
    fault.seen += 1
    if (fault.seen <= fault.skip) continue
    fault.fired += 1
    result.delayMs += fault.delayMs
    if (fault.kind === 'late-list') result.lateListMs = Math.max(result.lateListMs, fault.seconds * 1000)
    if (fault.kind === 'late-status') result.lateStatusMs = Math.max(result.lateStatusMs, fault.seconds * 1000)
    if (!combinable.includes(fault.kind)) result.fault = fault
  }
  return result
}
