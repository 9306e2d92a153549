import type { Db } from '@flashsheet/db/client'
import { setTimeout as sleep } from 'node:timers/promises'
import { everyoneScope } from '../../../core/scope.ts'
import { putDueToUnknown } from '../queries/after-restore.ts'
import { mostUnanswered } from '../rules/retry.ts'
import { provenMs } from './lease.ts'

const atOnce = 1000

/**
 * After a restore: what was due since the backup is looked for at its network before anything is sent. Answers how many
 * targets that are, once no call can leave any more that was allowed before: a worker that has just written its call
 * waits for publishing to go on, and would believe in its lease for `provenMs` more.
 */
export async function lookForDue(system: { db: Db; now: () => Date }): Promise<number> {
  const now = system.now()
  let all = 0
  for (;;) {
    const some = await putDueToUnknown(system.db, everyoneScope(), mostUnanswered, now, atOnce)
    all += some
    if (some < atOnce) break
  }
  await sleep(2 * provenMs)
  return all
}
