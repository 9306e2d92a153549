import { type Context, Hono } from 'hono'
import { portraitOf } from '../../feed-files.ts'
import { faulted, applyDelays, statusAsOf } from '../../request-faults.ts'
import { serialize, jsonBody } from '../../request-body.ts'
import type { PublishedMedia, SandboxContext } from '../../context.ts'
import { allowed, denied, scriptedReason, refuse, refuseInput, urnInPath } from './answers.ts'
import { requireShape, type Shape } from './shape.ts'
import { type Asset, assetStatus, linkedinState, logoId, postsFor } from './state.ts'
import { videoParts } from './upload.ts'

const partBytes = 4_194_304
const smallestVideo = 75_000
const largestVideo = 500_000_000
const urlLifeMs = 24 * 3_600_000
const imageRequest: Shape = { owner: 'string' }
const videoRequest: Shape = {
  owner: 'string',
  fileSizeBytes: 'number',
  uploadCaptions: 'boolean',
  uploadThumbnail: 'boolean',
}

async function initialize(c: Context, sandbox: SandboxContext, kind: 'image' | 'video'): Promise<Response> {
  const grant = allowed(c, sandbox, ['w_organization_social'], `${kind}s.ACTION-initializeUpload`)
  const shape = { initializeUploadRequest: kind === 'image' ? imageRequest : videoRequest }
  type Body = { initializeUploadRequest: { owner: string; fileSizeBytes?: number } }
  const { owner, fileSizeBytes } = requireShape<Body>(await jsonBody(c), shape).initializeUploadRequest
  if (!/^urn:li:organization:\d+$/.test(owner))
    throw refuseInput('INVALID_URN_TYPE', `owner is not an organization URN: ${owner}`)
  const state = linkedinState(sandbox)
  if (!postsFor(state, grant.member, owner)) throw denied(c, `${kind}s.ACTION-initializeUpload`)
  const size = fileSizeBytes ?? 0
  if (kind === 'video' && (!Number.isSafeInteger(size) || size < smallestVideo || size > largestVideo)) {
    throw refuseInput('INVALID_VALUE_FOR_FIELD', 'fileSizeBytes must lie between 75 KB and 500 MB')
  }
  const id = `${kind === 'image' ? 'C4E10AQ' : 'C5F10AQ'}${sandbox.secret(12)}`
  const urn = `urn:li:${kind}:${id}`
  const count = kind === 'video' ? Math.ceil(size / partBytes) : 1
  const parts = Array.from({ length: count }, (_, index) => {
    return { first: index * partBytes, last: Math.min(size, (index + 1) * partBytes) - 1, etag: '' }
  })
  state.assets[urn] = {
    urn,
    kind,
    owner,
    sign: sandbox.secret(12),
    urlsExpireAt: faulted(c, 'lose-session') ? sandbox.now() : sandbox.now() + urlLifeMs,
    // Both forms occur: an empty token, and one that must be sent back (docs/networks/linkedin.md).
    uploadToken: count > 1 ? sandbox.secret(12) : '',
    parts,
    uploadedAt: 0,
    readyAt: 0,
    failure: scriptedReason(c),
    media: null,
  }
  const asset = state.assets[urn]
  applyDelays(c, asset)
  const address = (part: number) =>
    `${sandbox.url}/www.linkedin.com/dms-uploads/sp/v2/${id}/${kind}/${part}?sync=0&sign=${asset.sign}`
  if (kind === 'image')
    return c.json({ value: { uploadUrlExpiresAt: asset.urlsExpireAt, uploadUrl: address(0), image: urn } })
  const uploadInstructions = parts.map((part, index) => ({
    uploadUrl: address(index),
    lastByte: part.last,
    firstByte: part.first,
  }))
  const { urlsExpireAt: uploadUrlsExpireAt, uploadToken } = asset
  return c.json({ value: { uploadUrlsExpireAt, video: urn, uploadInstructions, uploadToken } })
}

function videoProblem(media: PublishedMedia): string {
  if (media.type !== 'video/mp4') return 'Only MP4 videos are supported'
  if (media.durationMs < 3000) return 'The video is shorter than 3 seconds'
  return media.durationMs > 30 * 60_000 ? 'The video is longer than 30 minutes' : ''
}

async function finalize(c: Context, sandbox: SandboxContext): Promise<Response> {
  const grant = allowed(c, sandbox, ['w_organization_social'], 'videos.ACTION-finalizeUpload')
  const shape: Shape = { finalizeUploadRequest: { video: 'string', uploadToken: 'string', uploadedPartIds: 'array' } }
  type Body = { finalizeUploadRequest: { video: string; uploadToken: string; uploadedPartIds: unknown[] } }
  const request = requireShape<Body>(await jsonBody(c), shape).finalizeUploadRequest
  const { video: urn, uploadedPartIds: ids } = request
  return serialize(`linkedin ${urn}`, async () => {
    const state = linkedinState(sandbox)
    const asset = state.assets[urn]
    if (asset?.kind !== 'video') throw refuseInput('INVALID_URN_ID', `No such video: ${urn}`)
    if (!postsFor(state, grant.member, asset.owner)) throw denied(c, 'videos.ACTION-finalizeUpload')
    if (asset.uploadedAt) throw refuseInput('INVALID_VALUE_FOR_FIELD', 'The upload of this video was finalized before')
    if (request.uploadToken !== asset.uploadToken)
      throw refuseInput('INVALID_VALUE_FOR_FIELD', 'uploadToken is not the one given')
    const complete = asset.parts.every((part, index) => part.etag && part.etag === ids[index])
    if (!complete || ids.length !== asset.parts.length) {
      throw refuseInput('INVALID_VALUE_FOR_FIELD', 'uploadedPartIds must name the ETag of every part, in order')
    }
    const media = await sandbox.storeBlob(videoParts(sandbox, asset))
    for (const index of asset.parts.keys()) sandbox.parts(`linkedin ${urn} ${index}`).drop()
    applyDelays(c, asset)
    asset.media = media
    asset.failure = scriptedReason(c) || asset.failure || videoProblem(media)
    asset.uploadedAt = sandbox.now()
    asset.readyAt = asset.uploadedAt + sandbox.settings.processingMs
    return c.body(null, 200)
  })
}

function show(c: Context, sandbox: SandboxContext, kind: 'image' | 'video'): Response {
  const grant = allowed(c, sandbox, ['w_organization_social', 'r_organization_social'], `${kind}s.GET`)
  const urn = urnInPath(c)
  const state = linkedinState(sandbox)
  const logo = Object.values(state.organizations).find((one) => urn === `urn:li:image:${logoId(one)}`)
  if (logo) {
    const downloadUrl = portraitOf(sandbox, logo.name)
    return c.json({ id: urn, owner: `urn:li:organization:${logo.id}`, status: 'AVAILABLE', downloadUrl })
  }
  const asset: Asset | undefined = state.assets[urn]
  if (asset?.kind !== kind) throw refuse(404, 'NOT_FOUND', `Could not find entity ${urn}`)
  if (!postsFor(state, grant.member, asset.owner)) throw denied(c, `${kind}s.GET`)
  const failure = scriptedReason(c)
  if (failure && assetStatus(asset, sandbox.now()) === 'PROCESSING') {
    asset.failure = failure
    asset.readyAt = sandbox.now()
  }
  const status = assetStatus(asset, statusAsOf(c, asset, sandbox.now()))
  const { media } = asset
  return c.json({
    id: urn,
    owner: asset.owner,
    status,
    ...(status === 'PROCESSING_FAILED' && kind === 'video' ? { processingFailureReason: asset.failure } : {}),
    ...(status === 'AVAILABLE' && media && kind === 'video'
      ? { duration: media.durationMs, aspectRatioWidth: media.width, aspectRatioHeight: media.height }
      : {}),
  })
}

/** `images` and `videos` below `/rest`. */
export function assetRoutes(sandbox: SandboxContext): Hono {
  const routes = new Hono()
  const act = (kind: 'image' | 'video') => (c: Context) => {
    const action = c.req.query('action')
    if (action === 'initializeUpload') return initialize(c, sandbox, kind)
    if (action === 'finalizeUpload' && kind === 'video') return finalize(c, sandbox)
    throw refuse(400, 'ILLEGAL_ARGUMENT', `Unknown action: ${action ?? ''}`)
  }
  routes.post('/images', act('image'))
  routes.post('/videos', act('video'))
  routes.get('/images/:urn', (c) => show(c, sandbox, 'image'))
  routes.get('/videos/:urn', (c) => show(c, sandbox, 'video'))
  return routes
}
