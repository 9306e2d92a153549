import type { System } from '../../../core/context.ts'
import { everyoneScope } from '../../../core/scope.ts'
import type { ConcurrentPublish } from '../../../gateways/networks/adapter.ts'
import { listConcurrentPublishes, type ConcurrentPublishRow } from '../queries/concurrent-publishes.ts'
import type { StoredTarget } from '../queries/leases.ts'
import { isOutcomeOpen } from '../rules/retry.ts'

/** A target whose last call began longer than this before another's first call cannot be confused with it. */
const confusableMs = 24 * 3_600_000
/** Checkpoint keys that hold a post's id at its network before the post is proven to be published (Facebook, YouTube). */
const checkpointIdKeys = ['foundId', 'videoId']

/** Other targets on the same page whose posts could be mistaken for this one's. They may be other artists', so they are never shown. */
export async function concurrentPublishesOf(
  system: System,
  target: Pick<StoredTarget, 'id' | 'platform' | 'pageId' | 'firstPublishAt'>,
): Promise<ConcurrentPublish[]> {
  const since = new Date((target.firstPublishAt ?? system.now()).getTime() - confusableMs)
  const others = { ...target, butNot: target.id }
  return (await listConcurrentPublishes(system.db, everyoneScope(), others, since)).flatMap(concurrentPublish)
}

function concurrentPublish(row: ConcurrentPublishRow): ConcurrentPublish[] {
  const { id, remoteId, phase, unclear, firstPublishAt, lastPublishAt, ...words } = row
  if (!firstPublishAt || !lastPublishAt) return []
  const knownIds = [remoteId, ...checkpointIdKeys.map((name) => words.checkpoint[name])].flatMap((known) =>
    typeof known === 'string' && known !== '' ? [known] : [],
  )
  const isUndecided = isOutcomeOpen(phase) || phase === 'posted' || (phase === 'failed' && unclear)
  return [
    {
      ...words,
      targetId: id,
      knownIds,
      isInDoubt: knownIds.length === 0 && isUndecided,
      awaitsAnswer: phase === 'publishing',
      firstPublishAt,
      lastPublishAt,
    },
  ]
}
