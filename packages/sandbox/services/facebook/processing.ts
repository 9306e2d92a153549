import { siteOf } from '../../post-link.ts'
import type { World } from '../../world.ts'
import { facebook, type FacebookVideo } from './state.ts'

const timers = new WeakMap<World, NodeJS.Timeout>()

/**
 * Ends the processing of every video whose time has come: an error, a draft, or a public post on the wall. Called at each request
 * and by its own timer, so that a video nobody asks about goes live all the same, after a restart too.
 */
export function settleVideos(world: World): void {
  const state = facebook(world)
  const now = world.now()
  let next = Number.POSITIVE_INFINITY
  for (const id of Object.keys(state.processing)) {
    const video = state.videos[id]
    if (video?.state === 'processing' && video.readyAt > now) {
      next = Math.min(next, video.readyAt)
      continue
    }
    delete state.processing[id]
    if (video?.state === 'processing') end(world, video)
  }
  clearTimeout(timers.get(world))
  if (next === Number.POSITIVE_INFINITY) return
  const timer = setTimeout(
    () => {
      settleVideos(world)
      world.changed()
    },
    Math.min(next - now, 60_000),
  )
  timer.unref()
  timers.set(world, timer)
}

/** Starts the processing that a publish call asked for; a scheduled video becomes public at its own time. */
export function process(world: World, video: FacebookVideo, scheduledAt = 0): void {
  const state = facebook(world)
  video.state = 'processing'
  video.askedAt = world.now()
  video.readyAt = Math.max(world.now() + world.settings.processingMs, scheduledAt)
  state.processing[video.id] = true
  settleVideos(world)
}

function end(world: World, video: FacebookVideo): void {
  if (video.refusal !== '') {
    video.state = 'error'
    return
  }
  video.state = 'ready'
  if (video.wants === 'DRAFT' || !video.media) return
  const state = facebook(world)
  const post = `${video.pageId}_${world.digits(15)}`
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
  world.publish({
    platform: 'facebook',
    pageId: video.pageId,
    id: video.id,
    title: video.title,
    text: video.description,
    media: [video.media],
    permalink,
    at: new Date(at).toISOString(),
  })
}
