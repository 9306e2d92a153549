import type { Evidence } from '../adapter.ts'

const common = {
  irreversibleCall: '`POST /{ig}/media_publish`',
  knownBefore: 'the container id',
  presence:
    'the answer contains the media id; the container says PUBLISHED; or exactly one post of the account has its caption and time',
  proofOfAbsence: 'the container says ERROR or EXPIRED',
  inconclusive: 'the container says FINISHED, or is unknown, and no post of the account has its caption',
  gracePeriodMs: 60_000,
  afterGracePeriod: 'the same container is published once more; without a container the artist is asked',
}

export const instagramEvidence: readonly [picture: Evidence, carousel: Evidence, reel: Evidence] = [
  { kind: 'Picture', ...common },
  { kind: 'Carousel', ...common, knownBefore: 'the container id, and those of its pictures' },
  { kind: 'Reel', ...common },
]
