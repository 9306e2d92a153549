import { sendTiktokEvent } from '../../callbacks.ts'
import { siteOf } from '../../post-link.ts'
import { withoutTracking } from '../../store-track.ts'
import type { MediaFacts, Parts, SandboxContext } from '../../context.ts'
import { type Publish, creatorBy, tiktokState } from './state.ts'

/** The bytes of one upload that have arrived so far. */
export function partsOf(sandbox: SandboxContext, publish: Publish): Parts {
  return sandbox.parts(`tiktok-${publish.uploadId}`)
}

/** Public address of a post. */
export function postLink(username: string, postId: string): string {
  return `${siteOf('tiktok')}/@${username}/video/${postId}`
}

/** Why TikTok refuses a video after checking it. */
function refusalReason(media: MediaFacts, maxSeconds: number): string {
  if (!['video/mp4', 'video/quicktime', 'video/webm'].includes(media.type)) return 'file_format_check_failed'
  if (media.durationMs > maxSeconds * 1000) return 'duration_check_failed'
  if (!['avc', 'hevc', 'vp8', 'vp9'].includes(media.videoCodec)) return 'file_format_check_failed'
  // A camera's 60 frames a second measure as 60.03.
  if (Math.round(media.fps) < 23 || Math.round(media.fps) > 60) return 'frame_rate_check_failed'
  const sides = [media.width, media.height]
  if (sides.some((side) => side < 360 || side > 4096)) return 'picture_size_check_failed'
  return ''
}

/**
 * The irreversible step: once every byte has arrived, TikTok publishes even if its answer is lost
 * (docs/networks/tiktok.md). Checks the bytes and starts the processing, which may still refuse them.
 */
export async function accept(sandbox: SandboxContext, publish: Publish): Promise<void> {
  const media = await partsOf(sandbox, publish).finish()
  const creator = creatorBy(tiktokState(sandbox), publish.openId)
  const facts = await sandbox.inspect(media.sha256)
  publish.media = media
  publish.received = publish.size
  publish.failsWith ||= refusalReason(facts, creator?.maxSeconds ?? 0)
  publish.acceptedAt = sandbox.now()
  publish.completeAt = publish.acceptedAt + sandbox.settings.processingMs
  publish.idKnownAt = publish.completeAt + sandbox.settings.processingMs
  finishDueUploads(sandbox)
  scheduleFinish(sandbox, publish)
}

/** Ends the processing of every upload that is due: published or failed. Called at every request and by a timer. */
export function finishDueUploads(sandbox: SandboxContext): void {
  const state = tiktokState(sandbox)
  const now = sandbox.now()
  const processed = Object.values(withoutTracking(state.publishes)).filter(
    (one) => one.status === 'PROCESSING_UPLOAD' && one.acceptedAt > 0 && one.completeAt <= now,
  )
  for (const { id } of processed) {
    const publish = state.publishes[id]
    if (!publish) continue
    const creator = creatorBy(state, publish.openId)
    if (publish.failsWith || !creator || !publish.media) {
      publish.status = 'FAILED'
      publish.failReason = publish.failsWith || 'internal'
      sendEvent(sandbox, publish, 'post.publish.failed', { reason: publish.failReason })
    } else {
      publish.status = 'PUBLISH_COMPLETE'
      publish.postId = `7${sandbox.digits(18)}`
      sandbox.publish({
        platform: 'tiktok',
        pageId: creator.openId,
        id: publish.postId,
        title: '',
        text: publish.post.title,
        media: [publish.media],
        permalink: postLink(creator.username, publish.postId),
        at: new Date(sandbox.now()).toISOString(),
        ...(publish.post.coverMs === undefined ? {} : { extras: { coverMs: publish.post.coverMs } }),
      })
      sendEvent(sandbox, publish, 'post.publish.complete')
      // A public post gets its id once it has been moderated.
      const wait = Math.max(0, publish.idKnownAt - now) + 5
      if (publish.post.privacyLevel === 'PUBLIC_TO_EVERYONE')
        sendEvent(sandbox, publish, 'post.publish.publicly_available', { post_id: publish.postId }, wait)
    }
    sandbox.changed()
  }
}

/** Sends an event after a delay, so that it does not arrive before the status shows the same. */
function sendEvent(
  sandbox: SandboxContext,
  { id, clientKey, openId, lateStatusMs = 0 }: Publish,
  event: string,
  more: Record<string, unknown> = {},
  waitMs = 0,
): void {
  const send = () => {
    // A reset may have happened meanwhile.
    if (!tiktokState(sandbox).publishes[id]) return
    const content = { publish_id: id, publish_type: 'DIRECT_POST', ...more }
    sendTiktokEvent(sandbox, { clientKey, openId, event, content })
  }
  if (waitMs + lateStatusMs > 0) setTimeout(send, waitMs + lateStatusMs).unref()
  else send()
}

function scheduleFinish(sandbox: SandboxContext, publish: Publish): void {
  if (publish.status !== 'PROCESSING_UPLOAD') return
  setTimeout(() => finishDueUploads(sandbox), Math.max(0, publish.completeAt - sandbox.now()) + 5).unref()
}

/** Continues the processing after a restart without being polled. */
export function resumeProcessing(sandbox: SandboxContext): void {
  for (const publish of Object.values(tiktokState(sandbox).publishes))
    if (publish.acceptedAt) scheduleFinish(sandbox, publish)
}
