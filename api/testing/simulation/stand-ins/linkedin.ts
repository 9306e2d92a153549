import { id, type StandInRequest, type StandInAnswer, type StandInContext, type StandIn } from '../stand-in.ts'

type Asset = { urn: string; uploadedAt: number; isLost: boolean; parts: number }
type Post = { urn: string; body: string; content: unknown; at: number }

const duplicateWindowMs = 10 * 60_000
const inputError = (status: number, code: string, message = code): StandInAnswer => ({
  status,
  json: { status, message, errorDetails: { inputErrors: [{ code, description: message }] } },
})

/** Posts of an organization with a list that lags, and the refusal of duplicates (docs/networks/linkedin.md). */
export function linkedinStandIn(context: StandInContext): StandIn {
  const assets: Asset[] = []
  const posts: Post[] = []
  const { now, delays } = context

  const initialize = (request: StandInRequest): StandInAnswer => {
    const isVideo = request.path.endsWith('/videos')
    const urn = `urn:li:${isVideo ? 'video' : 'image'}:C${id(12)}`
    assets.push({ urn, uploadedAt: 0, isLost: false, parts: 0 })
    const address = `https://www.linkedin.com/dms-uploads/${encodeURIComponent(urn)}`
    if (!isVideo) return { status: 200, json: { value: { image: urn, uploadUrl: address } } }
    const size = Number((request.fields['initializeUploadRequest'] as { fileSizeBytes: number }).fileSizeBytes)
    const uploadInstructions = []
    for (let first = 0; first < size; first += 4_194_304)
      uploadInstructions.push({
        uploadUrl: `${address}?part=${first}`,
        firstByte: first,
        lastByte: Math.min(size, first + 4_194_304) - 1,
      })
    return { status: 200, json: { value: { video: urn, uploadToken: 't', uploadInstructions } } }
  }

  const put = (request: StandInRequest): StandInAnswer => {
    const asset = assets.find((one) => one.urn === decodeURIComponent(request.path.split('/').at(-1) ?? ''))
    if (!asset || asset.isLost) return inputError(400, 'EXPIRED_UPLOAD_URL')
    if (asset.urn.startsWith('urn:li:image')) {
      if (asset.uploadedAt > 0) return inputError(400, 'INVALID_VALUE_FOR_FIELD')
      asset.uploadedAt = now()
      return { status: 201 }
    }
    asset.parts += 1
    return { status: 200, headers: { etag: `"${id(8)}"` } }
  }

  const finalize = (request: StandInRequest): StandInAnswer => {
    const asset = assets.find((one) => one.urn === (request.fields['finalizeUploadRequest'] as { video: string }).video)
    if (!asset || asset.isLost || asset.uploadedAt > 0) return inputError(400, 'INVALID_VALUE_FOR_FIELD')
    asset.uploadedAt = now()
    return { status: 200 }
  }

  const create = (request: StandInRequest): StandInAnswer => {
    const content = request.fields['content']
    const body = JSON.stringify([request.fields['commentary'], content])
    const duplicate = posts.find((one) => one.body === body && one.at > now() - duplicateWindowMs)
    if (duplicate)
      return {
        status: 422,
        json: {
          ...(inputError(422, 'DUPLICATE_POST').json as object),
          message: `Content is a duplicate of ${duplicate.urn}`,
        },
      }
    const isWaiting = assets.some(
      (asset) => body.includes(asset.urn) && (asset.uploadedAt === 0 || asset.uploadedAt + delays.workMs > now()),
    )
    if (isWaiting) return inputError(400, 'MEDIA_ASSET_WAITING_UPLOAD')
    const urn = `urn:li:share:7${id(17)}`
    posts.push({ urn, body, content, at: now() })
    return { status: 201, headers: { 'x-restli-id': urn } }
  }

  const view = (post: Post) => ({
    id: post.urn,
    content: post.content,
    createdAt: post.at,
    lastModifiedAt: post.at,
    lifecycleState: post.at <= now() - delays.statusMs ? 'PUBLISHED' : 'PUBLISH_REQUESTED',
  })

  return {
    answer(request) {
      if (request.path.startsWith('/dms-uploads/')) return put(request)
      if (!context.isValidToken(request.token))
        return {
          status: 401,
          json: { status: 401, code: 'EXPIRED_ACCESS_TOKEN', serviceErrorCode: 65602, message: 'expired' },
        }
      const action = request.query.get('action')
      if (action === 'initializeUpload') return initialize(request)
      if (action === 'finalizeUpload') return finalize(request)
      if (request.path === '/rest/posts' && request.method === 'POST') return create(request)
      if (request.path === '/rest/posts')
        return { status: 200, json: { elements: posts.filter((one) => one.at <= now() - delays.listMs).map(view) } }
      const urn = decodeURIComponent(request.path.split('/').at(-1) ?? '')
      const asset = assets.find((one) => one.urn === urn)
      if (asset)
        return {
          status: 200,
          json: {
            status:
              asset.uploadedAt === 0
                ? 'WAITING_UPLOAD'
                : asset.uploadedAt + delays.workMs <= now()
                  ? 'AVAILABLE'
                  : 'PROCESSING',
          },
        }
      const post = posts.find((one) => one.urn === urn)
      return post
        ? { status: 200, json: view(post) }
        : { status: 404, json: { status: 404, code: 'NOT_FOUND', message: 'none' } }
    },
    postCount: () => posts.length,
    isListed: () => posts.some((one) => one.at <= now() - delays.listMs),
    polledId: (request) => {
      const urn = decodeURIComponent(request.path.split('/').at(-1) ?? '')
      return request.method === 'GET' && urn.startsWith('urn:li:') ? urn : undefined
    },
    loseUploads: () => {
      for (const asset of assets) asset.isLost = asset.uploadedAt === 0
    },
  }
}
