import type { Evidence } from '../adapter.ts'

/** A lagging status shows fewer bytes than arrived. A repetition uses the same publish id, so it makes no second video. */
export const tiktokEvidence: Evidence = {
  kind: 'Video (FILE_UPLOAD)',
  irreversibleCall: '`PUT` of the last chunk',
  knownBefore: 'the publish id and the upload address',
  presence:
    '`status/fetch` says PUBLISH_COMPLETE; anything but PROCESSING_UPLOAD, or all bytes counted, means that TikTok has it and works on it; so does 201',
  proofOfAbsence: '`status/fetch` says FAILED',
  silence: '`status/fetch` says PROCESSING_UPLOAD with fewer bytes',
  patienceMs: 5 * 60_000,
  afterSilence:
    'the last chunk goes to the same address once more, if none of it was counted and the address is still valid; otherwise the artist is asked. Only FAILED leads to another `init`',
}
