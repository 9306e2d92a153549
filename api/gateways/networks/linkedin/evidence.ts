import type { Evidence } from '../adapter.ts'

const common = {
  irreversibleCall: '`POST /rest/posts`',
  knownBefore: 'the URN of the uploaded media, which no other post contains',
  presence:
    'the answer contains the URN of the post; 422 DUPLICATE_POST names a post with our media; or the list of the page shows one',
  proofOfAbsence: 'the post says PUBLISH_FAILED',
  inconclusive: 'the list of the page does not show it',
  // Lists have lagged half an hour, and LinkedIn refuses a duplicate only for ten minutes.
  gracePeriodMs: 35 * 60_000,
  afterGracePeriod: 'the same post is created once more',
}

export const linkedinEvidence: readonly [pictures: Evidence, video: Evidence] = [
  { kind: 'Pictures', ...common },
  { kind: 'Video', ...common },
]
