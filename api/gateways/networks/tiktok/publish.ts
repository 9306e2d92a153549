import { searchStartMs } from '../ambiguous-posts.ts'
import { leastVisible, networkTexts } from '@flashsheet/contracts/posts/rules'
import type { TiktokCreatorInfo } from '@flashsheet/contracts/social/schema'
import { versionsInUse } from '../../../core/api-versions.ts'
import {
  NetworkError,
  pollGapMs,
  type ConfirmResult,
  type ListedPost,
  type NetworkContext,
  type PublishJob,
  type PublishMedia,
  type PublishSteps,
} from '../adapter.ts'
import { countedBytes } from '../counted-bytes.ts'
import { onlyVideo, refuseVideo } from '../video-limits.ts'
import {
  uploadInvalid,
  networkError,
  record,
  recordsOf,
  textOf,
  textsOf,
  retryLater,
  unlessRefused,
} from '../refusal.ts'
import { fetchCreatorInfo } from './creator-info.ts'
import { isPublishIdUnknown, tiktokBlocked } from './errors.ts'
import { tiktokEvidence } from './evidence.ts'

/** Within 5 MiB … 64 MB, which both readings of TikTok's "MB" allow; the last chunk includes the remainder. */
const chunkBytes = 10_485_760
/** Less than the hour that an upload address is valid. */
const uploadUrlMs = 55 * 60_000
/** TikTok's inits a minute per login; each needs a creator info request of its own (docs/networks/tiktok.md). */
const initsPerMinute = 6
/** How many pages of 20 videos are searched. */
const maxListPages = 20
const listedFields = 'id,title,video_description,create_time,share_url'

/**
 * Direct Post by FILE_UPLOAD: nothing is public before all bytes arrived, so `prepare` sends all chunks but the last,
 * and the last one is the irreversible call. The publish_id is known before the first byte.
 */
export function tiktokPublish(context: NetworkContext<'tiktok'>): PublishSteps {
  const { config, http } = context
  const call = async (job: PublishJob, path: string, json: unknown) => {
    const answer = await http.call({
      method: 'POST',
      url: `${config.hosts.api}/${versionsInUse.tiktok}${path}`,
      json,
      as: job,
    })
    return record(answer.body['data']) ?? {}
  }

  /** Undefined: TikTok does not know the publish id. */
  const statusOf = async (job: PublishJob): Promise<Record<string, unknown> | undefined> =>
    await unlessRefused(
      call(job, '/post/publish/status/fetch/', { publish_id: textOf(job.checkpoint['publishId']) }),
      isPublishIdUnknown,
    )

  /** Starts the upload in the login's turn. Returns the milliseconds to wait if there is no turn now; undefined once started. */
  const startUpload = async (job: PublishJob, video: PublishMedia): Promise<number | undefined> => {
    const turn = await job.acquireTurn('init', initsPerMinute)
    if ('waitMs' in turn) return turn.waitMs
    try {
      await init(job, video)
    } finally {
      await turn.end()
    }
    return undefined
  }

  const init = async (job: PublishJob, video: PublishMedia): Promise<void> => {
    const creator = await fetchCreatorInfo(context, job.accessToken)
    const options = optionsFor(job, creator, video)
    const { chunkSize, count } = planOf(video.bytes)
    const data = await call(job, '/post/publish/video/init/', {
      post_info: {
        title: networkTexts('tiktok', job, true).text,
        privacy_level: options.privacyLevel,
        disable_comment: !options.allowComment,
        disable_duet: !options.allowDuet,
        disable_stitch: !options.allowStitch,
        brand_content_toggle: options.brandedContent,
        brand_organic_toggle: options.yourBrand,
      },
      source_info: { source: 'FILE_UPLOAD', video_size: video.bytes, chunk_size: chunkSize, total_chunk_count: count },
    })
    const publishId = textOf(data['publish_id'])
    const uploadUrl = textOf(data['upload_url'])
    if (!publishId || !uploadUrl) throw retryLater('tiktok', 'no_publish_id')
    await job.save({
      publishId,
      uploadUrl,
      begunAt: job.now().toISOString(),
      total: video.bytes,
      stored: 0,
      username: creator.username,
      isPublic: options.privacyLevel === 'PUBLIC_TO_EVERYONE',
    })
  }

  /** Sends one chunk; returns how many bytes TikTok has afterwards. Undefined: the address is invalid. */
  const sendChunk = async (
    job: PublishJob,
    video: PublishMedia,
    start: number,
    end: number,
    assertLease?: () => Promise<void>,
  ): Promise<number | undefined> => {
    const answer = await http.call({
      method: 'PUT',
      url: textOf(job.checkpoint['uploadUrl']),
      headers: { 'content-type': video.mimeType, 'content-range': `bytes ${start}-${end}/${video.bytes}` },
      stream: countedBytes(job, video, start, end),
      irreversible: assertLease,
      // The request carries no token, so these statuses concern the address and not the login.
      accept: [401, 403, 404, 410, 416],
      signal: job.signal,
    })
    // A range error names the stored bytes, where the upload resumes.
    if (answer.status === 416) return storedBytes(answer.headers.get('content-range'))
    if (answer.status >= 400) return undefined
    if (assertLease && answer.status !== 201)
      throw networkError('tiktok', `http_${answer.status}`, { class: 'unknown' })
    return end + 1
  }

  return {
    shortestPollGapMs: pollGapMs(5_000, config),
    longestPollGapMs: 60_000,
    evidenceOf: () => tiktokEvidence,

    async prepare(job) {
      const video = await onlyVideo('tiktok', job)
      if (!textOf(job.checkpoint['publishId'])) {
        const waitMs = await startUpload(job, video)
        if (waitMs !== undefined) return { state: 'queued', waitMs }
      }
      if (isUploadUrlExpired(job)) throw uploadInvalid('tiktok', 'upload_url_expired')
      if (Number(job.checkpoint['total']) !== video.bytes) throw uploadInvalid('tiktok', 'other_file')
      const { lastStart } = planOf(video.bytes)
      let stored = Number(job.checkpoint['stored'] ?? 0)
      while (stored < lastStart) {
        const arrived = await sendChunk(job, video, stored, stored + chunkBytes - 1)
        if (arrived === undefined) throw uploadInvalid('tiktok', 'upload_url_gone')
        const hasProgressed = arrived > stored
        stored = arrived
        await job.save({ stored })
        // TikTok refused the offset that it had named itself: wait instead of sending in a loop.
        if (!hasProgressed) throw retryLater('tiktok', 'chunk_refused')
      }
      return { state: 'ready' }
    },

    async publish(job) {
      const video = await onlyVideo('tiktok', job)
      const { lastStart } = planOf(video.bytes)
      const arrived = await sendChunk(job, video, lastStart, video.bytes - 1, job.assertLease)
      if (arrived === video.bytes) {
        job.saveLater({ isSent: true })
        return { state: 'accepted', remoteId: null, waitMs: 0 }
      }
      if (arrived === undefined) {
        // A completed upload answers the same: this attempt or an earlier one may have arrived.
        await job.save({ isSpent: true })
        throw networkError('tiktok', 'upload_url_gone', { class: 'unknown' })
      }
      // A range error means that this chunk was not stored.
      await job.save({ stored: arrived })
      throw retryLater('tiktok', 'last_chunk_refused')
    },

    async confirm(job): Promise<ConfirmResult> {
      const data = await statusOf(job)
      // An unknown publish id proves neither that no post exists nor that the login is lost.
      if (data === undefined) return { state: 'absent', evidence: 'inconclusive', mayRepeat: false }
      const status = textOf(data['status'])
      if (status === 'PUBLISH_COMPLETE') {
        const id = publicId(data)
        return { state: 'posted', remoteId: id || null, permalink: id ? permalinkOf(job, id) : null }
      }
      if (status === 'FAILED') return failedResult(textOf(data['fail_reason']))
      if (status === 'SEND_TO_USER_INBOX') return failedResult('sent_to_inbox')
      const total = Number(job.checkpoint['total'])
      const counted = Number(data['uploaded_bytes'] ?? 0)
      // TikTok has all bytes, even if its status does not show them yet.
      if (job.checkpoint['isSent'] === true || status !== 'PROCESSING_UPLOAD' || counted >= total)
        return { state: 'working' }
      // Counted bytes are never sent again.
      const mayRepeat =
        job.checkpoint['isSpent'] !== true && !isUploadUrlExpired(job) && counted <= planOf(total).lastStart
      return { state: 'absent', evidence: 'inconclusive', mayRepeat }
    },

    /** Public videos only, newest first (docs/networks/tiktok.md). */
    async *listPosts(job): AsyncGenerator<ListedPost> {
      const since = searchStartMs(job)
      let cursor: unknown
      for (let page = 0; page < maxListPages; page++) {
        const data = await call(job, `/video/list/?fields=${listedFields}`, {
          max_count: 20,
          ...(typeof cursor === 'number' ? { cursor } : {}),
        })
        for (const video of recordsOf(data['videos'])) {
          const [id, at] = [textOf(video['id']), Number(video['create_time']) * 1000]
          if (at < since) return
          if (id)
            yield {
              id,
              otherIds: [],
              at: new Date(at),
              text: textOf(video['video_description']) || textOf(video['title']),
              permalink: textOf(video['share_url']) || permalinkOf(job, id),
            }
        }
        cursor = data['cursor']
        if (data['has_more'] !== true) return
      }
      throw retryLater('tiktok', 'list_too_long')
    },

    link: async (job, remoteId) => await Promise.resolve(permalinkOf(job, remoteId)),

    /** A public post gets its id after moderation, sometimes hours later; others get none. */
    async reconcilePosted(job, remoteId) {
      if (remoteId !== null || job.checkpoint['isPublic'] === false) return { state: 'settled' }
      const data = await statusOf(job)
      const id = data === undefined ? '' : publicId(data)
      return id ? { state: 'settled', remoteId: id, permalink: permalinkOf(job, id) } : { state: 'working' }
    },
  }
}

function isUploadUrlExpired(job: PublishJob): boolean {
  return job.now().getTime() - Date.parse(textOf(job.checkpoint['begunAt'])) > uploadUrlMs
}

/** The field is misspelled by TikTok. Of several ids the first is ours. */
function publicId(data: Record<string, unknown>): string {
  return textsOf(data['publicaly_available_post_id'])[0] ?? ''
}

function permalinkOf(job: PublishJob, id: string): string | null {
  const username = textOf(job.checkpoint['username']) || job.pageUsername
  return username ? `https://www.tiktok.com/@${username}/video/${id}` : null
}

/** `total_chunk_count = floor(size / chunk)`: the last chunk is up to twice as long as the others. */
function planOf(bytes: number) {
  if (bytes < chunkBytes) return { chunkSize: bytes, count: 1, lastStart: 0 }
  const count = Math.floor(bytes / chunkBytes)
  return { chunkSize: chunkBytes, count, lastStart: (count - 1) * chunkBytes }
}

/** The artist's choices, checked against the creator's current options. Throws NetworkError. */
function optionsFor(job: PublishJob, creator: TiktokCreatorInfo, video: PublishMedia) {
  if (creator.blocked !== null) {
    if (creator.blocked === tiktokBlocked['spam_risk_user_banned_from_posting'])
      throw new NetworkError('permanent', 'creator_banned', creator.blocked)
    throw new NetworkError('later', 'creator_blocked', creator.blocked, {
      retryAt: new Date(job.now().getTime() + 24 * 3_600_000),
    })
  }
  refuseVideo('tiktok', video)
  if (creator.maxVideoSeconds > 0 && (video.durationMs ?? 0) > creator.maxVideoSeconds * 1000) {
    throw new NetworkError(
      'permanent',
      'duration',
      `TikTok: this account takes videos of up to ${creator.maxVideoSeconds} seconds.`,
    )
  }
  const chosen = job.options.tiktok
  const privacyLevel = chosen?.privacyLevel ?? leastVisible(creator.privacyLevels)
  if (!creator.privacyLevels.includes(privacyLevel)) {
    throw new NetworkError(
      'permanent',
      'privacy_level_option_mismatch',
      'TikTok: this account no longer offers the chosen privacy. Please choose again.',
    )
  }
  return {
    privacyLevel,
    allowComment: (chosen?.allowComment ?? false) && !creator.commentDisabled,
    allowDuet: (chosen?.allowDuet ?? false) && !creator.duetDisabled,
    allowStitch: (chosen?.allowStitch ?? false) && !creator.stitchDisabled,
    yourBrand: chosen?.yourBrand ?? false,
    brandedContent: chosen?.brandedContent ?? false,
  }
}

const failSentences: Record<string, string> = {
  file_format_check_failed: 'TikTok does not take this video format.',
  duration_check_failed: 'TikTok does not take a video of this length.',
  frame_rate_check_failed: 'TikTok takes 23 to 60 frames a second.',
  picture_size_check_failed: 'TikTok takes videos of 360 to 4096 pixels a side.',
  auth_removed: 'TikTok no longer lets us in. Please connect the account again.',
  publish_cancelled: 'The post was cancelled at TikTok.',
  sent_to_inbox: 'TikTok put the video into your inbox instead of posting it. Finish it in the TikTok app.',
}

/** FAILED means that nothing was published, so a new upload is safe where the reason is temporary. */
function failedResult(reason: string): ConfirmResult {
  // `auth_removed` is retried: with a new token the upload succeeds, with a revoked one TikTok refuses it.
  const retryable = ['internal', 'video_pull_failed', 'photo_pull_failed', 'auth_removed'].includes(reason)
  const spam = reason.startsWith('spam_risk') ? 'TikTok refused the video as spam.' : undefined
  const message = failSentences[reason] ?? tiktokBlocked[reason] ?? spam ?? 'TikTok could not publish the video.'
  return {
    state: 'failed',
    code: reason || 'failed',
    message,
    retryable,
    ...(reason === 'sent_to_inbox' ? { leftBehind: 'inbox' as const } : {}),
  }
}

function storedBytes(contentRange: string | null): number {
  const last = /bytes 0-(\d+)/.exec(contentRange ?? '')?.[1]
  return last === undefined ? 0 : Number(last) + 1
}
