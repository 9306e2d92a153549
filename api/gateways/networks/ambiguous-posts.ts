import type { ConcurrentPublish, PublishJob } from './adapter.ts'

/** A post on the page that matches ours; `at`: its creation time at the network, in milliseconds. */
export type MatchingPost = { id: string; at: number }

/** The target that searches for its post. */
type Job = Pick<PublishJob, 'targetId' | 'firstPublishAt' | 'lastPublishAt' | 'now' | 'concurrentPublishes'>

/** `isUnambiguous`: every match belongs to a target here; otherwise this may be a post that somebody made by hand. */
type OwnPost = { id: string; isUnambiguous: boolean }

/** A post may be dated this much before the call that made it. */
const clockSkewMs = 60_000
/** No list lags longer, so a post this much later than the last call was not made by it. */
const maxListLagMs = 60 * 60_000
/** Two targets that match each other's posts wait this long for answers and lists to arrive. */
const gracePeriodMs = 15 * 60_000

/** Posts from this time on (milliseconds since the epoch) may be ours. */
export function searchStartMs(job: Pick<PublishJob, 'firstPublishAt' | 'now'>): number {
  return (job.firstPublishAt ?? job.now()).getTime() - clockSkewMs
}

/**
 * Finds which of the matching posts is ours, where only their content identifies them. Posts that belong to another
 * target are excluded. Ours certainly exists if more posts remain than the other unresolved targets can account for.
 * Then each unresolved target takes one, in the order of their first calls. `isSameContent`: whether another target's
 * post would match. `matchingPosts` must be read before this is called.
 */
export async function findOwnPost(
  job: Job,
  matchingPosts: readonly MatchingPost[],
  isSameContent: (other: ConcurrentPublish) => boolean,
): Promise<OwnPost | 'absent' | 'later' | 'ambiguous'> {
  const concurrentPublishes = matchingPosts.length === 0 ? [] : await job.concurrentPublishes()
  const othersIds = new Set(concurrentPublishes.flatMap((other) => other.knownIds))
  const free = matchingPosts
    .filter(({ id }) => !othersIds.has(id))
    .toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
  if (free.length === 0) return 'absent'
  const rivals = concurrentPublishes.filter(
    (other) => other.isInDoubt && isSameContent(other) && free.some((post) => mayBelongTo(other, post)),
  )
  const lastSentAt = Math.max(...[job, ...rivals].map(({ lastPublishAt }) => lastPublishAt?.getTime() ?? 0))
  const isInGracePeriod = job.now().getTime() < lastSentAt + gracePeriodMs
  // A call that is still under way will return its post's id itself.
  if (isInGracePeriod && rivals.some((other) => other.awaitsAnswer)) return 'later'
  if (free.length <= rivals.length) return isInGracePeriod ? 'later' : 'ambiguous'
  const own = free[rivals.filter((other) => isEarlier(other, job)).length]
  return own ? { id: own.id, isUnambiguous: free.length === rivals.length + 1 } : 'ambiguous'
}

function mayBelongTo(other: ConcurrentPublish, { at }: MatchingPost): boolean {
  return at >= other.firstPublishAt.getTime() - clockSkewMs && at <= other.lastPublishAt.getTime() + maxListLagMs
}

function isEarlier(other: ConcurrentPublish, job: Job): boolean {
  const order = other.firstPublishAt.getTime() - (job.firstPublishAt ?? job.now()).getTime()
  return order < 0 || (order === 0 && other.targetId < job.targetId)
}

/** The sentence for the artist when a post cannot be attributed. */
export const ambiguousMatch = 'Another post with the same words went to this page at the same time.'
