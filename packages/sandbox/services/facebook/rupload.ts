import { Hono } from 'hono'
import type { Context } from 'hono'
import { serialize } from '../../request-body.ts'
import { applyDelays } from '../../delays.ts'
import type { PublishedMedia, SandboxContext } from '../../context.ts'
import { fetchMedia } from '../meta/fetch-media.ts'
import { faulted } from '../meta/faults.ts'
import { graphRoute, missingObject, queryParams } from '../meta/graph.ts'
import { caller, canSee } from './access.ts'
import { reelRefusal } from './reels.ts'
import { byteRefusal, faultVideo, isWhole, notByOAuth, notWhole, wrongOffset } from './refusals.ts'
import { facebook, type FacebookVideo } from './state.ts'

const largest = 4 * 1024 * 1024 * 1024
const sessionLife = 24 * 3_600_000

/**
 * rupload.facebook.com: the bytes of a reel, in one request, resumed, or fetched from `file_url`
 * (docs/networks/facebook.md).
 */
export function facebookRupload(sandbox: SandboxContext): Hono {
  const app = new Hono()
  const take = graphRoute((c) => takeBytes(c, sandbox))
  app.post('/video-upload/:version{v[0-9.]+}/:id', take)
  app.post('/video-upload/:id', take)
  return app
}

/** The bytes of a reel so far. */
export function reelParts(sandbox: SandboxContext, videoId: string) {
  return sandbox.parts(`facebook-reel-${videoId}`)
}

/** Deletes a reel's upload session when it is older than a day. */
export function expireReel(sandbox: SandboxContext, video: FacebookVideo): void {
  const stale = video.state === 'uploading' || video.state === 'uploaded'
  if (!stale || video.edge !== 'video_reels' || video.createdAt + sessionLife > sandbox.now()) return
  deleteReelUpload(sandbox, video)
}

/** Deletes an upload session: its bytes are gone and its video id cannot be finished. */
export function deleteReelUpload(sandbox: SandboxContext, video: FacebookVideo): void {
  video.state = 'expired'
  reelParts(sandbox, video.id).drop()
}

async function takeBytes(c: Context, sandbox: SandboxContext): Promise<Response> {
  const stranger = notByOAuth(c)
  if (stranger) return stranger
  const who = caller(c, sandbox, queryParams(c))
  const id = c.req.param('id') ?? ''
  const offset = c.req.header('offset')
  const size = c.req.header('file_size')
  for (const name of ['Offset', 'File_size']) if (!isWhole(c.req.header(name))) return notWhole(c, name)
  const total = Number(size)
  return serialize(`facebook reel ${id}`, async () => {
    const video = facebook(sandbox).videos[id]
    if (!video || video.edge !== 'video_reels' || !canSee(who, video.pageId)) throw missingObject('post', id)
    if (faulted(c, 'lose-session') && video.state === 'uploading') deleteReelUpload(sandbox, video)
    faultVideo(c, video)
    applyDelays(c, video)
    expireReel(sandbox, video)
    if (video.state === 'expired')
      return byteRefusal(c, 'ProcessingFailedError', 'The upload session has expired.', false)
    if (total < 1 || total > largest || (video.size >= 0 && video.size !== total)) {
      return byteRefusal(c, 'ParameterValidationError', 'The file size is not the one this upload began with.', false)
    }
    const url = c.req.header('file_url')
    if (url !== undefined) return hosted(c, sandbox, video, url)
    const parts = reelParts(sandbox, id)
    const held = video.media ? total : parts.size()
    if (Number(offset) !== held || video.media) return wrongOffset(c)
    video.size = total
    const now = await parts.write(c.req.raw.body, held).catch(() => parts.size())
    if (now < total)
      return byteRefusal(c, 'PartialRequestError', 'Partial request (did not match length of file)', true)
    if (now > total) {
      deleteReelUpload(sandbox, facebook(sandbox).videos[id] ?? video)
      return byteRefusal(c, 'ProcessingFailedError', 'More bytes came than the file size says.', false)
    }
    return keep(c, sandbox, id, await parts.finish())
  })
}

async function hosted(c: Context, sandbox: SandboxContext, video: FacebookVideo, url: string): Promise<Response> {
  if (video.media) return wrongOffset(c)
  const { id } = video
  const fetched = await fetchMedia(sandbox, url, { redirects: false, limit: largest })
  if (!fetched.ok) return byteRefusal(c, 'ProcessingFailedError', `Request processing failed: ${fetched.why}`, false)
  return keep(c, sandbox, id, fetched.media)
}

async function keep(c: Context, sandbox: SandboxContext, id: string, media: PublishedMedia): Promise<Response> {
  const facts = await sandbox.inspect(media.blob)
  const video = facebook(sandbox).videos[id]
  if (!video) throw missingObject('post', id)
  video.size = media.bytes
  video.media = media
  video.state = 'uploaded'
  if (video.refusal === '') video.refusal = reelRefusal(facts)
  return c.json({ success: true, message: 'Upload successful.' })
}
