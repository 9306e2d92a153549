import { currentRequest } from './request-context.ts'

/** After a statement timed out without any answer, the timeouts of other statements are reduced for this long. */
const reducedForMs = 2000
const reducedTimeoutMs = 1000

/** Shortens timeouts while a server does not answer at all, for example because it is frozen. */
function openAdaptiveTimeouts() {
  let reducedUntil = -Infinity
  return {
    /**
     * The timeout of a statement (0: it fails unsent). The patched driver calls it for each one, and `unanswered` when it
     * timed out.
     */
    timeoutOf(longestMs: number): { ms: number; unanswered: () => void } {
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

const shared = new Map<string, ReturnType<typeof openAdaptiveTimeouts>>()

/** Pools with short timeouts (`isShared`) share the state of their server. A timeout of a long statement proves nothing. */
export function adaptiveTimeoutsOf(url: string, isShared: boolean) {
  if (!isShared) return openAdaptiveTimeouts()
  const timeouts = shared.get(url) ?? openAdaptiveTimeouts()
  shared.set(url, timeouts)
  return timeouts
}
