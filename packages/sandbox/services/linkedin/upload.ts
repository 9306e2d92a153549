import { type Context, Hono } from 'hono'
import { faulted, applyDelays } from '../../request-faults.ts'
import { serialize } from '../../request-body.ts'
import type { PublishedMedia, SandboxContext } from '../../context.ts'
import { scriptedReason, refuse, refuseInput, signedIn } from './answers.ts'
import { type Asset, linkedinState } from './state.ts'

const largestImage = 36_152_320

/** The bytes of a video: its parts concatenated. */
export function videoParts(sandbox: SandboxContext, asset: Asset): ReadableStream<Uint8Array> {
  const { urn } = asset
  const count = asset.parts.length
  async function* bytes(): AsyncGenerator<Uint8Array> {
    for (let index = 0; index < count; index += 1) yield* sandbox.parts(`linkedin ${urn} ${index}`).read()
  }
  return ReadableStream.from(bytes())
}

function imageProblem(media: PublishedMedia): string {
  if (!['image/jpeg', 'image/png', 'image/gif'].includes(media.type))
    return 'Only JPG, PNG and GIF images are supported'
  return media.width * media.height >= largestImage ? 'The image has too many pixels' : ''
}

async function putImage(c: Context, sandbox: SandboxContext, asset: Asset): Promise<Response> {
  signedIn(c, sandbox)
  if (asset.uploadedAt) throw refuseInput('INVALID_VALUE_FOR_FIELD', 'The image was uploaded before')
  const media = c.req.raw.body ? await sandbox.storeBlob(c.req.raw.body).catch(() => undefined) : undefined
  if (!media?.bytes) throw refuse(400, 'ILLEGAL_ARGUMENT', 'The upload ended early')
  applyDelays(c, asset)
  asset.media = media
  asset.failure = scriptedReason(c) || asset.failure || imageProblem(media)
  asset.uploadedAt = sandbox.now()
  asset.readyAt = asset.uploadedAt + sandbox.settings.processingMs
  return c.body(null, 201)
}

async function putPart(c: Context, sandbox: SandboxContext, asset: Asset, index: number): Promise<Response> {
  // The address is signed: a token, a version header or a body without a length is refused.
  if (c.req.header('authorization') !== undefined)
    throw refuse(400, 'ILLEGAL_ARGUMENT', 'Only one auth mechanism allowed: the address is signed')
  if (c.req.header('linkedin-version') !== undefined)
    throw refuse(400, 'ILLEGAL_ARGUMENT', 'LinkedIn-Version is not allowed here')
  if (c.req.header('content-length') === undefined) throw refuse(411, 'LENGTH_REQUIRED', 'Content-Length is required')
  const type = c.req.header('content-type') ?? ''
  if (type !== 'application/octet-stream')
    throw refuse(415, 'UNSUPPORTED_MEDIA_TYPE', 'Content-Type must be application/octet-stream')
  const part = asset.parts[index]
  if (!part || asset.uploadedAt) throw refuseInput('INVALID_VALUE_FOR_FIELD', 'This part is no longer wanted')
  const wanted = part.last - part.first + 1
  if (Number(c.req.header('content-length')) !== wanted) {
    throw refuse(400, 'ILLEGAL_ARGUMENT', `This part takes exactly bytes ${part.first} to ${part.last}`)
  }
  const parts = sandbox.parts(`linkedin ${asset.urn} ${index}`)
  part.etag = ''
  const size = await parts.write(c.req.raw.body, 0).catch(() => -1)
  if (size !== wanted) {
    parts.drop()
    throw refuse(400, 'ILLEGAL_ARGUMENT', 'The upload ended early')
  }
  asset.failure = scriptedReason(c) || asset.failure
  part.etag = `/ambry-video/signedId/${sandbox.secret(18)}`
  return c.body(null, 200, { etag: `"${part.etag}"` })
}

/** The upload addresses below `www.linkedin.com/dms-uploads` (docs/networks/linkedin.md). */
export function uploadRoutes(sandbox: SandboxContext): Hono {
  const routes = new Hono()
  routes.put('/sp/v2/:id/:kind/:part', async (c) => {
    const kind = c.req.param('kind')
    const urn = `urn:li:${kind}:${c.req.param('id')}`
    const part = Number(c.req.param('part'))
    const asset = linkedinState(sandbox).assets[urn]
    if (!asset || asset.sign !== c.req.query('sign'))
      throw refuse(403, 'ACCESS_DENIED', 'The upload address is not valid')
    if (faulted(c, 'lose-session')) asset.urlsExpireAt = sandbox.now()
    if (asset.urlsExpireAt <= sandbox.now()) throw refuseInput('EXPIRED_UPLOAD_URL', 'The upload address has expired')
    return serialize(`linkedin ${urn} ${part}`, () =>
      kind === 'video' ? putPart(c, sandbox, asset, part) : putImage(c, sandbox, asset),
    )
  })
  return routes
}
