import type { Evidence } from '../adapter.ts'

/** A lagging status shows fewer bytes than arrived. A repetition uses the same publish id, so it makes no second video. */
export const tiktokEvidence: Evidence = {
  kind: 'Video (FILE_UPLOAD)',
  irreversibleCall: '`PUT` of the last chunk',
  knownBefore: 'the publish id and the upload address',
  presence:
    '`status/fetch` says PUBLISH_COMPLETE. Any status other than PROCESSING_UPLOAD, all bytes counted, or 201 means that TikTok has the video and is processing it',
  proofOfAbsence: '`status/fetch` says FAILED',
  inconclusive: '`status/fetch` says PROCESSING_UPLOAD with fewer bytes',
  gracePeriodMs: 5 * 60_000,
  afterGracePeriod:
    'the last chunk is sent to the same address once more, if none of it was counted and the address is still valid; otherwise the artist is asked. Only after FAILED is `init` called again',
}
