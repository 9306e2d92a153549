import type { System } from '../../../core/context.ts'
import { everyoneScope } from '../../../core/scope.ts'
import type { ConcurrentPublish } from '../../../gateways/networks/adapter.ts'
import { listConcurrentPublishes, type ConcurrentPublishRow } from '../queries/concurrent-publishes.ts'
import type { SentTarget } from '../queries/sent-targets.ts'
import { isOutcomeOpen } from '../rules/retry.ts'

/** A target whose last call ended longer ago than this, before the first call of the other, cannot be confused with it. */
const longAgoMs = 24 * 3_600_000
/** Checkpoint keys that hold a post's id at its network before the post is proven to be published (Facebook, YouTube). */
const idNames = ['foundId', 'videoId']

/** Others at a target's page whose posts could be taken for its own. They tell posts apart, and are shown to nobody. */
export async function concurrentPublishesOf(
  system: System,
  target: Pick<SentTarget, 'id' | 'platform' | 'pageId' | 'firstPublishAt'>,
): Promise<ConcurrentPublish[]> {
  const since = new Date((target.firstPublishAt ?? system.now()).getTime() - longAgoMs)
  const others = { ...target, butNot: target.id }
  return (await listConcurrentPublishes(system.db, everyoneScope(), others, since)).flatMap(neighbour)
}

function neighbour(row: ConcurrentPublishRow): ConcurrentPublish[] {
  const { id, remoteId, phase, unclear, firstPublishAt, lastPublishAt, ...words } = row
  if (!firstPublishAt || !lastPublishAt) return []
  const knownIds = [remoteId, ...idNames.map((name) => words.checkpoint[name])].flatMap((known) =>
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
