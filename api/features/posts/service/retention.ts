import { inBatches } from '../../../core/batches.ts'
import type { System } from '../../../core/context.ts'
import { firstIdSince } from '../../../core/ids.ts'
import { everyoneScope } from '../../../core/scope.ts'
import { retentionQueue } from '../jobs.ts'
import {
  deleteOldAttempts,
  deleteOldRequestIds,
  deleteUnusedBuckets,
  clearPostedTargets,
} from '../queries/retention.ts'

const dayMs = 86_400_000
const attemptDays = 90
const textDays = 365
const bucketDays = 30
const requestIdDays = 30
const batchSize = 1000

/**
 * Deletes attempts of final targets after 90 days, and allowances unused for 30. Clears options, checkpoint and the text after the calendar's
 * title of targets posted a year ago. Forgets the request ids of posts deleted 30 days ago. In batches; another job continues with what is left.
 */
export async function deleteOldPublishing(system: System, stopping: AbortSignal): Promise<void> {
  const scope = everyoneScope()
  const ago = (days: number) => new Date(system.now().getTime() - days * dayMs)
  const moreBuckets = await inBatches(
    stopping,
    async () =>
      await system.db.transaction(async (tx) => await deleteUnusedBuckets(tx, scope, ago(bucketDays), batchSize)),
  )
  let attempts = 0
  let after = firstIdSince(new Date(0))
  const moreAttempts = await inBatches(stopping, async () => {
    const batch = await deleteOldAttempts(system.db, scope, ago(attemptDays), after, batchSize)
    attempts += batch?.deleted ?? 0
    after = batch?.last ?? after
    return batch !== undefined
  })
  const moreTargets = await inBatches(
    stopping,
    async () => await clearPostedTargets(system.db, scope, ago(textDays), batchSize),
  )
  const moreRequestIds = await inBatches(
    stopping,
    async () => await deleteOldRequestIds(system.db, scope, ago(requestIdDays), batchSize),
  )
  if (attempts > 0) system.log.info({ attempts }, 'attempts of targets that were final long ago were removed')
  if (moreBuckets || moreAttempts || moreTargets || moreRequestIds)
    await system.jobs.send(system.db, retentionQueue, {})
}
