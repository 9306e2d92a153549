import type { Fault, SemanticFault, Service } from './world.ts'

export const faultKinds = [
  'status',
  'status-after-commit',
  'drop',
  'drop-after-commit',
  'slow',
  'expire-token',
  'revoke-token',
  'processing-fails',
  'expire-container',
  'lose-session',
  'ghost-duplicate',
  'late-list',
  'late-status',
] as const satisfies readonly Fault['kind'][]

/** A fault as kept: how often it matched so far is part of it. */
export type KeptFault = Fault & { seen: number }
export type FaultState = { faults: KeptFault[] }

/** What hits one request: delays add up, lateness is the longest scripted, of the other kinds the first one scripted wins. */
export type Hit = { delayMs: number; lateListMs: number; lateStatusMs: number; fault: Fault | undefined }

/** Kinds that go along with any other: an answer can be lost and its status late. */
const accompanying: readonly Fault['kind'][] = ['slow', 'late-list', 'late-status']

/**
 * Which scripted faults fire now. A fault counts each request it matches; the first `skip` pass, the next `times` are hit.
 * `asked` names the services this request counts as.
 */
export function hit(state: FaultState, asked: readonly Service[], method: string, pathAndQuery: string): Hit {
  const result: Hit = { delayMs: 0, lateListMs: 0, lateStatusMs: 0, fault: undefined }
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

const doneByTheDoor: readonly Fault['kind'][] = ['status', 'status-after-commit', 'drop', 'drop-after-commit', 'slow']

/** The part of a fault that its handler has to carry out, if any. */
export function semanticOf(fault: Fault | undefined): SemanticFault | undefined {
  if (!fault || doneByTheDoor.includes(fault.kind)) return undefined
  return { kind: fault.kind as SemanticFault['kind'], body: fault.body }
}
