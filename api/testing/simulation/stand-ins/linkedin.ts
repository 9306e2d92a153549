import { id, type Ask, type StandInAnswer, type Setting, type StandIn } from '../stand-in.ts'

type Asset = { urn: string; uploadedAt: number; isGone: boolean; parts: number }
type Post = { urn: string; body: string; content: unknown; at: number }

const duplicateWindowMs = 10 * 60_000
const input = (status: number, code: string, message = code): StandInAnswer => ({
  status,
  json: { status, message, errorDetails: { inputErrors: [{ code, description: message }] } },
})

/** Posts of an organization, found by a list that lags, and a guard against the same post twice (docs/networks/linkedin.md). */
export function linkedinStandIn(setting: Setting): StandIn {
  const assets: Asset[] = []
  const posts: Post[] = []
  const { now, delays } = setting

  const begin = (ask: Ask): StandInAnswer => {
    const isVideo = ask.path.endsWith('/videos')
    const urn = `urn:li:${isVideo ? 'video' : 'image'}:C${id(12)}`
    assets.push({ urn, uploadedAt: 0, isGone: false, parts: 0 })
    const address = `https://www.linkedin.com/dms-uploads/${encodeURIComponent(urn)}`
    if (!isVideo) return { status: 200, json: { value: { image: urn, uploadUrl: address } } }
    const size = Number((ask.fields['initializeUploadRequest'] as { fileSizeBytes: number }).fileSizeBytes)
    const uploadInstructions = []
    for (let first = 0; first < size; first += 4_194_304)
      uploadInstructions.push({
        uploadUrl: `${address}?part=${first}`,
        firstByte: first,
        lastByte: Math.min(size, first + 4_194_304) - 1,
      })
    return { status: 200, json: { value: { video: urn, uploadToken: 't', uploadInstructions } } }
  }

  const put = (ask: Ask): StandInAnswer => {
    const asset = assets.find((one) => one.urn === decodeURIComponent(ask.path.split('/').at(-1) ?? ''))
    if (!asset || asset.isGone) return input(400, 'EXPIRED_UPLOAD_URL')
    if (asset.urn.startsWith('urn:li:image')) {
      if (asset.uploadedAt > 0) return input(400, 'INVALID_VALUE_FOR_FIELD')
      asset.uploadedAt = now()
      return { status: 201 }
    }
    asset.parts += 1
    return { status: 200, headers: { etag: `"${id(8)}"` } }
  }

  const finalize = (ask: Ask): StandInAnswer => {
    const asset = assets.find((one) => one.urn === (ask.fields['finalizeUploadRequest'] as { video: string }).video)
    if (!asset || asset.isGone || asset.uploadedAt > 0) return input(400, 'INVALID_VALUE_FOR_FIELD')
    asset.uploadedAt = now()
    return { status: 200 }
  }

  const create = (ask: Ask): StandInAnswer => {
    const content = ask.fields['content']
    const body = JSON.stringify([ask.fields['commentary'], content])
    const twin = posts.find((one) => one.body === body && one.at > now() - duplicateWindowMs)
    if (twin)
      return {
        status: 422,
        json: { ...(input(422, 'DUPLICATE_POST').json as object), message: `Content is a duplicate of ${twin.urn}` },
      }
    const waiting = assets.some(
      (asset) => body.includes(asset.urn) && (asset.uploadedAt === 0 || asset.uploadedAt + delays.workMs > now()),
    )
    if (waiting) return input(400, 'MEDIA_ASSET_WAITING_UPLOAD')
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
    answer(ask) {
      if (ask.path.startsWith('/dms-uploads/')) return put(ask)
      if (!setting.isAlive(ask.token))
        return {
          status: 401,
          json: { status: 401, code: 'EXPIRED_ACCESS_TOKEN', serviceErrorCode: 65602, message: 'expired' },
        }
      const action = ask.query.get('action')
      if (action === 'initializeUpload') return begin(ask)
      if (action === 'finalizeUpload') return finalize(ask)
      if (ask.path === '/rest/posts' && ask.method === 'POST') return create(ask)
      if (ask.path === '/rest/posts')
        return { status: 200, json: { elements: posts.filter((one) => one.at <= now() - delays.listMs).map(view) } }
      const urn = decodeURIComponent(ask.path.split('/').at(-1) ?? '')
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
    shown: () => posts.length,
    isListed: () => posts.some((one) => one.at <= now() - delays.listMs),
    polled: (ask) => {
      const named = decodeURIComponent(ask.path.split('/').at(-1) ?? '')
      return ask.method === 'GET' && named.startsWith('urn:li:') ? named : undefined
    },
    forget: () => {
      for (const asset of assets) asset.isGone = asset.uploadedAt === 0
    },
  }
}
