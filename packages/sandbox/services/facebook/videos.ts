import { Hono } from 'hono'
import type { Context } from 'hono'
import { applyDelays } from '../../delays.ts'
import type { PublishedMedia, SandboxContext } from '../../context.ts'
import { fetchMedia } from '../meta/fetch-media.ts'
import { scriptedFailure } from '../meta/faults.ts'
import { badParameter, GraphError, graphRoute, type Params, readParams } from '../meta/graph.ts'
import { caller, publishingPage, usageHeaders } from './access.ts'
import { newVideo, publishVideo } from './publish-video.ts'
import { brokenUpload, videoFailed } from './refusals.ts'
import { facebook } from './state.ts'
import { threePhaseUpload } from './three-phase-upload.ts'

const videoBytes = 1_879_048_192

/** `POST /{page}/videos` on graph.facebook.com and graph-video.facebook.com (docs/networks/facebook.md). */
export function facebookVideos(sandbox: SandboxContext): Hono {
  const app = new Hono()
  app.post(
    '/:id/videos',
    graphRoute((c) => addVideo(c, sandbox)),
  )
  return app
}

async function addVideo(c: Context, sandbox: SandboxContext): Promise<Response> {
  const params = await readParams(c)
  const who = caller(c, sandbox, params)
  const page = publishingPage(sandbox, who, c.req.param('id') ?? '')
  usageHeaders(c, page.id)
  const phase = params.text('upload_phase')
  const url = params.text('file_url')
  if (phase !== undefined) {
    if (url !== undefined) throw badParameter('param file_url cannot be used together with upload_phase')
    return c.json(await threePhaseUpload(c, sandbox, who, page, phase, params))
  }
  const media = await givenVideo(sandbox, params, url)
  const video = newVideo(sandbox, page, 'videos', params)
  video.size = media.bytes
  video.media = media
  video.refusal = scriptedFailure(c, videoFailed) ?? video.refusal
  applyDelays(c, video)
  await publishVideo(sandbox, video, params)
  return c.json({ id: video.id })
}

async function givenVideo(sandbox: SandboxContext, params: Params, url: string | undefined): Promise<PublishedMedia> {
  const file = params.file('source')
  if (file) return sandbox.storeBlob(file.stream())
  if (url !== undefined) {
    const fetched = await fetchMedia(sandbox, url, { redirects: true, limit: videoBytes })
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
