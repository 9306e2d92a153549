import type { Db } from '@flashsheet/db/client'
import { retryOnDeadlock } from '@flashsheet/db/retry-on-deadlock'
import { setTimeout as sleep } from 'node:timers/promises'
import { everyoneScope } from '../../../core/scope.ts'
import { setDueToUnknown } from '../queries/after-restore.ts'
import { maxUnanswered } from '../rules/retry.ts'
import { proofValidMs } from './lease.ts'

const batchSize = 1000
const lowestId = '00000000-0000-0000-0000-000000000000'

/**
 * After a restore: targets that came due since the backup are confirmed at their networks before anything is sent. Returns how many. Before
 * that it waits until no earlier call can still be sent, because a worker may send a call for `proofValidMs` after it wrote it.
 */
export async function reconcileAfterRestore(system: { db: Db; now: () => Date }): Promise<number> {
  const now = system.now()
  let total = 0
  let after = lowestId
  for (;;) {
    // By id, since a target that became `unknown` is still due.
    const batch = { after, limit: batchSize }
    const ids = await retryOnDeadlock(
      system.db,
      async (tx) => await setDueToUnknown(tx, everyoneScope(), maxUnanswered, now, batch),
    )
    const last = ids.at(-1)
    if (last === undefined) break
    total += ids.length
    after = last
  }
  await sleep(2 * proofValidMs)
  return total
}
