import { id, rangeOf, type StandInRequest, type StandInAnswer, type StandInContext, type StandIn } from '../stand-in.ts'

type Metadata = { title: string; description: string }
type Session = {
  key: string
  metadata: Metadata
  total: number
  received: number
  receivedBeforeLast: number
  video: string
  endedAt: number
  isLost: boolean
}

const refuse = (status: number, reason: string): StandInAnswer => ({
  status,
  json: { error: { code: status, message: reason, errors: [{ reason, message: reason }] } },
})

/** Resumable uploads: the last byte publishes the video (docs/networks/youtube.md). */
export function youtubeStandIn(context: StandInContext): StandIn {
  const sessions: Session[] = []
  const { now, delays } = context
  const ended = () => sessions.filter((one) => one.endedAt > 0)
  const resource = (one: Session) => ({
    id: one.video,
    status: {
      uploadStatus: one.endedAt + delays.workMs <= now() - delays.statusMs ? 'processed' : 'uploaded',
      privacyStatus: 'public',
    },
  })

  const put = (request: StandInRequest): StandInAnswer => {
    const session = sessions.find((one) => one.key === request.query.get('upload_id'))
    if (!session || session.isLost) return { status: 404 }
    const incomplete = (bytes: number): StandInAnswer => ({
      status: 308,
      headers: bytes > 0 ? { range: `bytes=0-${bytes - 1}` } : {},
    })
    const range = rangeOf(request.headers)
    if (session.endedAt > 0)
      return range || session.endedAt <= now() - delays.statusMs
        ? { status: 200, json: resource(session) }
        : incomplete(session.receivedBeforeLast)
    if (!range) return incomplete(session.received)
    if (range.first > session.received) return { status: 503 }
    if (range.last + 1 < session.total) {
      session.received = Math.max(session.received, range.last + 1)
      return incomplete(session.received)
    }
    session.receivedBeforeLast = range.first
    session.received = session.total
    session.endedAt = now()
    session.video = `v${id(10)}`
    return { status: 201, json: resource(session) }
  }

  const list = (): StandInAnswer => {
    const items = ended()
      .filter((one) => one.endedAt <= now() - delays.listMs)
      .map((one) => ({
        snippet: { ...one.metadata, publishedAt: new Date(one.endedAt).toISOString() },
        contentDetails: { videoId: one.video },
      }))
    return { status: 200, json: { items } }
  }

  return {
    answer(request) {
      // A session's address is its key.
      if (request.method === 'PUT') return put(request)
      if (!context.isValidToken(request.token)) return refuse(401, 'authError')
      if (request.method === 'POST' && request.path.includes('/upload/')) {
        const { title, description } = request.fields['snippet'] as Metadata
        const session = {
          key: id(18),
          metadata: { title, description },
          total: Number(request.headers.get('x-upload-content-length')),
          received: 0,
          receivedBeforeLast: 0,
          video: '',
          endedAt: 0,
          isLost: false,
        }
        sessions.push(session)
        return {
          status: 200,
          headers: { location: `https://www.googleapis.com/upload/youtube/v3/videos?upload_id=${session.key}` },
        }
      }
      if (request.path.endsWith('/channels'))
        return {
          status: 200,
          json: { items: [{ id: context.pageId, contentDetails: { relatedPlaylists: { uploads: 'UU1' } } }] },
        }
      if (request.path.endsWith('/playlistItems')) return list()
      if (request.path.endsWith('/videos'))
        return {
          status: 200,
          json: {
            items: ended()
              .filter((one) => one.video === request.query.get('id'))
              .map(resource),
          },
        }
      return refuse(404, 'notFound')
    },
    postCount: () => ended().length,
    isListed: () =>
      ended().some(
        (one) => (!one.isLost && one.endedAt <= now() - delays.statusMs) || one.endedAt <= now() - delays.listMs,
      ),
    polledId: (request) => {
      if (request.method === 'PUT')
        return rangeOf(request.headers) ? undefined : (request.query.get('upload_id') ?? undefined)
      return request.path.endsWith('/videos') ? (request.query.get('id') ?? undefined) : undefined
    },
    loseUploads: () => {
      for (const session of sessions) session.isLost = true
    },
  }
}
