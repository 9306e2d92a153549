import { applyDelays } from '../../request-faults.ts'
import type { PublishedMedia, SandboxContext } from '../../context.ts'
import { fetchMedia } from '../meta/fetch-media.ts'
import { type GraphCall, graphCalls } from '../meta/graph-host.ts'
import { badParameter, GraphError, type Params } from '../meta/graph.ts'
import { caller, type Caller, publishingPage, pageUsage } from './access.ts'
import { newVideo, publishVideo } from './publish-video.ts'
import { brokenUpload, faultVideo } from './refusals.ts'
import { facebook } from './state.ts'
import { threePhaseUpload } from './three-phase-upload.ts'

const maxVideoBytes = 1_879_048_192

/** `POST /{page}/videos` on graph.facebook.com and graph-video.facebook.com (docs/networks/facebook.md). */
export const facebookVideos = graphCalls(caller, { 'POST /:id/videos': addVideo })

async function addVideo({ c, sandbox, params, id, who }: GraphCall<Caller>): Promise<Response> {
  const page = publishingPage(sandbox, who, id)
  pageUsage(c, page.id)
  const phase = params.text('upload_phase')
  const url = params.text('file_url')
  if (phase !== undefined) {
    if (url !== undefined) throw badParameter('param file_url cannot be used together with upload_phase')
    return c.json(await threePhaseUpload(c, sandbox, page, phase, params))
  }
  const media = await videoFrom(sandbox, params, url)
  const video = newVideo(sandbox, page, 'videos', params)
  video.size = media.bytes
  video.media = media
  faultVideo(c, video)
  applyDelays(c, video)
  await publishVideo(sandbox, video, params)
  return c.json({ id: video.id })
}

async function videoFrom(sandbox: SandboxContext, params: Params, url: string | undefined): Promise<PublishedMedia> {
  const file = params.file('source')
  if (file) return sandbox.storeBlob(file.stream())
  if (url !== undefined) {
    const fetched = await fetchMedia(sandbox, url, { redirects: true, limit: maxVideoBytes })
    if (fetched.ok) return fetched.media
    throw new GraphError(389, {
      message: '(#389) Unable to fetch video file from URL.',
      userTitle: 'Unable to fetch video',
      userMessage: fetched.why,
    })
  }
  const handle = params.text('fbuploader_video_file_chunk')
  if (handle === undefined) {
    const userMessage = 'No video file was selected. Please select a video file to upload.'
    throw new GraphError(100, {
      message: '(#100) No video file was selected',
      subcode: 1363026,
      userTitle: 'Video Upload Is Missing',
      userMessage,
    })
  }
  const state = facebook(sandbox)
  const upload = state.uploads[state.handles[handle]?.upload ?? '']
  if (!upload?.media || upload.lost) throw brokenUpload()
  return upload.media
}
