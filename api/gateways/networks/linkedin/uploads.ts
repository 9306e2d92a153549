import { NetworkError, type PublishJob, type PublishMedia } from '../adapter.ts'
import { countedBytes } from '../counted-bytes.ts'
import { refuseVideo } from '../video-limits.ts'
import { uploadInvalid, recordsOf, textOf, textsOf, retryLater } from '../refusal.ts'
import type { LinkedinCalls } from './calls.ts'

/** An upload whose status is still WAITING_UPLOAD this long after its last byte was lost. */
const lostAfterMs = 10 * 60_000

/** These concern the upload address only. A lost login shows when the new upload begins. */
const invalidUrlStatuses = [401, 403, 404, 410]

type Part = { uploadUrl: string; firstByte: number; lastByte: number }

/** Uploads every picture once; an image's URN is saved before its bytes are sent (docs/networks/linkedin.md). */
export async function uploadImages(calls: LinkedinCalls, job: PublishJob): Promise<void> {
  const images = await job.media()
  const urns = textsOf(job.checkpoint['images'])
  let sent = Number(job.checkpoint['sent'] ?? 0)
  for (const image of images.slice(sent)) {
    const isNew = urns.length === sent
    if (isNew) {
      const upload = await calls.act(job, '/images?action=initializeUpload', {
        initializeUploadRequest: { owner: calls.owner(job) },
      })
      const urn = textOf(upload['image'])
      const uploadUrl = textOf(upload['uploadUrl'])
      if (!urn || !uploadUrl) throw retryLater('linkedin', 'no_image_urn')
      urns.push(urn)
      await job.save({ images: [...urns], uploadUrl })
    }
    // The answer to an earlier upload may have been lost, and a second one is refused, so the image's status decides.
    if (isNew || (await isMissing(calls, job, 'images', urns[sent] ?? ''))) {
      const { status } = await calls.http.call({
        method: 'PUT',
        url: textOf(job.checkpoint['uploadUrl']),
        headers: { 'content-type': 'application/octet-stream' },
        stream: { open: async () => await image.open(), length: image.bytes },
        accept: invalidUrlStatuses,
        as: job,
      })
      if (invalidUrlStatuses.includes(status)) throw uploadInvalid('linkedin', 'upload_url_gone')
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
  if (Number(job.checkpoint['total']) !== video.bytes) throw uploadInvalid('linkedin', 'other_file')
  const etags = textsOf(job.checkpoint['etags'])
  for (const part of readParts(job.checkpoint['parts']).slice(etags.length)) {
    // The address accepts neither Authorization nor the version header.
    const answer = await calls.http.call({
      method: 'PUT',
      url: part.uploadUrl,
      headers: { 'content-type': 'application/octet-stream' },
      stream: countedBytes(job, video, part.firstByte, part.lastByte),
      accept: invalidUrlStatuses,
      signal: job.signal,
    })
    if (invalidUrlStatuses.includes(answer.status)) throw uploadInvalid('linkedin', 'upload_url_gone')
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
  const upload = await calls.act(job, '/videos?action=initializeUpload', {
    initializeUploadRequest: {
      owner: calls.owner(job),
      fileSizeBytes: video.bytes,
      uploadCaptions: false,
      uploadThumbnail: false,
    },
  })
  const urn = textOf(upload['video'])
  if (!urn || readParts(upload['uploadInstructions']).length === 0) throw retryLater('linkedin', 'no_video_urn')
  await job.save({
    video: urn,
    uploadToken: textOf(upload['uploadToken']),
    parts: upload['uploadInstructions'],
    etags: [],
    total: video.bytes,
  })
}

/** The answer to an earlier finalize may have been lost, and a second one is refused, so the video's status decides. */
async function finalize(calls: LinkedinCalls, job: PublishJob, urn: string, etags: readonly string[]): Promise<void> {
  const isRepeat = job.checkpoint['finalizing'] === true
  if (isRepeat && (await readStatus(calls, job, 'videos', urn)).status !== 'WAITING_UPLOAD') return
  if (!isRepeat) await job.save({ finalizing: true })
  try {
    await calls.act(job, '/videos?action=finalizeUpload', {
      finalizeUploadRequest: { video: urn, uploadToken: textOf(job.checkpoint['uploadToken']), uploadedPartIds: etags },
    })
  } catch (error) {
    if (!isUploadRefusal(error)) throw error
    // The status may lag behind an earlier finalize that succeeded. If none did, `isAvailable` detects it.
    if (isRepeat) return
    // LinkedIn refuses a lost upload like a wrong one; only its status differs.
    if (await isMissing(calls, job, 'videos', urn)) throw uploadInvalid('linkedin', 'upload_lost')
    throw error
  }
}

/** Whether a refusal concerns the upload rather than the login. LinkedIn also answers 403 for a missing upload. */
function isUploadRefusal(error: unknown): error is NetworkError {
  return (
    error instanceof NetworkError && (error.class === 'permanent' || ['ACCESS_DENIED', 'http_403'].includes(error.code))
  )
}

/**
 * Whether an uploaded image or video may be posted. Throws when LinkedIn could not process it (permanent) or lost the
 * upload (prepare starts again). If the status may not be read, the answer is false for ten
 * seconds and one more for each megabyte.
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
  if (status === 'WAITING_UPLOAD' && age >= lostAfterMs) throw uploadInvalid('linkedin', 'upload_lost')
  if (status === 'PROCESSING_FAILED') {
    throw new NetworkError(
      'permanent',
      `processing_failed ${reason}`.trim(),
      `LinkedIn could not process this ${kind === 'videos' ? 'video' : 'picture'}.`,
    )
  }
  return status === 'AVAILABLE'
}

/** Whether LinkedIn does not say that it has the bytes. */
async function isMissing(calls: LinkedinCalls, job: PublishJob, kind: 'images' | 'videos', urn: string) {
  return ['WAITING_UPLOAD', ''].includes((await readStatus(calls, job, kind, urn)).status)
}

/** `status` is '' where it may not be read (403) or is not known yet (404). */
async function readStatus(
  calls: LinkedinCalls,
  job: PublishJob,
  kind: 'images' | 'videos',
  urn: string,
): Promise<{ status: string; reason: string }> {
  const path = `/${kind}/${encodeURIComponent(urn)}`
  const { status, body } = await calls.call(job, path, { method: 'GET', accept: [403, 404] })
  if (status !== 200) return { status: '', reason: '' }
  return { status: textOf(body['status']), reason: textOf(body['processingFailureReason']) }
}

function readParts(value: unknown): Part[] {
  return recordsOf(value).map((part) => ({
    uploadUrl: textOf(part['uploadUrl']),
    firstByte: Number(part['firstByte']),
    lastByte: Number(part['lastByte']),
  }))
}
