import type { System } from '../../../core/context.ts'
import { everyoneScope } from '../../../core/scope.ts'
import { noteFailedAt } from '../queries/targets.ts'

const atOnce = 1000

/** Notes when targets failed that did so under a release that did not note it, in batches. Answers how many. */
export async function noteFailures(system: System, stopping: AbortSignal): Promise<number> {
  let all = 0
  while (!stopping.aborted) {
    const some = await noteFailedAt(system.db, everyoneScope(), system.now(), atOnce)
    all += some
    if (some < atOnce) break
  }
  return all
}
