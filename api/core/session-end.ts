import type { RequestCtx, System } from './context.ts'
import { bursts } from './live.ts'
import { ownerScope } from './scope.ts'

/** Aborts with `request`, and as soon as the session has ended: logged out somewhere, deactivated, or its account closed. */
export function whileSessionLives(system: System, session: NonNullable<RequestCtx['session']>, request: AbortSignal): AbortSignal {
  const ended = new AbortController()
  const signal = AbortSignal.any([request, ended.signal])
  void (async () => {
    try {
      for await (const _burst of bursts(system.live, ownerScope(session.user.id), ['sessions'], signal)) {
        const found = await system.sessions.validate(session.id)
        if (!found?.user.isActive) return ended.abort()
      }
    } catch (error) {
      if (signal.aborted) return
      // Who cannot be asked about is not let go on; the browser comes back and is asked again.
      system.log.error({ err: error }, 'the watch on a session broke')
      ended.abort()
    }
  })()
  return signal
}
