import type { Context } from 'hono'
import { serialize } from '../../request-body.ts'
import { applyDelays, faulted } from '../../request-faults.ts'
import type { SandboxContext } from '../../context.ts'
import { badParameter, GraphError, type Params } from '../meta/graph.ts'
import { newVideo, publishVideo } from './publish-video.ts'
import { brokenUpload, faultVideo } from './refusals.ts'
import { facebook, type FacebookPage, type FacebookUpload } from './state.ts'
import { deleteUpload, openUpload, partName } from './uploads.ts'

/** The older `upload_phase=start|transfer|finish` of `/{page}/videos`, still in the reference (docs/networks/facebook.md). */
export async function threePhaseUpload(
  c: Context,
  sandbox: SandboxContext,
  page: FacebookPage,
  phase: string,
  params: Params,
): Promise<Record<string, unknown>> {
  const state = facebook(sandbox)
  if (phase === 'start') {
    const size = Number(params.text('file_size'))
    if (!Number.isInteger(size) || size < 1) throw badParameter('param file_size must be the size of the file in bytes')
    const video = newVideo(sandbox, page, 'videos', params)
    video.size = size
    applyDelays(c, video)
    const upload = openUpload(sandbox, size, video.id)
    return { upload_session_id: upload.id, video_id: video.id, ...nextWindow(upload, 0) }
  }
  const upload = state.uploads[params.text('upload_session_id') ?? '']
  const video = state.videos[upload?.videoId ?? '']
  if (upload && faulted(c, 'lose-session')) deleteUpload(sandbox, upload)
  if (!upload || !video || upload.lost || video.pageId !== page.id) throw brokenUpload()
  const parts = sandbox.parts(partName(upload))
  return serialize(`facebook ${upload.id}`, async () => {
    if (phase === 'transfer') {
      const chunk = params.file('video_file_chunk')
      if (!chunk) throw badParameter('The parameter video_file_chunk is required')
      if (Number(params.text('start_offset')) !== parts.size()) throw wrongOffset(nextWindow(upload, parts.size()))
      const size = await parts.write(chunk.stream(), parts.size())
      if (size <= upload.length) return nextWindow(upload, size)
      deleteUpload(sandbox, upload)
      throw brokenUpload()
    }
    if (phase !== 'finish') throw badParameter('param upload_phase must be one of {START, TRANSFER, FINISH, CANCEL}')
    if (video.state !== 'uploading') return { success: true }
    if (parts.size() !== upload.length) throw brokenUpload()
    video.media = await parts.finish()
    video.title = params.text('title') ?? video.title
    video.description = params.text('description') ?? video.description
    faultVideo(c, video)
    applyDelays(c, video)
    await publishVideo(sandbox, video, params)
    return { success: true }
  })
}

const chunkBytes = 4 * 1024 * 1024

function nextWindow(upload: FacebookUpload, from: number): { start_offset: string; end_offset: string } {
  return { start_offset: String(from), end_offset: String(Math.min(from + chunkBytes, upload.length)) }
}

function wrongOffset(expected: { start_offset: string; end_offset: string }): GraphError {
  const message = `There was a problem uploading your video. Please try again. The next chunk starts at ${expected.start_offset}.`
  return new GraphError(6001, {
    message,
    subcode: 1363037,
    data: expected,
    userTitle: 'Error Uploading Video',
    userMessage: 'There was a problem uploading your video. Please try uploading it again.',
  })
}
