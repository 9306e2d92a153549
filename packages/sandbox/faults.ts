import { semanticFaultKinds, type Fault, type SemanticFault, type Service } from './context.ts'

/** A fault as stored; `seen` counts the requests it matched so far. */
export type StoredFault = Fault & { seen: number }
export type FaultState = { faults: StoredFault[] }

/**
 * The effect of all faults on one request: delays add up, the longest list and status delay wins, of the other kinds
 * the first one scripted.
 */
export type FaultEffect = { delayMs: number; lateListMs: number; lateStatusMs: number; fault: Fault | undefined }

/** Kinds that combine with any other: an answer can be lost and its status delayed. */
const accompanying: readonly Fault['kind'][] = ['slow', 'late-list', 'late-status']

/**
 * The faults that fire for a request. A fault counts each request that it matches: the first `skip` pass, the next
 * `times` are hit. `asked` names the services that this request counts as.
 */
export function hit(state: FaultState, asked: readonly Service[], method: string, pathAndQuery: string): FaultEffect {
  const result: FaultEffect = { delayMs: 0, lateListMs: 0, lateStatusMs: 0, fault: undefined }
  for (const fault of state.faults) {
    if (!asked.includes(fault.service) || fault.fired >= fault.times) continue
    if (result.fault && !accompanying.includes(fault.kind)) continue
    if (!new RegExp(fault.method).test(method) || !new RegExp(fault.path).test(pathAndQuery)) continue
    fault.seen += 1
    if (fault.seen <= fault.skip) continue
    fault.fired += 1
    result.delayMs += fault.delayMs
    if (fault.kind === 'late-list') result.lateListMs = Math.max(result.lateListMs, fault.seconds * 1000)
    if (fault.kind === 'late-status') result.lateStatusMs = Math.max(result.lateStatusMs, fault.seconds * 1000)
    if (!accompanying.includes(fault.kind)) result.fault = fault
  }
  return result
}

/** The part of a fault that the handler must carry out, if any. */
export function semanticOf(fault: Fault | undefined): SemanticFault | undefined {
  const kind = semanticFaultKinds.find((one) => one === fault?.kind)
  return fault && kind && { kind, body: fault.body }
}
