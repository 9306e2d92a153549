import { currentRequest } from './request.ts'

/** After a statement timed out without any answer, the timeouts of other statements are reduced for this long. */
const reducedForMs = 2000
const reducedTimeoutMs = 1000

/** The timeout of a statement (0: it fails unsent); the driver calls `unanswered` when the statement timed out. */
export type Patience = { ms: number; unanswered: () => void }

/**
 * Shortens timeouts while a server does not answer at all, for example because it is frozen. The patched driver calls
 * `patience` for each statement.
 */
export type Silence = { patience: (longestMs: number) => Patience }

function openSilence(): Silence {
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

const shared = new Map<string, Silence>()

/** Pools with short timeouts (`isShared`) share the state of their server. A timeout of a long statement proves nothing. */
export function silenceOf(url: string, isShared: boolean): Silence {
  if (!isShared) return openSilence()
  const silence = shared.get(url) ?? openSilence()
  shared.set(url, silence)
  return silence
}
