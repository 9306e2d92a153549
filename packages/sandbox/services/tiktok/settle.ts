import { tellTiktok } from '../../callbacks.ts'
import { siteOf } from '../../post-link.ts'
import { toRead } from '../../store-track.ts'
import type { MediaFacts, Parts, World } from '../../world.ts'
import type { Publish } from './state.ts'
import { creatorBy, tiktokState } from './state.ts'

/** The bytes of one upload so far. */
export function partsOf(world: World, publish: Publish): Parts {
  return world.parts(`tiktok-${publish.uploadId}`)
}

/** Public address of a post. */
export function postLink(username: string, postId: string): string {
  return `${siteOf('tiktok')}/@${username}/video/${postId}`
}

/** Why TikTok refuses a video once it has looked at it. */
function flaw(media: MediaFacts, maxSeconds: number): string {
  if (!['video/mp4', 'video/quicktime', 'video/webm'].includes(media.type)) return 'file_format_check_failed'
  if (media.durationMs > maxSeconds * 1000) return 'duration_check_failed'
  if (!['avc', 'hevc', 'vp8', 'vp9'].includes(media.videoCodec)) return 'file_format_check_failed'
  // A camera's 60 frames a second are 60.03 on its own clock.
  if (Math.round(media.fps) < 23 || Math.round(media.fps) > 60) return 'frame_rate_check_failed'
  const sides = [media.width, media.height]
  if (sides.some((side) => side < 360 || side > 4096)) return 'picture_size_check_failed'
  return ''
}

/**
 * The moment of no return: every byte is here, so TikTok goes on by itself, whatever becomes of the reply
 * (docs/networks/tiktok.md). Looks at the bytes and starts the processing, which may still refuse them.
 */
export async function accept(world: World, publish: Publish): Promise<void> {
  const media = await partsOf(world, publish).finish()
  const creator = creatorBy(tiktokState(world), publish.openId)
  const facts = await world.inspect(media.blob)
  publish.media = media
  publish.received = publish.size
  publish.doom ||= flaw(facts, creator?.maxSeconds ?? 0)
  publish.acceptedAt = world.now()
  publish.completeAt = publish.acceptedAt + world.settings.processingMs
  publish.idKnownAt = publish.completeAt + world.settings.processingMs
  settle(world)
  wake(world, publish)
}

/** Carries every processed upload to its end: published for all to see, or failed. Called on every request and by the clock. */
export function settle(world: World): void {
  const state = tiktokState(world)
  const now = world.now()
  const processed = Object.values(toRead(state.publishes)).filter(
    (one) => one.status === 'PROCESSING_UPLOAD' && one.acceptedAt > 0 && one.completeAt <= now,
  )
  for (const { id } of processed) {
    const publish = state.publishes[id]
    if (!publish) continue
    const creator = creatorBy(state, publish.openId)
    if (publish.doom || !creator || !publish.media) {
      publish.status = 'FAILED'
      publish.failReason = publish.doom || 'internal'
      tellLater(world, publish.id, publish.lateStatusMs ?? 0, (one) =>
        tell(world, one, 'post.publish.failed', { reason: one.failReason }),
      )
    } else {
      publish.status = 'PUBLISH_COMPLETE'
      publish.postId = `7${world.digits(18)}`
      world.publish({
        platform: 'tiktok',
        pageId: creator.openId,
        id: publish.postId,
        title: '',
        text: publish.post.title,
        media: [publish.media],
        permalink: postLink(creator.username, publish.postId),
        at: new Date(world.now()).toISOString(),
      })
      tellLater(world, publish.id, publish.lateStatusMs ?? 0, (one) => tell(world, one, 'post.publish.complete', {}))
      if (publish.post.privacyLevel === 'PUBLIC_TO_EVERYONE') tellOfId(world, publish)
    }
    world.changed()
  }
}

function tell(world: World, publish: Publish, event: string, more: Record<string, unknown>): void {
  tellTiktok(world, {
    clientKey: publish.clientKey,
    openId: publish.openId,
    event,
    content: { publish_id: publish.id, publish_type: 'DIRECT_POST', ...more },
  })
}

/** A public post has an id once it has been moderated. */
function tellOfId(world: World, { id, idKnownAt, lateStatusMs = 0 }: Publish): void {
  const wait = Math.max(0, idKnownAt + lateStatusMs - world.now()) + 5
  tellLater(world, id, wait, (publish) =>
    tell(world, publish, 'post.publish.publicly_available', { post_id: publish.postId }),
  )
}

/** An event comes no sooner than the status it speaks of. */
function tellLater(world: World, publishId: string, ms: number, say: (publish: Publish) => void): void {
  const now = () => {
    const publish = tiktokState(world).publishes[publishId]
    if (publish) say(publish)
  }
  if (ms > 0) setTimeout(now, ms).unref()
  else now()
}

function wake(world: World, publish: Publish): void {
  if (publish.status !== 'PROCESSING_UPLOAD') return
  setTimeout(() => settle(world), Math.max(0, publish.completeAt - world.now()) + 5).unref()
}

/** After a restart: what was being processed goes on without anyone asking for it. */
export function wakeAll(world: World): void {
  for (const publish of Object.values(tiktokState(world).publishes)) if (publish.acceptedAt) wake(world, publish)
}
