import { networkTexts } from '@flashsheet/contracts/posts/rules'
import { NetworkError, type ConfirmResult, type PublishJob, type PublishMedia, type PublishResult } from '../adapter.ts'
import { countedBytes } from '../counted-bytes.ts'
import { isObjectMissing } from '../meta-errors.ts'
import { record, uploadInvalid, textOf, retryLater } from '../refusal.ts'
import { answeredId, assertSucceeded, messageOf, type Graph } from './graph.ts'
import { confirmByHandle, publishByHandle, uploadForHandle } from './video-handles.ts'
import { confirmedBy, readVideo } from './video-state.ts'

/** Upload sessions last about a day; younger ones are assumed to exist. */
const sessionLifetimeMs = 20 * 3_600_000
/** Facebook expects another chunk; the error data has its offsets. */
const wrongOffset = /\b1363037\b/

/** Whether this video is uploaded for a handle, because the page refuses `upload_phase` or an older version began it. */
export function usesHandle(checkpoint: Readonly<Record<string, unknown>>): boolean {
  return checkpoint['byHandle'] === true || checkpoint['uploadId'] !== undefined
}

/** Uploads the bytes of a video whose id is known from the start; nothing is visible on the page yet. */
export async function uploadVideo(graph: Graph, job: PublishJob, video: PublishMedia): Promise<void> {
  if (usesHandle(job.checkpoint)) return await uploadForHandle(graph, job, video)
  const age = job.now().getTime() - Date.parse(textOf(job.checkpoint['uploadSince']))
  if (age > sessionLifetimeMs && job.unanswered === 0) throw uploadInvalid('facebook', 'session_old')
  if (!textOf(job.checkpoint['session']) && !(await startSession(graph, job, video)))
    return await uploadForHandle(graph, job, video)
  while (Number(job.checkpoint['from']) < video.bytes) await sendChunk(graph, job, video)
}

/** Starts an upload session. False: the page accepts no `upload_phase`. */
async function startSession(graph: Graph, job: PublishJob, video: PublishMedia): Promise<boolean> {
  try {
    const body = await graph.write(job, videosOf(graph, job), { upload_phase: 'start', file_size: video.bytes })
    const window = windowOf(body)
    if (!window) throw retryLater('facebook', 'no_window')
    await job.save({
      videoId: answeredId(body['video_id']),
      session: answeredId(body['upload_session_id']),
      uploadSince: job.now().toISOString(),
      ...window,
    })
    return true
  } catch (error) {
    if (!(error instanceof NetworkError) || error.class !== 'permanent') throw error
    await job.save({ byHandle: true })
    return false
  }
}

async function sendChunk(graph: Graph, job: PublishJob, video: PublishMedia): Promise<void> {
  const from = Number(job.checkpoint['from'])
  const end = Math.min(Number(job.checkpoint['to']), video.bytes)
  try {
    const { body } = await graph.http.call({
      method: 'POST',
      url: videosOf(graph, job),
      as: graph.asPage(job),
      formFile: {
        fields: {
          upload_phase: 'transfer',
          upload_session_id: textOf(job.checkpoint['session']),
          start_offset: String(from),
        },
        name: 'video_file_chunk',
        fileName: 'video.mp4',
        type: 'application/octet-stream',
        ...countedBytes(job, video, from, end - 1),
      },
    })
    await saveWindow(job, windowOf(body), from)
  } catch (error) {
    // The session expired. After an unanswered publish call its ids stay, since only `confirm` may decide.
    if (isObjectMissing(error))
      throw new NetworkError('retry', 'session_gone', error.message, { idsLapsed: job.unanswered === 0, cause: error })
    const expected =
      error instanceof NetworkError && wrongOffset.test(error.code) && error.cause instanceof Error
        ? windowOf(record(error.cause.cause))
        : undefined
    if (!expected) throw error
    await saveWindow(job, expected, from)
  }
}

/** Saves which bytes Facebook expects next. Throws `retry` instead of looping if it asks for the same chunk again. */
async function saveWindow(
  job: PublishJob,
  window: { from: number; to: number } | undefined,
  sentFrom: number,
): Promise<void> {
  if (!window || window.from <= sentFrom) throw retryLater('facebook', 'chunk_not_kept')
  await job.save(window)
}

function windowOf(body: Record<string, unknown> | undefined): { from: number; to: number } | undefined {
  const [from, to] = [Number(body?.['start_offset']), Number(body?.['end_offset'])]
  return Number.isInteger(from) && Number.isInteger(to) ? { from, to } : undefined
}

/** The irreversible call: `finish`. Repeating it for the same session changes nothing for a public video. */
export async function publishVideo(graph: Graph, job: PublishJob): Promise<PublishResult> {
  if (usesHandle(job.checkpoint)) return await publishByHandle(graph, job)
  const videoId = textOf(job.checkpoint['videoId'])
  const finish = {
    upload_phase: 'finish',
    upload_session_id: textOf(job.checkpoint['session']),
    title: networkTexts('facebook', job, true).title,
    description: messageOf(job),
    published: true,
  }
  assertSucceeded(await graph.write(job, videosOf(graph, job), finish, job.assertLease))
  return { state: 'accepted', remoteId: videoId, waitMs: 1000 }
}

export async function confirmVideo(graph: Graph, job: PublishJob): Promise<ConfirmResult> {
  if (usesHandle(job.checkpoint)) return await confirmByHandle(graph, job)
  const videoId = textOf(job.checkpoint['videoId'])
  return confirmedBy(await readVideo(graph, job, videoId), videoId, null)
}

function videosOf(graph: Graph, job: PublishJob): string {
  return `${graph.graph}/${job.pageId}/videos`
}
