import type { ConcurrentPublish, PublishJob } from './adapter.ts'

/** A post at the page that looks like ours; `at`: milliseconds, when its network says it was made. */
export type MatchingPost = { id: string; at: number }

/** `isOnly`: there are as many as go out from here; else somebody posted the same words by hand, and this may be that one. */
export type Found = { id: string; isOnly: boolean }

/** Clocks differ: a post may be dated this much before the call that made it. */
const clocksDifferMs = 60_000
/** A post this much younger than the last call for it is another's; no list lags that long. */
const arrivesWithinMs = 60 * 60_000
/** Two that might each be the other's are waited for this long, for answers and lists to arrive. */
const patienceMs = 15 * 60_000

/**
 * Which of the posts that look like ours is ours, where nothing but their looks tells. What another target is known by is left
 * out. Of what remains ours is certainly there once it is more than the others still in doubt can account for: then each in doubt
 * takes its own, in the order in which they first went out. `isSameContent` says of another target whether its post would look the same.
 * Read `matchingPosts` before this is called: who publishes says so before the call leaves, so that nobody's post is overlooked here.
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
  // An answer on its way names its post itself.
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

/** Said to the artist where nobody can tell whose post is there. */
export const ambiguousMatch = 'Another post with the same words went to this page at the same time.'
