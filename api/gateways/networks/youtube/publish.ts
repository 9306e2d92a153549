import { networkTexts } from '@flashsheet/contracts/posts/rules'
import { versionsInUse } from '../../../core/api-versions.ts'
import {
  pollGapMs,
  type NetworkError,
  type ConfirmResult,
  type ListedPost,
  type NetworkContext,
  type PublishJob,
  type PublishMedia,
  type PublishSteps,
} from '../adapter.ts'
import { countedBytes } from '../counted-bytes.ts'
import { onlyVideo } from '../video-limits.ts'
import { findOwnPost, ambiguousMatch, type MatchingPost, searchStartMs } from '../ambiguous-posts.ts'
import { uploadInvalid, networkError, record, recordsOf, textOf, retryLater } from '../refusal.ts'
import { youtubeEvidence } from './evidence.ts'

/** A multiple of 256 KiB, as every chunk but the last must be (docs/networks/youtube.md). */
const chunkBytes = 8 * 1_048_576
/** How many pages of 50 videos are searched; each costs a unit of the 10,000 a day that all artists share. */
const maxListPages = 10

/** The progress of an upload session: the stored bytes, or the finished video. */
type SessionState = { stored: number } | { videoId: string; privacy: string }

/**
 * Publishing to YouTube: the video exists only after the last byte, so everything before it is `prepare`, and the last
 * chunk is the irreversible call. The session's status resolves any doubt.
 */
export function youtubePublish(context: NetworkContext<'youtube'>): PublishSteps {
  const { config, http } = context
  const watchUrl = (id: string) => `https://www.youtube.com/watch?v=${id}`

  const openSession = async (job: PublishJob, video: PublishMedia): Promise<string> => {
    const words = networkTexts('youtube', job, true)
    const answer = await http.call({
      method: 'POST',
      url: `${config.hosts.upload}/upload/youtube/${versionsInUse.youtube}/videos`,
      query: { uploadType: 'resumable', part: 'snippet,status' },
      headers: {
        'x-upload-content-type': video.mimeType,
        'x-upload-content-length': String(video.bytes),
      },
      json: {
        // 22: People & Blogs, YouTube's own default.
        snippet: { title: words.title, description: words.text, categoryId: '22' },
        status: {
          privacyStatus: privacyOf(job),
          selfDeclaredMadeForKids: job.options.youtube?.madeForKids ?? false,
        },
      },
      as: job,
    })
    const session = answer.headers.get('location')
    if (!session) throw retryLater('youtube', 'no_session')
    return session
  }

  /** Undefined: the session no longer exists. */
  const readSession = async (job: PublishJob, session: string, total: number): Promise<SessionState | undefined> => {
    const answer = await http.call({
      method: 'PUT',
      url: session,
      headers: { 'content-range': `bytes */${total}` },
      accept: [308, 404, 410],
      as: job,
    })
    return sessionStateOf(answer)
  }

  /** Sends bytes `start..end`. Undefined: the session no longer exists. */
  const sendChunk = async (
    job: PublishJob,
    video: PublishMedia,
    session: string,
    start: number,
    end: number,
    assertLease?: () => Promise<void>,
  ): Promise<SessionState | undefined> => {
    const answer = await http.call({
      method: 'PUT',
      url: session,
      headers: {
        'content-type': video.mimeType,
        'content-range': `bytes ${start}-${end}/${video.bytes}`,
      },
      stream: countedBytes(job, video, start, end),
      irreversible: assertLease,
      accept: [308, 404, 410],
      as: job,
    })
    return sessionStateOf(answer)
  }

  return {
    shortestPollGapMs: pollGapMs(30_000, config),
    longestPollGapMs: 60_000,
    evidenceOf: () => youtubeEvidence,

    async prepare(job) {
      const video = await onlyVideo('youtube', job)
      let session = textOf(job.checkpoint['session'])
      let found: SessionState | undefined = { stored: 0 }
      if (session) {
        if (Number(job.checkpoint['total']) !== video.bytes) throw uploadInvalid('youtube', 'other_file')
        found = await readSession(job, session, video.bytes)
      } else {
        session = await openSession(job, video)
        await job.save({ session, total: video.bytes })
      }
      const lastStart = startOfLastChunk(video.bytes)
      let sent = -1
      for (;;) {
        if (found === undefined) throw sessionGone(job)
        // The upload is complete although no publish call is recorded, or YouTube made a video from fewer bytes.
        if ('videoId' in found) {
          await job.save({ videoId: found.videoId })
          return { state: 'ready' }
        }
        // YouTube stored nothing of the chunk: wait instead of sending in a loop.
        if (found.stored <= sent) throw retryLater('youtube', 'chunk_not_kept')
        sent = found.stored
        // Nothing is left to send, although no publish call is recorded.
        if (sent >= video.bytes) throw networkError('youtube', 'all_bytes_stored', { class: 'unknown' })
        if (sent >= lastStart) break
        found = await sendChunk(job, video, session, sent, Math.min(sent + chunkBytes, lastStart) - 1)
      }
      job.saveLater({ lastStart: found.stored })
      return { state: 'ready' }
    },

    async publish(job) {
      const known = textOf(job.checkpoint['videoId'])
      if (known) return { state: 'accepted', remoteId: known, waitMs: 0 }
      const video = await onlyVideo('youtube', job)
      const start = Number(job.checkpoint['lastStart'] ?? startOfLastChunk(video.bytes))
      const found = await sendChunk(
        job,
        video,
        textOf(job.checkpoint['session']),
        start,
        video.bytes - 1,
        job.assertLease,
      )
      // A session may also be deleted because its last bytes arrived.
      if (found === undefined) throw networkError('youtube', 'session_gone', { class: 'unknown' })
      // A part of the chunk is missing, so no video exists yet. The next attempt resumes at YouTube's offset.
      if ('stored' in found) {
        await job.save({ lastStart: found.stored })
        throw retryLater('youtube', 'part_missing')
      }
      // The visibility differs from the request, which `confirm` reports.
      if (found.privacy !== privacyOf(job)) return { state: 'accepted', remoteId: found.videoId, waitMs: 0 }
      return { state: 'posted', remoteId: found.videoId, permalink: watchUrl(found.videoId) }
    },

    async confirm(job): Promise<ConfirmResult> {
      let id = job.remoteId ?? textOf(job.checkpoint['videoId'])
      if (!id) {
        const session = textOf(job.checkpoint['session'])
        // After a restore of the database the session is unknown, like one that YouTube deleted.
        const total = Number(job.checkpoint['total'])
        const found = session === '' ? undefined : await readSession(job, session, total)
        if (found === undefined) {
          const listed = await findOwnPost(job, await findInUploads(job), (other) => isSameContent(job, other))
          if (listed === 'later') return { state: 'working' }
          if (listed === 'absent') return { state: 'absent', evidence: 'inconclusive', mayRepeat: false }
          if (listed === 'ambiguous' || !listed.isUnambiguous) return { state: 'unclear', message: ambiguousMatch }
          id = listed.id
          await job.save({ videoId: id })
        } else if ('stored' in found) {
          // All bytes are there, so the session may be making the video.
          if (found.stored >= total) return { state: 'working' }
          // The last bytes are sent again into this session, which makes one video at most. Its answer may be older than
          // the call that sent them first, so if it is lost, the video may exist.
          await job.save({ lastStart: found.stored, lastChunkSent: true })
          return { state: 'absent', evidence: 'proof', idsLapsed: false }
        } else id = found.videoId
      }
      return await stateOf(job, id)
    },

    async *listPosts(job): AsyncGenerator<ListedPost> {
      for await (const { id, at, title } of uploadsSince(job))
        yield { id, otherIds: [], at: new Date(at), text: title, permalink: watchUrl(id) }
    },

    link: async (_job, remoteId) => await Promise.resolve(watchUrl(remoteId)),

    async reconcilePosted(job, remoteId) {
      if (remoteId === null) return { state: 'settled' }
      const { upload, failure } = await uploadState(job, remoteId)
      if (upload === 'processed') return { state: 'settled' }
      return failure ? { state: 'rejected', ...failure } : { state: 'working' }
    },
  }

  async function uploadState(job: PublishJob, id: string) {
    const { body } = await http.call({
      method: 'GET',
      url: `${config.hosts.api}/youtube/${versionsInUse.youtube}/videos`,
      query: { part: 'status', id },
      as: job,
    })
    const status = record(recordsOf(body['items'])[0]?.['status'])
    const upload = textOf(status?.['uploadStatus'])
    const reason = textOf(status?.[upload === 'rejected' ? 'rejectionReason' : 'failureReason'])
    return { upload, failure: failureOf(upload, reason), privacy: textOf(status?.['privacyStatus']) }
  }

  /** A video counts as posted unless its status shows a rejection, or that YouTube made it private. */
  async function stateOf(job: PublishJob, id: string): Promise<ConfirmResult> {
    const { failure, privacy } = await uploadState(job, id)
    if (failure) return { state: 'failed', ...failure, retryable: false }
    if (privacy === 'private' && privacyOf(job) !== 'private') {
      return {
        state: 'failed',
        code: 'kept_private',
        message: 'YouTube keeps the video private: only you can see it. Change its visibility in YouTube Studio.',
        retryable: false,
        leftBehind: 'private',
      }
    }
    return { state: 'posted', remoteId: id, permalink: watchUrl(id) }
  }

  /** Without a session the video may still exist: title, description and time identify it. */
  async function findInUploads(job: PublishJob): Promise<MatchingPost[]> {
    const matches: MatchingPost[] = []
    const words = networkTexts('youtube', job, true)
    for await (const { id, at, title, description } of uploadsSince(job)) {
      if (title === words.title && description.trim() === words.text.trim()) matches.push({ id, at })
    }
    return matches
  }

  /**
   * The channel's uploads since the last chunk was first sent, since earlier ones may have the same text. Throws `retry`
   * when the list is longer than is read: the video may be among the unread entries.
   */
  async function* uploadsSince(
    job: PublishJob,
  ): AsyncGenerator<{ id: string; at: number; title: string; description: string }> {
    const uploads = await uploadsOf(job)
    const since = searchStartMs(job)
    let pageToken: string | undefined
    for (let page = 0; page < maxListPages; page++) {
      const list = await listPage(job, uploads, pageToken)
      const times = list.items.map((item) => Date.parse(textOf(record(item['snippet'])?.['publishedAt'])))
      for (const [nth, item] of list.items.entries()) {
        const snippet = record(item['snippet'])
        const at = times[nth] ?? 0
        if (!(at >= since)) continue
        const id = textOf(record(item['contentDetails'])?.['videoId'])
        if (!id) throw retryLater('youtube', 'no_video_id')
        yield { id, at, title: textOf(snippet?.['title']), description: textOf(snippet?.['description']) }
      }
      // The order (newest first) is not guaranteed for each entry, so only a page without newer ones ends the search.
      pageToken = list.next
      if (!pageToken || times.every((time) => time < since)) return
    }
    throw retryLater('youtube', 'list_too_long')
  }

  /** The id of the playlist with the channel's uploads. Throws `retry` without one, since an unread list proves nothing. */
  async function uploadsOf(job: PublishJob): Promise<string> {
    const { body } = await http.call({
      method: 'GET',
      url: `${config.hosts.api}/youtube/${versionsInUse.youtube}/channels`,
      query: { part: 'contentDetails', mine: 'true' },
      as: job,
    })
    const details = record(recordsOf(body['items'])[0]?.['contentDetails'])
    const related = record(details?.['relatedPlaylists'])
    const uploads = textOf(related?.['uploads'])
    if (!uploads) throw retryLater('youtube', 'no_uploads_list')
    return uploads
  }

  async function listPage(
    job: PublishJob,
    playlistId: string,
    pageToken: string | undefined,
  ): Promise<{ items: Record<string, unknown>[]; next: string | undefined }> {
    const { body } = await http.call({
      method: 'GET',
      url: `${config.hosts.api}/youtube/${versionsInUse.youtube}/playlistItems`,
      query: { part: 'snippet,contentDetails', playlistId, maxResults: '50', pageToken },
      // A channel without videos has no such list.
      accept: pageToken === undefined ? [404] : [],
      as: job,
    })
    return {
      items: recordsOf(body['items']),
      next: textOf(body['nextPageToken']) || undefined,
    }
  }
}

function sessionStateOf(answer: {
  status: number
  headers: Headers
  body: Record<string, unknown>
}): SessionState | undefined {
  if (answer.status === 404 || answer.status === 410) return undefined
  if (answer.status === 308) {
    const last = /bytes=0-(\d+)/.exec(answer.headers.get('range') ?? '')?.[1]
    return { stored: last === undefined ? 0 : Number(last) + 1 }
  }
  const videoId = textOf(answer.body['id'])
  if (!videoId) throw networkError('youtube', 'no_video_id', { class: 'unknown' })
  return { videoId, privacy: textOf(record(answer.body['status'])?.['privacyStatus']) }
}

/** Explains `failureReason` and `rejectionReason` to the artist. */
const reasons: Record<string, string> = {
  claim: 'somebody claims rights to it',
  codec: 'its encoding is not supported',
  copyright: 'it contains copyrighted material',
  conversion: 'it could not be converted',
  duplicate: 'the same video is there already',
  emptyFile: 'the file is empty',
  inappropriate: 'it goes against the community guidelines',
  invalidFile: 'the file is not a video',
  legal: 'for legal reasons',
  length: 'it is too long for this channel',
  termsOfUse: 'it goes against the terms of use',
  tooSmall: 'the file is too small',
  trademark: 'it contains a protected trademark',
  uploadAborted: 'the upload was interrupted',
  uploaderAccountClosed: 'the account is closed',
  uploaderAccountSuspended: 'the account is suspended',
}

/** Undefined while the upload has not failed. */
function failureOf(upload: string, reason: string) {
  if (!['failed', 'rejected', 'deleted'].includes(upload)) return undefined
  const why = reasons[reason] ?? reason
  const refused = `YouTube ${upload === 'failed' ? 'could not process' : 'rejected'} the video${why ? `: ${why}` : ''}.`
  return { code: `${upload}_${reason}`, message: upload === 'deleted' ? 'The video was deleted at YouTube.' : refused }
}

/** The last chunk is never empty, and a file of one chunk is sent whole by `publish`. */
function startOfLastChunk(total: number): number {
  return Math.floor((total - 1) / chunkBytes) * chunkBytes
}

function privacyOf(job: PublishJob): 'public' | 'unlisted' | 'private' {
  return job.options.youtube?.privacyStatus ?? 'public'
}

function isSameContent(job: PublishJob, other: Pick<PublishJob, 'title' | 'message'>): boolean {
  const [own, its] = [networkTexts('youtube', job, true), networkTexts('youtube', other, true)]
  return its.title === own.title && its.text.trim() === own.text.trim()
}

/** No video exists before the last byte, so a lost session is replaced unless the last byte may have been sent. */
function sessionGone(job: PublishJob): NetworkError {
  return job.unanswered > 0 || job.checkpoint['lastChunkSent'] === true
    ? networkError('youtube', 'session_gone', { class: 'unknown' })
    : uploadInvalid('youtube', 'session_gone')
}
