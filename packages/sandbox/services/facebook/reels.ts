import { applyDelays, faulted } from '../../request-faults.ts'
import type { MediaFacts } from '../../context.ts'
import { type GraphCall, graphCalls } from '../meta/graph-host.ts'
import { badParameter, missingObject, sinceMs } from '../meta/graph.ts'
import { caller, type Caller, publishingPage, pageUsage } from './access.ts'
import { process } from './processing.ts'
import { requireReelQuota, newVideo } from './publish-video.ts'
import { brokenUpload, faultVideo } from './refusals.ts'
import { facebook } from './state.ts'

const states = ['PUBLISHED', 'DRAFT', 'SCHEDULED'] as const

/**
 * `POST /{page}/video_reels`: start and finish (docs/networks/facebook.md). Between them the bytes are sent to
 * rupload.facebook.com.
 */
export const facebookReels = graphCalls(caller, { 'POST /:id/video_reels': reel })

function reel({ c, sandbox, params, id: pageId, who }: GraphCall<Caller>): Response {
  const page = publishingPage(sandbox, who, pageId)
  pageUsage(c, page.id)
  const phase = params.text('upload_phase')
  if (phase === 'start') {
    const video = newVideo(sandbox, page, 'video_reels', params)
    faultVideo(c, video)
    applyDelays(c, video)
    const version = /\/(v\d+(?:\.\d+)?)\//.exec(c.req.path)?.[1] ?? 'v26.0'
    return c.json({
      video_id: video.id,
      upload_url: `${sandbox.url}/rupload.facebook.com/video-upload/${version}/${video.id}`,
    })
  }
  if (phase !== 'finish') throw badParameter('param upload_phase must be one of {START, FINISH}')

  const id = params.text('video_id')
  if (id === undefined) throw badParameter('The parameter video_id is required')
  const video = facebook(sandbox).videos[id]
  if (!video || video.pageId !== page.id || video.edge !== 'video_reels') throw missingObject('post', id)
  const requested = params.text('video_state') ?? 'PUBLISHED'
  const wants = states.find((state) => state === requested)
  if (!wants) throw badParameter(`param video_state must be one of {${states.join(', ')}}`)
  const scheduledAt = wants === 'SCHEDULED' ? sinceMs(params.text('scheduled_publish_time')) : undefined
  if (wants === 'SCHEDULED' && !(scheduledAt !== undefined && scheduledAt >= sandbox.now() + 600_000)) {
    throw badParameter('The specified scheduled publish time is invalid.')
  }
  if (faulted(c, 'lose-session') && video.state === 'uploaded') video.state = 'expired'
  if (video.state === 'uploading' || video.state === 'expired' || video.state === 'error') throw brokenUpload()
  // A repeated finish changes nothing; only a draft can still be published.
  const isRepeated = video.state === 'processing' || (video.state === 'ready' && video.wants !== 'DRAFT')
  if (isRepeated) return c.json({ success: true })
  if (wants === 'PUBLISHED') requireReelQuota(c, sandbox, page.id)
  video.title = params.text('title') ?? video.title
  video.description = params.text('description') ?? video.description
  video.wants = wants
  faultVideo(c, video)
  applyDelays(c, video)
  process(sandbox, video, scheduledAt)
  return c.json({ success: true })
}

/** Why processing refuses a reel with these facts, '' when it passes. */
export function reelRefusal(facts: MediaFacts): string {
  const { width, height, durationMs, fps } = facts
  if (!facts.type.startsWith('video/')) return 'The video file you selected is in a format that we do not support.'
  if (!['avc', 'hevc', 'vp9', 'av1'].includes(facts.videoCodec))
    return `The video codec ${facts.videoCodec} is not supported.`
  if (durationMs < 3000) return 'The video is too short: a reel takes at least 3 seconds.'
  if (durationMs > 90_000) return 'The video is too long: a reel takes at most 90 seconds.'
  if (Math.abs(width / height - 9 / 16) > 0.01)
    return `The aspect ratio of the video must be 9:16, not ${width}:${height}.`
  if (width < 540 || height < 960) return 'The resolution of the video must be at least 540 by 960 pixels.'
  if (Math.round(fps) < 24 || Math.round(fps) > 60)
    return `The frame rate must be between 24 and 60 frames per second, not ${fps}.`
  return ''
}
