import { currentRequest } from './request-context.ts'

/** After a statement timed out without any answer, the timeouts of other statements are reduced for this long. */
const reducedForMs = 2000
const reducedTimeoutMs = 1000

/** The timeout of a statement (0: it fails unsent); the driver calls `unanswered` when the statement timed out. */
export type StatementTimeout = { ms: number; unanswered: () => void }

/**
 * Shortens timeouts while a server does not answer at all, for example because it is frozen. The patched driver calls
 * `patience` for each statement.
 */
export type AdaptiveTimeouts = { patience: (longestMs: number) => StatementTimeout }

function openAdaptiveTimeouts(): AdaptiveTimeouts {
  let reducedUntil = -Infinity
  return {
    patience(longestMs) {
      const request = currentRequest()
      const now = performance.now()
      const hasWaited = request !== undefined && now < request.unansweredAt + reducedForMs
      const isReduced = hasWaited || now < reducedUntil
      return {
        // One request waits for a timeout only once.
        ms: hasWaited ? 0 : isReduced ? Math.min(longestMs, reducedTimeoutMs) : longestMs,
        // Only a full timeout extends the reduction: otherwise a server that answers slowly would count as silent for ever.
        unanswered() {
          if (request) request.unansweredAt = performance.now()
          if (!isReduced) reducedUntil = performance.now() + reducedForMs
        },
      }
    },
  }
}

const shared = new Map<string, AdaptiveTimeouts>()

/** Pools with short timeouts (`isShared`) share the state of their server. A timeout of a long statement proves nothing. */
export function adaptiveTimeoutsOf(url: string, isShared: boolean): AdaptiveTimeouts {
  if (!isShared) return openAdaptiveTimeouts()
  const timeouts = shared.get(url) ?? openAdaptiveTimeouts()
  shared.set(url, timeouts)
  return timeouts
}
