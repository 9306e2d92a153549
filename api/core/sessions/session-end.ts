import type { Caller, System } from '../context.ts'
import { bursts } from '../live.ts'
import { ownerScope } from '../scope.ts'

/**
 * Calls `whenEnded` as soon as the session has ended (logged out somewhere, deactivated, or its account closed) or the key was revoked.
 * Watches until `over` aborts; whoever begins a watch ends it with what it is for.
 */
export async function watchCaller(
  system: System,
  caller: Caller,
  over: AbortSignal,
  whenEnded: () => void,
): Promise<void> {
  try {
    for await (const _burst of bursts(system.live, ownerScope(caller.user.id), ['sessions'], over)) {
      const found =
        caller.kind === 'key' ? await system.apiKeys.again(caller) : await system.sessions.validate(caller.id)
      if (!found?.user.isActive) return whenEnded()
    }
  } catch (error) {
    if (over.aborted) return
    // A session that cannot be checked is not trusted; the browser comes back and is asked again.
    system.log.error({ err: error }, 'the watch on a session broke')
    whenEnded()
  }
}
