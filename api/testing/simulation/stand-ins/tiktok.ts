import { textOf } from '../../../gateways/networks/refusal.ts'
import { id, rangeOf, type Ask, type StandInAnswer, type Setting, type StandIn } from '../stand-in.ts'

type Upload = {
  publishId: string
  size: number
  chunk: number
  count: number
  received: number
  before: number
  acceptedAt: number
  goneAt: number
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
export function tiktokStandIn(setting: Setting): StandIn {
  const uploads: Upload[] = []
  const { now, delays } = setting
  let isInformed = false
  const readyAt = (upload: Upload) => (upload.acceptedAt === 0 ? Infinity : upload.acceptedAt + delays.workMs)

  const init = (ask: Ask): StandInAnswer => {
    if (!isInformed) return refuse(403, 'privacy_level_option_mismatch')
    isInformed = false
    const source = ask.fields['source_info'] as { video_size: number; chunk_size: number; total_chunk_count: number }
    const upload = {
      publishId: `v_pub_${id()}`,
      size: source.video_size,
      chunk: source.chunk_size,
      count: source.total_chunk_count,
      received: 0,
      before: 0,
      acceptedAt: 0,
      goneAt: now() + 3_600_000,
      fails: setting.random.chance(delays.failShare),
    }
    uploads.push(upload)
    return done({
      publish_id: upload.publishId,
      upload_url: `https://open-upload.tiktokapis.com/video/?upload_id=${upload.publishId}`,
    })
  }

  const put = (ask: Ask): StandInAnswer => {
    const upload = uploads.find((one) => one.publishId === ask.query.get('upload_id'))
    const range = rangeOf(ask.headers)
    if (!upload || !range || upload.acceptedAt > 0) return { status: 404 }
    if (upload.goneAt <= now()) return { status: 403 }
    const isLast = upload.received >= (upload.count - 1) * upload.chunk
    const wanted = isLast ? upload.size - 1 : upload.received + upload.chunk - 1
    const arrived = upload.received === 0 ? '*' : `0-${upload.received - 1}`
    if (range.first !== upload.received || range.last !== wanted)
      return { status: 416, headers: { 'content-range': `bytes ${arrived}/${upload.size}` } }
    upload.before = upload.received
    upload.received = range.last + 1
    if (!isLast) return { status: 206 }
    upload.acceptedAt = now()
    return { status: 201 }
  }

  const status = (ask: Ask): StandInAnswer => {
    const upload = uploads.find((one) => one.publishId === ask.fields['publish_id'])
    if (!upload) return refuse(400, 'invalid_publish_id')
    const asOf = now() - delays.statusMs
    if (readyAt(upload) > asOf) {
      return done({
        status: 'PROCESSING_UPLOAD',
        uploaded_bytes: upload.acceptedAt > 0 && upload.acceptedAt > asOf ? upload.before : upload.received,
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
    answer(ask) {
      if (ask.method === 'PUT') return put(ask)
      if (!setting.isAlive(ask.token)) return refuse(401, 'access_token_invalid')
      if (ask.path.includes('/creator_info/')) {
        isInformed = true
        return done({
          creator_username: 'ink',
          creator_nickname: 'Ink',
          privacy_level_options: ['PUBLIC_TO_EVERYONE', 'SELF_ONLY'],
          max_video_post_duration_sec: 600,
        })
      }
      if (ask.path.includes('/video/init/')) return init(ask)
      if (ask.path.includes('/status/fetch/')) return status(ask)
      if (ask.path.includes('/video/list/')) return done({ videos: [], has_more: false })
      return refuse(404, 'not_found')
    },
    shown: () => uploads.filter((upload) => !upload.fails && readyAt(upload) <= now()).length,
    isListed: () => uploads.some((upload) => !upload.fails && readyAt(upload) <= now() - delays.statusMs),
    polled: (ask) => (ask.path.includes('/status/fetch/') ? textOf(ask.fields['publish_id']) : undefined),
    forget: () => {
      for (const upload of uploads) upload.goneAt = now()
    },
  }
}
