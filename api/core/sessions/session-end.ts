import type { Caller, System } from '../context.ts'
import { coalescedHints } from '../live.ts'
import { ownerScope } from '../scope.ts'

/** The longest delay of `setTimeout`; a stream that is ended after it is opened again. */
const maxTimeoutMs = 2 ** 31 - 1

/**
 * Calls `whenEnded` as soon as the session has ended (log-out, deactivation), the key was revoked or has expired, or the
 * account's deletion was requested, or staff changed the address, which has to be verified.
 * Watches until `over` aborts, which the caller must do when it no longer needs the watch.
 */
export async function watchSessionEnd(
  system: System,
  caller: Caller,
  over: AbortSignal,
  whenEnded: () => void,
): Promise<void> {
  if (over.aborted) return
  if (caller.kind === 'key' && caller.expiresAt) {
    const remainingMs = caller.expiresAt.getTime() - system.now().getTime()
    const timer = setTimeout(whenEnded, Math.min(remainingMs, maxTimeoutMs))
    over.addEventListener('abort', () => clearTimeout(timer))
  }
  try {
    for await (const _change of coalescedHints(system.live, ownerScope(caller.user.id), 'sessions', over)) {
      const found =
        caller.kind === 'key' ? await system.apiKeys.reload(caller) : await system.sessions.validate(caller.id)
      // What every stream requires (`verified` in `api/core/guards.ts`).
      if (!found?.user.isActive || !found.user.isEmailVerified || found.user.deletionAskedAt) return whenEnded()
    }
  } catch (error) {
    if (over.aborted) return
    // A session that cannot be checked counts as ended; the browser reconnects and is checked again.
    system.log.error({ err: error }, 'watching a session failed')
    whenEnded()
  }
}
