import type { ConcurrentPublish, PublishJob } from './adapter.ts'

/** A post on the page that matches ours; `at`: its creation time at the network, in milliseconds. */
export type MatchingPost = { id: string; at: number }

/**
 * `isOnly`: there are as many matches as targets here; else somebody may have posted the same text by hand, and this
 * may be that one.
 */
export type Found = { id: string; isOnly: boolean }

/** Clock skew: a post may be dated this much before the call that made it. */
const clocksDifferMs = 60_000
/** A post this much later than the last call for it is another's; no list lags that long. */
const arrivesWithinMs = 60 * 60_000
/** Two targets that match each other's posts wait this long, for answers and lists to arrive. */
const patienceMs = 15 * 60_000

/** Milliseconds since the epoch: posts from here on may be ours. */
export function searchesFrom(job: Pick<PublishJob, 'firstPublishAt' | 'now'>): number {
  return (job.firstPublishAt ?? job.now()).getTime() - clocksDifferMs
}

/**
 * Which of the matching posts is ours, where only their content identifies them. Posts known to belong to another
 * target are left out. Of the rest ours certainly exists once there are more than the other unresolved targets can
 * account for: then each unresolved target takes its own, in the order of their first calls. `isSameContent` says of
 * another target whether its post would match. Read `matchingPosts` before this is called.
 */
export async function findOwnPost(
  job: PublishJob,
  matchingPosts: readonly MatchingPost[],
  isSameContent: (other: ConcurrentPublish) => boolean,
): Promise<Found | 'none' | 'later' | 'never'> {
  const concurrentPublishes = matchingPosts.length === 0 ? [] : await job.concurrentPublishes()
  const taken = new Set(concurrentPublishes.flatMap((other) => other.knownIds))
  const free = matchingPosts
    .filter((one) => !taken.has(one.id))
    .toSorted((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1))
  if (free.length === 0) return 'none'
  const rivals = concurrentPublishes.filter(
    (other) => other.isInDoubt && isSameContent(other) && free.some((one) => mayBeOf(other, one)),
  )
  const goneOut = Math.max(...[job, ...rivals].map((one) => one.lastPublishAt?.getTime() ?? 0))
  const hasPatience = job.now().getTime() < goneOut + patienceMs
  // A call that is still under way will return its post's id itself.
  if (hasPatience && rivals.some((other) => other.awaitsAnswer)) return 'later'
  if (free.length <= rivals.length) return hasPatience ? 'later' : 'never'
  const before = rivals.filter((other) => goesBefore(other, job)).length
  const own = free[before]
  return own ? { id: own.id, isOnly: free.length === rivals.length + 1 } : 'never'
}

function mayBeOf(other: ConcurrentPublish, one: MatchingPost): boolean {
  return (
    one.at >= other.firstPublishAt.getTime() - clocksDifferMs &&
    one.at <= other.lastPublishAt.getTime() + arrivesWithinMs
  )
}

function goesBefore(other: ConcurrentPublish, job: PublishJob): boolean {
  const order = other.firstPublishAt.getTime() - (job.firstPublishAt ?? job.now()).getTime()
  return order < 0 || (order === 0 && other.targetId < job.targetId)
}

/** For the artist, where nobody can find out whose post it is. */
export const ambiguousMatch = 'Another post with the same words went to this page at the same time.'
