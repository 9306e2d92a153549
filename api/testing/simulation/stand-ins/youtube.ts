import { id, rangeOf, type Ask, type StandInAnswer, type Setting, type StandIn } from '../stand-in.ts'

type Words = { title: string; description: string }
type Session = {
  key: string
  words: Words
  total: number
  received: number
  before: number
  video: string
  endedAt: number
  isGone: boolean
}

const refuse = (status: number, reason: string): StandInAnswer => ({
  status,
  json: { error: { code: status, message: reason, errors: [{ reason, message: reason }] } },
})

/** Resumable uploads: the video is there with its last byte (docs/networks/youtube.md). */
export function youtubeStandIn(setting: Setting): StandIn {
  const sessions: Session[] = []
  const { now, delays } = setting
  const ended = () => sessions.filter((one) => one.endedAt > 0)
  const resource = (one: Session) => ({
    id: one.video,
    status: {
      uploadStatus: one.endedAt + delays.workMs <= now() - delays.statusMs ? 'processed' : 'uploaded',
      privacyStatus: 'public',
    },
  })

  const put = (ask: Ask): StandInAnswer => {
    const session = sessions.find((one) => one.key === ask.query.get('upload_id'))
    if (!session || session.isGone) return { status: 404 }
    const held = (bytes: number): StandInAnswer => ({
      status: 308,
      headers: bytes > 0 ? { range: `bytes=0-${bytes - 1}` } : {},
    })
    const range = rangeOf(ask.headers)
    if (session.endedAt > 0)
      return range || session.endedAt <= now() - delays.statusMs
        ? { status: 200, json: resource(session) }
        : held(session.before)
    if (!range) return held(session.received)
    if (range.first > session.received) return { status: 503 }
    if (range.last + 1 < session.total) {
      session.received = Math.max(session.received, range.last + 1)
      return held(session.received)
    }
    session.before = range.first
    session.received = session.total
    session.endedAt = now()
    session.video = `v${id(10)}`
    return { status: 201, json: resource(session) }
  }

  const list = (): StandInAnswer => {
    const items = ended()
      .filter((one) => one.endedAt <= now() - delays.listMs)
      .map((one) => ({
        snippet: { ...one.words, publishedAt: new Date(one.endedAt).toISOString() },
        contentDetails: { videoId: one.video },
      }))
    return { status: 200, json: { items } }
  }

  return {
    answer(ask) {
      // A session's address is its key.
      if (ask.method === 'PUT') return put(ask)
      if (!setting.isAlive(ask.token)) return refuse(401, 'authError')
      if (ask.method === 'POST' && ask.path.includes('/upload/')) {
        const { title, description } = ask.fields['snippet'] as Words
        const session = {
          key: id(18),
          words: { title, description },
          total: Number(ask.headers.get('x-upload-content-length')),
          received: 0,
          before: 0,
          video: '',
          endedAt: 0,
          isGone: false,
        }
        sessions.push(session)
        return {
          status: 200,
          headers: { location: `https://www.googleapis.com/upload/youtube/v3/videos?upload_id=${session.key}` },
        }
      }
      if (ask.path.endsWith('/channels'))
        return {
          status: 200,
          json: { items: [{ id: setting.pageId, contentDetails: { relatedPlaylists: { uploads: 'UU1' } } }] },
        }
      if (ask.path.endsWith('/playlistItems')) return list()
      if (ask.path.endsWith('/videos'))
        return {
          status: 200,
          json: {
            items: ended()
              .filter((one) => one.video === ask.query.get('id'))
              .map(resource),
          },
        }
      return refuse(404, 'notFound')
    },
    shown: () => ended().length,
    isListed: () =>
      ended().some(
        (one) => (!one.isGone && one.endedAt <= now() - delays.statusMs) || one.endedAt <= now() - delays.listMs,
      ),
    polled: (ask) => {
      if (ask.method === 'PUT') return rangeOf(ask.headers) ? undefined : (ask.query.get('upload_id') ?? undefined)
      return ask.path.endsWith('/videos') ? (ask.query.get('id') ?? undefined) : undefined
    },
    forget: () => {
      for (const session of sessions) session.isGone = true
    },
  }
}
