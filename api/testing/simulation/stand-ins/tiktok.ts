import { textOf } from '../../../gateways/networks/refusal.ts'
import { id, rangeOf, type StandInRequest, type StandInAnswer, type StandInContext, type StandIn } from '../stand-in.ts'

type Upload = {
  publishId: string
  size: number
  chunk: number
  count: number
  received: number
  receivedBeforeLast: number
  acceptedAt: number
  expiresAt: number
  fails: boolean
}

const refuse = (status: number, code: string): StandInAnswer => ({
  status,
  json: { data: {}, error: { code, message: code, log_id: 'l' } },
})
const done = (data: unknown): StandInAnswer => ({
  status: 200,
  json: { data, error: { code: 'ok', message: '', log_id: 'l' } },
})

/** Direct posts of videos: an init, chunks in order, and a status that may be late (docs/networks/tiktok.md). */
export function tiktokStandIn(context: StandInContext): StandIn {
  const uploads: Upload[] = []
  const { now, delays } = context
  let hasCreatorInfo = false
  const readyAt = (upload: Upload) => (upload.acceptedAt === 0 ? Infinity : upload.acceptedAt + delays.workMs)

  const init = (request: StandInRequest): StandInAnswer => {
    if (!hasCreatorInfo) return refuse(403, 'privacy_level_option_mismatch')
    hasCreatorInfo = false
    const source = request.fields['source_info'] as {
      video_size: number
      chunk_size: number
      total_chunk_count: number
    }
    const upload = {
      publishId: `v_pub_${id()}`,
      size: source.video_size,
      chunk: source.chunk_size,
      count: source.total_chunk_count,
      received: 0,
      receivedBeforeLast: 0,
      acceptedAt: 0,
      expiresAt: now() + 3_600_000,
      fails: context.random.chance(delays.failShare),
    }
    uploads.push(upload)
    return done({
      publish_id: upload.publishId,
      upload_url: `https://open-upload.tiktokapis.com/video/?upload_id=${upload.publishId}`,
    })
  }

  const put = (request: StandInRequest): StandInAnswer => {
    const upload = uploads.find((one) => one.publishId === request.query.get('upload_id'))
    const range = rangeOf(request.headers)
    if (!upload || !range || upload.acceptedAt > 0) return { status: 404 }
    if (upload.expiresAt <= now()) return { status: 403 }
    const isLast = upload.received >= (upload.count - 1) * upload.chunk
    const wanted = isLast ? upload.size - 1 : upload.received + upload.chunk - 1
    const arrived = upload.received === 0 ? '*' : `0-${upload.received - 1}`
    if (range.first !== upload.received || range.last !== wanted)
      return { status: 416, headers: { 'content-range': `bytes ${arrived}/${upload.size}` } }
    upload.receivedBeforeLast = upload.received
    upload.received = range.last + 1
    if (!isLast) return { status: 206 }
    upload.acceptedAt = now()
    return { status: 201 }
  }

  const status = (request: StandInRequest): StandInAnswer => {
    const upload = uploads.find((one) => one.publishId === request.fields['publish_id'])
    if (!upload) return refuse(400, 'invalid_publish_id')
    const asOf = now() - delays.statusMs
    if (readyAt(upload) > asOf) {
      return done({
        status: 'PROCESSING_UPLOAD',
        uploaded_bytes: upload.acceptedAt > 0 && upload.acceptedAt > asOf ? upload.receivedBeforeLast : upload.received,
      })
    }
    if (upload.fails) return done({ status: 'FAILED', fail_reason: 'internal', uploaded_bytes: upload.size })
    return done({
      status: 'PUBLISH_COMPLETE',
      uploaded_bytes: upload.size,
      publicaly_available_post_id: [Number(id(9))],
    })
  }

  return {
    answer(request) {
      if (request.method === 'PUT') return put(request)
      if (!context.isValidToken(request.token)) return refuse(401, 'access_token_invalid')
      if (request.path.includes('/creator_info/')) {
        hasCreatorInfo = true
        return done({
          creator_username: 'ink',
          creator_nickname: 'Ink',
          privacy_level_options: ['PUBLIC_TO_EVERYONE', 'SELF_ONLY'],
          max_video_post_duration_sec: 600,
        })
      }
      if (request.path.includes('/video/init/')) return init(request)
      if (request.path.includes('/status/fetch/')) return status(request)
      if (request.path.includes('/video/list/')) return done({ videos: [], has_more: false })
      return refuse(404, 'not_found')
    },
    postCount: () => uploads.filter((upload) => !upload.fails && readyAt(upload) <= now()).length,
    isListed: () => uploads.some((upload) => !upload.fails && readyAt(upload) <= now() - delays.statusMs),
    polledId: (request) => (request.path.includes('/status/fetch/') ? textOf(request.fields['publish_id']) : undefined),
    loseUploads: () => {
      for (const upload of uploads) upload.expiresAt = now()
    },
  }
}
