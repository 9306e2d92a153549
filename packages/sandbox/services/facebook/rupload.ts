import { Hono, type Context } from 'hono'
import { serialize } from '../../request-body.ts'
import { applyDelays, faulted } from '../../request-faults.ts'
import type { PublishedMedia, SandboxContext } from '../../context.ts'
import { fetchMedia } from '../meta/fetch-media.ts'
import { answerGraphError, missingObject } from '../meta/graph.ts'
import { canSee } from './access.ts'
import { reelRefusal } from './reels.ts'
import { faultVideo, uploadCaller, uploadRefusal, wholeHeader, wrongOffset } from './refusals.ts'
import { facebook, type FacebookVideo } from './state.ts'

const maxBytes = 4 * 1024 * 1024 * 1024
const sessionLifeMs = 24 * 3_600_000

/**
 * rupload.facebook.com receives the bytes of a reel in one request, resumed, or from a `file_url`
 * (docs/networks/facebook.md).
 */
export function facebookRupload(sandbox: SandboxContext): Hono {
  const app = new Hono()
  for (const path of ['/video-upload/:version{v[0-9.]+}/:id', '/video-upload/:id'])
    app.post(path, (c) => receiveBytes(c, sandbox))
  return app.onError(answerGraphError)
}

/** The bytes of a reel that have arrived so far. */
export function reelParts(sandbox: SandboxContext, videoId: string) {
  return sandbox.parts(`facebook-reel-${videoId}`)
}

/** Deletes a reel's upload session when it is older than a day. */
export function expireReel(sandbox: SandboxContext, video: FacebookVideo): void {
  const isUnfinished = video.state === 'uploading' || video.state === 'uploaded'
  if (!isUnfinished || video.edge !== 'video_reels' || video.createdAt + sessionLifeMs > sandbox.now()) return
  deleteReelUpload(sandbox, video)
}

/** Deletes an upload session with its bytes; its video can no longer be finished. */
export function deleteReelUpload(sandbox: SandboxContext, video: FacebookVideo): void {
  video.state = 'expired'
  reelParts(sandbox, video.id).drop()
}

async function receiveBytes(c: Context, sandbox: SandboxContext): Promise<Response> {
  const who = uploadCaller(c, sandbox)
  const id = c.req.param('id') ?? ''
  const offset = wholeHeader(c, 'Offset')
  const total = wholeHeader(c, 'File_size')
  return serialize(`facebook reel ${id}`, async () => {
    const video = facebook(sandbox).videos[id]
    if (!video || video.edge !== 'video_reels' || !canSee(who, video.pageId)) throw missingObject('post', id)
    if (faulted(c, 'lose-session') && video.state === 'uploading') deleteReelUpload(sandbox, video)
    faultVideo(c, video)
    applyDelays(c, video)
    expireReel(sandbox, video)
    if (video.state === 'expired')
      throw uploadRefusal('ProcessingFailedError', 'The upload session has expired.', false)
    if (total < 1 || total > maxBytes || (video.size >= 0 && video.size !== total)) {
      throw uploadRefusal('ParameterValidationError', 'The file size is not the one this upload began with.', false)
    }
    const url = c.req.header('file_url')
    if (url !== undefined) return fetchFromUrl(c, sandbox, video, url)
    const parts = reelParts(sandbox, id)
    const storedBytes = video.media ? total : parts.size()
    if (offset !== storedBytes || video.media) throw wrongOffset()
    video.size = total
    const now = await parts.write(c.req.raw.body, storedBytes).catch(() => parts.size())
    if (now < total) throw uploadRefusal('PartialRequestError', 'Partial request (did not match length of file)', true)
    if (now > total) {
      deleteReelUpload(sandbox, facebook(sandbox).videos[id] ?? video)
      throw uploadRefusal('ProcessingFailedError', 'More bytes came than the file size says.', false)
    }
    return finishUpload(c, sandbox, id, await parts.finish())
  })
}

async function fetchFromUrl(c: Context, sandbox: SandboxContext, video: FacebookVideo, url: string): Promise<Response> {
  if (video.media) throw wrongOffset()
  const { id } = video
  const fetched = await fetchMedia(sandbox, url, { redirects: false, limit: maxBytes })
  if (!fetched.ok) throw uploadRefusal('ProcessingFailedError', `Request processing failed: ${fetched.why}`, false)
  return finishUpload(c, sandbox, id, fetched.media)
}

async function finishUpload(c: Context, sandbox: SandboxContext, id: string, media: PublishedMedia): Promise<Response> {
  const facts = await sandbox.inspect(media.sha256)
  const video = facebook(sandbox).videos[id]
  if (!video) throw missingObject('post', id)
  video.size = media.bytes
  video.media = media
  video.state = 'uploaded'
  if (video.refusal === '') video.refusal = reelRefusal(facts)
  return c.json({ success: true, message: 'Upload successful.' })
}
