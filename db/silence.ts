import { currentRequest } from './request.ts'

/** For so long after a statement had no answer at all, nobody waits for the server as long again. */
const knownMs = 2000
const knownWaitMs = 1000

/** How long a statement may wait (0: it is not even sent), and what to say when it had no answer by then. */
export type Patience = { ms: number; unanswered: () => void }

/** What is known of a server that does not answer at all, such as a frozen one. The driver asks it for each statement. */
export type Silence = { patience: (longestMs: number) => Patience }

function openSilence(): Silence {
  let knownUntil = -Infinity
  return {
    patience(longestMs) {
      const request = currentRequest()
      const now = performance.now()
      const hasWaited = request !== undefined && now < request.unansweredAt + knownMs
      const isKnown = hasWaited || now < knownUntil
      return {
        // Its caller has been kept for long enough.
        ms: hasWaited ? 0 : isKnown ? Math.min(longestMs, knownWaitMs) : longestMs,
        // Now and then somebody waits for long, so that a server that is slow is not taken for a silent one for ever.
        unanswered() {
          if (request) request.unansweredAt = performance.now()
          if (!isKnown) knownUntil = performance.now() + knownMs
        },
      }
    },
  }
}

const known = new Map<string, Silence>()

/** What a pool goes by: those that callers wait for share what is known of their server; statements that may take long say nothing of it. */
export function silenceOf(url: string, isWaitedFor: boolean): Silence {
  if (!isWaitedFor) return openSilence()
  const silence = known.get(url) ?? openSilence()
  known.set(url, silence)
  return silence
}
