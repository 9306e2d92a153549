import { networkTexts } from '@flashsheet/contracts/posts/rules'
import {
  NetworkError,
  type ConfirmResult,
  type ConcurrentPublish,
  type PublishJob,
  type PublishMedia,
  type PublishResult,
} from '../adapter.ts'
import { findOwnPost, ambiguousMatch, type MatchingPost } from '../ambiguous-posts.ts'
import { isObjectMissing } from '../meta-errors.ts'
import { uploadInvalid, textOf } from '../refusal.ts'
import { answeredId, postsSince, messageOf, type Graph } from './graph.ts'
import { attachmentTargets } from './photos.ts'
import { confirmedBy, readVideo } from './video-state.ts'

/** Upload sessions and handles last about a day; younger ones are assumed to exist. */
const handleLifetimeMs = 20 * 3_600_000

/** Uploads the bytes and saves the handle that stands for them; nothing is visible on the page yet. */
export async function uploadForHandle(graph: Graph, job: PublishJob, video: PublishMedia): Promise<void> {
  const since = Date.parse(textOf(job.checkpoint['uploadSince']))
  if (job.now().getTime() - since > handleLifetimeMs) throw uploadInvalid('facebook', 'handle_old')
  if (textOf(job.checkpoint['handle'])) return
  try {
    await sendBytes(graph, job, video)
  } catch (error) {
    // For an upload session this error means that the session expired, not our access.
    if (!isObjectMissing(error)) throw error
    throw new NetworkError('retry', 'session_gone', error.message, { idsLapsed: true, cause: error })
  }
}

async function sendBytes(graph: Graph, job: PublishJob, video: PublishMedia): Promise<void> {
  let offset = 0
  const known = textOf(job.checkpoint['uploadId'])
  if (known) {
    offset = await graph.offset(job, known)
  } else {
    const body = await graph.write(job, `${graph.graph}/${graph.appId}/uploads`, {
      file_name: 'video.mp4',
      file_length: video.bytes,
      file_type: 'video/mp4',
    })
    await job.save({ uploadId: answeredId(body['id']), uploadSince: job.now().toISOString() })
  }
  const url = `${graph.graph}/${textOf(job.checkpoint['uploadId'])}`
  // Where all bytes arrived, but not the answer with the handle, a request at the end of the file returns it again.
  const body = await graph.upload(job, url, video, offset, { file_offset: String(offset) })
  await job.save({ handle: answeredId(body['h']) })
}

/** The irreversible call: creates a video from the handle. Each further call with the handle would create another. */
export async function publishByHandle(graph: Graph, job: PublishJob): Promise<PublishResult> {
  const body = await graph.write(
    job,
    `${graph.graph}/${job.pageId}/videos`,
    {
      title: networkTexts('facebook', job, true).title,
      description: messageOf(job),
      fbuploader_video_file_chunk: textOf(job.checkpoint['handle']),
      published: true,
    },
    job.assertLease,
  )
  return { state: 'accepted', remoteId: answeredId(body['id'], true), waitMs: 1000 }
}

/** After a lost answer the video is found by text and time once it is listed; the handle is never sent again. */
export async function confirmByHandle(graph: Graph, job: PublishJob): Promise<ConfirmResult> {
  let id = job.remoteId ?? textOf(job.checkpoint['foundId'])
  if (!id) {
    const found = await findOwnPost(job, await matchingPosts(graph, job), (other) => isSameContent(job, other))
    if (found === 'absent') return { state: 'absent', evidence: 'inconclusive', mayRepeat: false }
    if (found === 'later') return { state: 'working' }
    if (found === 'ambiguous' || !found.isUnambiguous) return { state: 'unclear', message: ambiguousMatch }
    id = found.id
    await job.save({ foundId: id })
  }
  const state = await readVideo(graph, job, id)
  if (state.kind === 'expired')
    return { state: 'failed', code: 'expired', message: 'Facebook lost this video.', retryable: true }
  // All bytes arrived before the publish call, so this state is outdated.
  if (state.kind === 'uploading' || state.kind === 'uploaded') return { state: 'working' }
  return confirmedBy(state, id, null)
}

/** Video posts of the page with our text, since the first call. The page's videos edge cannot be read. */
async function matchingPosts(graph: Graph, job: PublishJob): Promise<MatchingPost[]> {
  const matches: MatchingPost[] = []
  for await (const post of postsSince(graph, job, 'id,message,created_time,attachments{media_type,target{id}}')) {
    const id = attachmentTargets(post, 'video')[0]
    if (id && textOf(post['message']) === messageOf(job))
      matches.push({ id, at: Date.parse(textOf(post['created_time'])) || 0 })
  }
  return matches
}

function isSameContent(job: PublishJob, other: ConcurrentPublish): boolean {
  return other.checkpoint['way'] === 'video' && messageOf(other) === messageOf(job)
}
