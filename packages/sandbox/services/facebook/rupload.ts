import { Hono } from 'hono'
import type { Context } from 'hono'
import { inTurn } from '../../incoming.ts'
import { makeLate } from '../../late.ts'
import type { PublishedMedia, World } from '../../world.ts'
import { fetchMedia } from '../meta/fetch-media.ts'
import { faulted, scriptedFailure } from '../meta/faults.ts'
import { graphRoute, missingObject, queryParams } from '../meta/graph.ts'
import { caller, sees } from './access.ts'
import { reelRefusal } from './reels.ts'
import { byteRefusal, notByOAuth, videoFailed } from './refusals.ts'
import { facebook, type FacebookVideo } from './state.ts'

const largest = 4 * 1024 * 1024 * 1024
const sessionLife = 24 * 3_600_000

/** rupload.facebook.com: the bytes of a reel, whole, resumed, or fetched from `file_url` (docs/networks/facebook.md). */
export function facebookRupload(world: World): Hono {
  const app = new Hono()
  const take = graphRoute((c) => takeBytes(c, world))
  app.post('/video-upload/:version{v[0-9.]+}/:id', take)
  app.post('/video-upload/:id', take)
  return app
}

/** Where the bytes of a reel gather until all are here. */
export function reelParts(world: World, videoId: string) {
  return world.parts(`facebook-reel-${videoId}`)
}

/** Marks a reel's upload session as gone when it is older than a day. */
export function expireReel(world: World, video: FacebookVideo): void {
  const stale = video.state === 'uploading' || video.state === 'uploaded'
  if (!stale || video.edge !== 'video_reels' || video.createdAt + sessionLife > world.now()) return
  loseReel(world, video)
}

/** Forgets an upload session: what was sent is gone and the video id cannot be finished any more. */
export function loseReel(world: World, video: FacebookVideo): void {
  video.state = 'expired'
  reelParts(world, video.id).drop()
}

async function takeBytes(c: Context, world: World): Promise<Response> {
  const stranger = notByOAuth(c)
  if (stranger) return stranger
  const who = caller(c, world, queryParams(c))
  const id = c.req.param('id') ?? ''
  const offset = c.req.header('offset')
  const size = c.req.header('file_size')
  for (const [name, value] of [
    ['Offset', offset],
    ['File_size', size],
  ] as const) {
    if (value === undefined || !/^\d+$/.test(value)) {
      return byteRefusal(
        c,
        'ParameterValidationError',
        `HeaderValuePredicate: Header ${name} not convertable to unsigned long`,
        false,
      )
    }
  }
  const total = Number(size)
  return inTurn(`facebook reel ${id}`, async () => {
    const video = facebook(world).videos[id]
    if (!video || video.edge !== 'video_reels' || !sees(who, video.pageId)) throw missingObject('post', id)
    if (faulted(c, 'lose-session') && video.state === 'uploading') loseReel(world, video)
    video.refusal = scriptedFailure(c, videoFailed) ?? video.refusal
    makeLate(c, video)
    expireReel(world, video)
    if (video.state === 'expired')
      return byteRefusal(c, 'ProcessingFailedError', 'The upload session has expired.', false)
    if (total < 1 || total > largest || (video.size >= 0 && video.size !== total)) {
      return byteRefusal(c, 'ParameterValidationError', 'The file size is not the one this upload began with.', false)
    }
    const url = c.req.header('file_url')
    if (url !== undefined) return hosted(c, world, video, url)
    const parts = reelParts(world, id)
    const held = video.media ? total : parts.size()
    if (Number(offset) !== held || video.media)
      return byteRefusal(c, 'OffsetInvalidError', 'Request starting offset is invalid', true)
    video.size = total
    const now = await parts.write(c.req.raw.body, held).catch(() => parts.size())
    if (now < total)
      return byteRefusal(c, 'PartialRequestError', 'Partial request (did not match length of file)', true)
    if (now > total) {
      loseReel(world, facebook(world).videos[id] ?? video)
      return byteRefusal(c, 'ProcessingFailedError', 'More bytes came than the file size says.', false)
    }
    return keep(c, world, id, await parts.finish())
  })
}

async function hosted(c: Context, world: World, video: FacebookVideo, url: string): Promise<Response> {
  if (video.media) return byteRefusal(c, 'OffsetInvalidError', 'Request starting offset is invalid', true)
  const { id } = video
  const fetched = await fetchMedia(world, url, { redirects: false, limit: largest })
  if (!fetched.ok) return byteRefusal(c, 'ProcessingFailedError', `Request processing failed: ${fetched.why}`, false)
  return keep(c, world, id, fetched.media)
}

async function keep(c: Context, world: World, id: string, media: PublishedMedia): Promise<Response> {
  const facts = await world.inspect(media.blob)
  const video = facebook(world).videos[id]
  if (!video) throw missingObject('post', id)
  video.size = media.bytes
  video.media = media
  video.state = 'uploaded'
  if (video.refusal === '') video.refusal = reelRefusal(facts)
  return c.json({ success: true, message: 'Upload successful.' })
}
