import { networkTexts } from '@flashsheet/contracts/posts/rules'
import { NetworkError, type ConfirmResult, type PublishJob, type PublishMedia, type PublishResult } from '../adapter.ts'
import { uploadInvalid, textOf, retryLater } from '../refusal.ts'
import { answeredId, assertSucceeded, messageOf, type Graph } from './graph.ts'
import { confirmedBy, readVideo } from './video-state.ts'

/** Opens an upload and sends the bytes, resuming an earlier attempt. Nothing is public before `finish`. */
export async function uploadReel(graph: Graph, job: PublishJob, video: PublishMedia): Promise<void> {
  if (job.checkpoint['uploaded'] === true) return
  let offset = 0
  if (textOf(job.checkpoint['videoId'])) {
    const state = await readVideo(graph, job, textOf(job.checkpoint['videoId']))
    if (state.kind === 'expired' || state.kind === 'error' || state.kind === 'gone')
      throw uploadInvalid('facebook', `reel_${state.kind}`)
    if (state.kind !== 'uploading') return job.saveLater({ uploaded: true })
    offset = state.bytes
  } else {
    const body = await graph.write(job, `${graph.graph}/${job.pageId}/video_reels`, { upload_phase: 'start' })
    await job.save({ videoId: answeredId(body['video_id']), uploadUrl: answeredId(body['upload_url']) })
  }
  await sendBytes(graph, job, video, offset)
  job.saveLater({ uploaded: true })
}

async function sendBytes(graph: Graph, job: PublishJob, video: PublishMedia, offset: number): Promise<void> {
  try {
    const headers = { offset: String(offset), file_size: String(video.bytes) }
    const body = await graph.upload(job, textOf(job.checkpoint['uploadUrl']), video, offset, headers)
    if (body['success'] !== true) throw retryLater('facebook', 'upload_not_taken')
  } catch (error) {
    // This code means an unusable file or an expired upload; the video's status tells which.
    if (!(error instanceof NetworkError) || error.code !== 'ProcessingFailedError') throw error
    if ((await readVideo(graph, job, textOf(job.checkpoint['videoId']))).kind !== 'expired') throw error
    throw new NetworkError('retry', 'reel_expired', error.message, { idsLapsed: true, cause: error })
  }
}

/** The irreversible call: `finish`. Repeating it for the same video changes nothing. */
export async function publishReel(graph: Graph, job: PublishJob): Promise<PublishResult> {
  const videoId = textOf(job.checkpoint['videoId'])
  const body = await graph.write(
    job,
    `${graph.graph}/${job.pageId}/video_reels`,
    {
      upload_phase: 'finish',
      video_id: videoId,
      video_state: 'PUBLISHED',
      description: messageOf(job),
      title: networkTexts('facebook', job, true).title,
    },
    job.assertLease,
  )
  assertSucceeded(body)
  return { state: 'accepted', remoteId: videoId, waitMs: 1000 }
}

export async function confirmReel(graph: Graph, job: PublishJob): Promise<ConfirmResult> {
  const videoId = textOf(job.checkpoint['videoId'])
  const state = await readVideo(graph, job, videoId)
  // A draft before `finish` was answered: most likely `finish` never arrived.
  if (state.kind === 'draft' && job.remoteId === null)
    return { state: 'absent', evidence: 'inconclusive', mayRepeat: true }
  return confirmedBy(state, videoId, `https://www.facebook.com/reel/${videoId}`)
}
