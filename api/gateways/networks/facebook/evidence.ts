import type { Evidence } from '../adapter.ts'

type Kind = 'photos' | 'reel' | 'video' | 'handle'

const byVideo = {
  knownBefore: 'the video id',
  presence: '`GET /{video}` says published',
  proofOfAbsence: '`GET /{video}` says expired or upload_failed',
  inconclusive: '`GET /{video}` shows only the upload',
  gracePeriodMs: 2 * 60_000,
}

export const facebookEvidence: Record<Kind, Evidence> = {
  photos: {
    kind: 'Photos',
    irreversibleCall: '`POST /{page}/feed` with `attached_media`',
    knownBefore: 'the ids of the unpublished photos',
    presence: 'the answer contains the post id; or a post in `published_posts` contains one of the photos',
    proofOfAbsence: 'nothing does',
    inconclusive:
      '`published_posts` shows none of the photos; error 1366051 (photos already used) means that the post exists, but not which one it is',
    gracePeriodMs: 15 * 60_000,
    afterGracePeriod: 'the same photos are posted once more; photos older than 20 hours are uploaded again first',
  },
  reel: {
    kind: 'Reel (9:16, up to 90 s)',
    irreversibleCall: '`POST /{page}/video_reels` with `upload_phase=finish`',
    ...byVideo,
    afterGracePeriod: '`finish` is sent once more for the same video, which changes nothing for a public one',
  },
  video: {
    kind: 'Video',
    irreversibleCall: '`POST /{page}/videos` with `upload_phase=finish`',
    ...byVideo,
    afterGracePeriod: '`finish` is sent once more for the same session, which changes nothing for a public one',
  },
  handle: {
    kind: 'Video by handle (where a page refuses `upload_phase`)',
    irreversibleCall: '`POST /{page}/videos` with `fbuploader_video_file_chunk`',
    knownBefore: 'the upload handle, which creates a video each time it is sent',
    presence: 'the answer contains the video id; or exactly one video post in `published_posts` has its text',
    proofOfAbsence: 'nothing does',
    inconclusive: '`published_posts` does not show it',
    gracePeriodMs: 35 * 60_000,
    afterGracePeriod: 'nothing is sent again; the artist is asked',
  },
}
