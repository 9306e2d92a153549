import { NetworkError, type PublishJob, type PublishMedia } from '../adapter.ts'
import { countedStream } from '../counted-stream.ts'
import { refuseVideo } from '../video-limits.ts'
import { lapsed, record, recordsOf, textOf, textsOf, retryLater, bearer } from '../refusal.ts'
import type { LinkedinCalls } from './calls.ts'

/** An upload that still reads waiting this long after it ended was lost (10 min of polling). */
const lostAfterMs = 10 * 60_000

/** Said of the address itself; whether the log-in still holds is said where the new upload begins. */
const urlGone = [401, 403, 404, 410]

type Part = { uploadUrl: string; firstByte: number; lastByte: number }

/** Uploads every picture once; an image's URN is saved before its bytes are sent (docs/networks/linkedin.md). */
export async function uploadImages(calls: LinkedinCalls, job: PublishJob): Promise<void> {
  const images = await job.media()
  const urns = textsOf(job.checkpoint['images'])
  let sent = Number(job.checkpoint['sent'] ?? 0)
  for (const image of images.slice(sent)) {
    let mayBeThere = true
    if (urns.length === sent) {
      const begun = await calls.act(job, '/images?action=initializeUpload', {
        initializeUploadRequest: { owner: calls.owner(job) },
      })
      const urn = textOf(begun['image'])
      const uploadUrl = textOf(begun['uploadUrl'])
      if (!urn || !uploadUrl) throw retryLater('linkedin', 'no_image_urn')
      urns.push(urn)
      await job.save({ images: [...urns], uploadUrl })
      mayBeThere = false
    }
    // A second upload is refused, and the answer to the first may have been lost: the image's status decides.
    const isThere =
      mayBeThere && !['WAITING_UPLOAD', ''].includes((await readStatus(calls, job, 'images', urns[sent] ?? '')).status)
    if (!isThere) {
      const { status } = await calls.http.call({
        method: 'PUT',
        url: textOf(job.checkpoint['uploadUrl']),
        headers: { ...bearer(job.accessToken), 'content-type': 'application/octet-stream' },
        stream: { open: async () => await image.open(), length: image.bytes },
        accept: urlGone,
        signal: job.signal,
      })
      if (urlGone.includes(status)) throw lapsed('linkedin', 'upload_url_gone')
    }
    sent += 1
    await job.save({ sent, sentAt: job.now().toISOString() })
    await job.progress(Math.round((sent / images.length) * 100))
  }
}

/** Uploads a video part by part and finalizes it; returns its URN. */
export async function uploadVideo(calls: LinkedinCalls, job: PublishJob, video: PublishMedia): Promise<string> {
  if (!textOf(job.checkpoint['video'])) await beginVideo(calls, job, video)
  const urn = textOf(job.checkpoint['video'])
  if (textOf(job.checkpoint['sentAt'])) return urn
  if (Number(job.checkpoint['total']) !== video.bytes) throw lapsed('linkedin', 'other_file')
  const etags = textsOf(job.checkpoint['etags'])
  for (const part of readParts(job.checkpoint['parts']).slice(etags.length)) {
    // The address needs no Authorization, no version header, and a plain length.
    const answer = await calls.http.call({
      method: 'PUT',
      url: part.uploadUrl,
      headers: { 'content-type': 'application/octet-stream' },
      stream: {
        open: async () => await countedStream(job, video, part.firstByte, part.lastByte),
        length: part.lastByte - part.firstByte + 1,
      },
      accept: urlGone,
      signal: job.signal,
    })
    if (urlGone.includes(answer.status)) throw lapsed('linkedin', 'upload_url_gone')
    const etag = (answer.headers.get('etag') ?? '').replace(/^"|"$/g, '')
    if (!etag) throw retryLater('linkedin', 'no_etag')
    etags.push(etag)
    await job.save({ etags: [...etags] })
  }
  await finalize(calls, job, urn, etags)
  await job.save({ sentAt: job.now().toISOString() })
  return urn
}

async function beginVideo(calls: LinkedinCalls, job: PublishJob, video: PublishMedia): Promise<void> {
  refuseVideo('linkedin', video)
  const begun = await calls.act(job, '/videos?action=initializeUpload', {
    initializeUploadRequest: {
      owner: calls.owner(job),
      fileSizeBytes: video.bytes,
      uploadCaptions: false,
      uploadThumbnail: false,
    },
  })
  const urn = textOf(begun['video'])
  if (!urn || readParts(begun['uploadInstructions']).length === 0) throw retryLater('linkedin', 'no_video_urn')
  await job.save({
    video: urn,
    uploadToken: textOf(begun['uploadToken']),
    parts: begun['uploadInstructions'],
    etags: [],
    total: video.bytes,
  })
}

/** A second finalize is refused, and the answer to the first may have been lost: then the video's status decides. */
async function finalize(calls: LinkedinCalls, job: PublishJob, urn: string, etags: readonly string[]): Promise<void> {
  const isRepeat = job.checkpoint['finalizing'] === true
  if (isRepeat && (await readStatus(calls, job, 'videos', urn)).status !== 'WAITING_UPLOAD') return
  if (!isRepeat) await job.save({ finalizing: true })
  try {
    await calls.act(job, '/videos?action=finalizeUpload', {
      finalizeUploadRequest: { video: urn, uploadToken: textOf(job.checkpoint['uploadToken']), uploadedPartIds: etags },
    })
  } catch (error) {
    if (!isOfUpload(error)) throw error
    // The status may lag behind a first one that succeeded; if none did, `isAvailable` finds out.
    if (isRepeat) return
    // LinkedIn refuses a lost upload as a wrong one: its status is waiting for bytes, or unknown.
    if (['WAITING_UPLOAD', ''].includes((await readStatus(calls, job, 'videos', urn)).status))
      throw lapsed('linkedin', 'upload_lost')
    throw error
  }
}

/** Refused for what it names, and not for who asks: a 403 of an upload says nothing of the log-in. */
function isOfUpload(error: unknown): error is NetworkError {
  return (
    error instanceof NetworkError && (error.class === 'permanent' || ['ACCESS_DENIED', 'http_403'].includes(error.code))
  )
}

/**
 * Whether an uploaded image or video may be posted. Throws when LinkedIn could not process it (permanent) or lost the
 * upload (prepare starts again). Where the status may not be read, waits a fixed time.
 */
export async function isAvailable(
  calls: LinkedinCalls,
  job: PublishJob,
  kind: 'images' | 'videos',
  urn: string,
  bytes: number,
): Promise<boolean> {
  const { status, reason } = await readStatus(calls, job, kind, urn)
  const age = job.now().getTime() - Date.parse(textOf(job.checkpoint['sentAt']))
  if (status === '') return age >= 10_000 + bytes / 1000
  if (status === 'WAITING_UPLOAD' && age >= lostAfterMs) throw lapsed('linkedin', 'upload_lost')
  if (status === 'PROCESSING_FAILED') {
    throw new NetworkError(
      'permanent',
      `processing_failed ${reason}`.trim(),
      `LinkedIn could not process this ${kind === 'videos' ? 'video' : 'picture'}.`,
    )
  }
  return status === 'AVAILABLE'
}

/** `status` is '' where it may not be read (403) or is not known yet (404). */
async function readStatus(
  calls: LinkedinCalls,
  job: PublishJob,
  kind: 'images' | 'videos',
  urn: string,
): Promise<{ status: string; reason: string }> {
  const answer = await calls.http.call({
    method: 'GET',
    url: `${calls.rest}/${kind}/${encodeURIComponent(urn)}`,
    headers: calls.headers(job),
    accept: [403, 404],
    signal: job.signal,
  })
  if (answer.status !== 200) return { status: '', reason: '' }
  const body = record(answer.body)
  return { status: textOf(body?.['status']), reason: textOf(body?.['processingFailureReason']) }
}

function readParts(value: unknown): Part[] {
  return recordsOf(value).map((part) => ({
    uploadUrl: textOf(part['uploadUrl']),
    firstByte: Number(part['firstByte']),
    lastByte: Number(part['lastByte']),
  }))
}
