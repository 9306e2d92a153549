import { siteOf } from '../../post-link.ts'
import type { SandboxContext } from '../../context.ts'
import { facebook, type FacebookVideo } from './state.ts'

const timers = new WeakMap<SandboxContext, NodeJS.Timeout>()

/**
 * Ends the processing of every video that is due: with an error, a draft, or a public post. Called at each request and by
 * a timer, so that a video becomes public without being polled, also after a restart.
 */
export function finishDueVideos(sandbox: SandboxContext): void {
  const state = facebook(sandbox)
  const now = sandbox.now()
  let nextAt = Number.POSITIVE_INFINITY
  for (const id of Object.keys(state.processing)) {
    const video = state.videos[id]
    if (video?.state === 'processing' && video.readyAt > now) {
      nextAt = Math.min(nextAt, video.readyAt)
      continue
    }
    delete state.processing[id]
    if (video?.state === 'processing') finishProcessing(sandbox, video)
  }
  clearTimeout(timers.get(sandbox))
  if (nextAt === Number.POSITIVE_INFINITY) return
  const timer = setTimeout(
    () => {
      finishDueVideos(sandbox)
      sandbox.changed()
    },
    Math.min(nextAt - now, 60_000),
  )
  timer.unref()
  timers.set(sandbox, timer)
}

/** Starts the processing that a publish call requested; a scheduled video becomes public at its own time. */
export function process(sandbox: SandboxContext, video: FacebookVideo, scheduledAt = 0): void {
  const state = facebook(sandbox)
  video.state = 'processing'
  video.askedAt = sandbox.now()
  video.readyAt = Math.max(sandbox.now() + sandbox.settings.processingMs, scheduledAt)
  state.processing[video.id] = true
  finishDueVideos(sandbox)
}

function finishProcessing(sandbox: SandboxContext, video: FacebookVideo): void {
  if (video.refusal !== '') {
    video.state = 'error'
    return
  }
  video.state = 'ready'
  if (video.wants === 'DRAFT' || !video.media) return
  const state = facebook(sandbox)
  const post = `${video.pageId}_${sandbox.digits(15)}`
  const at = video.readyAt
  const path = video.edge === 'video_reels' ? `reel/${video.id}` : `${video.pageId}/videos/${video.id}`
  const permalink = `${siteOf('facebook')}/${path}/`
  video.publishedAt = at
  video.post = post
  state.posts[post] = {
    id: post,
    pageId: video.pageId,
    message: video.description,
    at,
    published: true,
    photos: [],
    video: video.id,
    permalink,
    ...(video.lateListMs ? { lateListMs: video.lateListMs } : {}),
  }
  state.lastPost[video.pageId] = { post }
  sandbox.publish({
    platform: 'facebook',
    pageId: video.pageId,
    id: video.id,
    title: video.title,
    text: video.description,
    media: [video.media],
    permalink,
    at: new Date(at).toISOString(),
    ...(video.edge === 'video_reels' ? { kind: 'reel' as const } : {}),
  })
}
