import type { Db } from '@flashsheet/db/client'
import { setTimeout as sleep } from 'node:timers/promises'
import { everyoneScope } from '../../../core/scope.ts'
import { setDueToUnknown } from '../queries/after-restore.ts'
import { maxUnanswered } from '../rules/retry.ts'
import { provenMs } from './lease.ts'

const atOnce = 1000

/**
 * After a restore: targets that came due since the backup are looked for at their networks before anything is sent. Returns how many,
 * once no call allowed earlier can leave: a worker that has just written its call trusts its lease for `provenMs` more.
 */
export async function reconcileAfterRestore(system: { db: Db; now: () => Date }): Promise<number> {
  const now = system.now()
  let all = 0
  for (;;) {
    const some = await setDueToUnknown(system.db, everyoneScope(), maxUnanswered, now, atOnce)
    all += some
    if (some < atOnce) break
  }
  await sleep(2 * provenMs)
  return all
}
