import { inBatches } from '../../../core/batches.ts'
import type { System } from '../../../core/context.ts'
import { everyoneScope } from '../../../core/scope.ts'
import { setFailedAt } from '../queries/targets.ts'

const batchSize = 1000

/** Sets `failed_at` of targets that failed under a release without that column. */
export async function backfillFailedAt(system: System, stopping: AbortSignal): Promise<void> {
  await inBatches(
    stopping,
    async () => (await setFailedAt(system.db, everyoneScope(), system.now(), batchSize)) === batchSize,
  )
}
