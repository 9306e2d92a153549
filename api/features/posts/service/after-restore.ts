import type { Db } from '@flashsheet/db/client'
import { everyoneScope } from '../../../core/scope.ts'
import { putDueToUnknown } from '../queries/after-restore.ts'
import { mostUnanswered } from '../rules/retry.ts'

const atOnce = 1000

/** After a restore: what was due since the backup is looked for at its network before anything is sent. Answers how many targets that are. */
export async function lookForDue(system: { db: Db; now: () => Date }): Promise<number> {
  const now = system.now()
  let all = 0
  for (;;) {
    const some = await putDueToUnknown(system.db, everyoneScope(), mostUnanswered, now, atOnce)
    all += some
    if (some < atOnce) return all
  }
}
