import type { Evidence } from '../adapter.ts'

export const youtubeEvidence: Evidence = {
  kind: 'Video (resumable upload)',
  irreversibleCall: '`PUT` of the last chunk',
  knownBefore: 'the address of the session',
  presence:
    'the answer to the last chunk, or to a request for the progress, contains the video; if the session has expired: title, description and time in the list of uploads',
  proofOfAbsence: 'the session answers 308 with a part of the bytes: the others are sent, into the same session only',
  inconclusive:
    'the session answers 404 or 410 after the last chunk was sent, and the list of uploads does not show the video',
  gracePeriodMs: 35 * 60_000,
  afterGracePeriod: 'nothing is sent again; the artist is asked',
}
