import type { System } from '../../../core/context.ts'
import { everyoneScope } from '../../../core/scope.ts'
import { noteFailedAt } from '../queries/targets.ts'

const atOnce = 1000

/** Sets `failed_at` of targets that failed under a release without that column, in batches. Returns how many. */
export async function noteFailures(system: System, stopping: AbortSignal): Promise<number> {
  let all = 0
  while (!stopping.aborted) {
    const some = await noteFailedAt(system.db, everyoneScope(), system.now(), atOnce)
    all += some
    if (some < atOnce) break
  }
  return all
}
