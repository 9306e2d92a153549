import {
  graphError,
  id,
  type StandInRequest,
  type StandInAnswer,
  type StandInContext,
  type StandIn,
} from '../stand-in.ts'

type Video = {
  id: string
  edge: 'video_reels' | 'videos'
  session: string
  size: number
  received: number
  finishedAt: number
  text: string
  isLost: boolean
}
type Post = { id: string; text: string; photos: string[]; video: string; at: number }

/** Photos and posts with photos, reels, and videos that are uploaded in phases (docs/networks/facebook.md). */
export function facebookStandIn(context: StandInContext): StandIn {
  const videos: Video[] = []
  const photos = new Map<string, { at: number; post: string }>()
  const posts: Post[] = []
  const { now, delays, pageId } = context
  const readyAt = (video: Video) => (video.finishedAt === 0 ? Infinity : video.finishedAt + delays.workMs)
  const text = (request: StandInRequest, name: string) =>
    typeof request.fields[name] === 'string' ? request.fields[name] : (request.query.get(name) ?? '')

  const feed = (request: StandInRequest): StandInAnswer => {
    const ids = (request.fields['attached_media'] as { media_fbid: string }[]).map((one) => one.media_fbid)
    for (const photo of ids) {
      const known = photos.get(photo)
      if (!known || (known.post === '' && known.at + 24 * 3_600_000 <= now())) return graphError(400, 100, 33)
      if (known.post !== '') return graphError(400, 100, 1366051)
    }
    const post = { id: `${pageId}_${id()}`, text: text(request, 'message'), photos: ids, video: '', at: now() }
    posts.push(post)
    for (const photo of ids) photos.set(photo, { at: now(), post: post.id })
    return { status: 200, json: { id: post.id, permalink_url: `https://www.facebook.com/${post.id}` } }
  }

  const startVideo = (request: StandInRequest, edge: Video['edge']): StandInAnswer => {
    const video = {
      id: id(16),
      edge,
      session: id(16),
      size: Number(text(request, 'file_size') || request.fields['file_size'] || -1),
      received: 0,
      finishedAt: 0,
      text: '',
      isLost: false,
    }
    videos.push(video)
    if (edge === 'video_reels')
      return {
        status: 200,
        json: { video_id: video.id, upload_url: `https://rupload.facebook.com/video-upload/v26.0/${video.id}` },
      }
    return {
      status: 200,
      json: {
        video_id: video.id,
        upload_session_id: video.session,
        start_offset: '0',
        end_offset: String(Math.min(video.size, 4_194_304)),
      },
    }
  }

  const finishVideo = (request: StandInRequest, video: Video | undefined): StandInAnswer => {
    if (!video || video.isLost || video.received !== video.size) return graphError(400, 6000, 1363045)
    if (video.finishedAt === 0) {
      video.finishedAt = now()
      video.text = text(request, 'description')
    }
    return { status: 200, json: { success: true } }
  }

  const video = (request: StandInRequest, edge: Video['edge']): StandInAnswer => {
    const phase = text(request, 'upload_phase')
    if (phase === 'start') return startVideo(request, edge)
    const known = videos.find(
      (one) => one.id === text(request, 'video_id') || one.session === text(request, 'upload_session_id'),
    )
    if (phase === 'finish') return finishVideo(request, known)
    if (phase !== 'transfer' || !known || known.isLost) return graphError(400, 6000, 1363045)
    if (Number(text(request, 'start_offset')) !== known.received) return graphError(400, 6001, 1363037)
    known.received += request.bytes
    return {
      status: 200,
      json: {
        start_offset: String(known.received),
        end_offset: String(Math.min(known.size, known.received + 4_194_304)),
      },
    }
  }

  const receive = (request: StandInRequest): StandInAnswer => {
    const known = videos.find((one) => one.id === request.path.split('/').at(-1))
    const wrong = (type: string): StandInAnswer => ({
      status: 400,
      json: { debug_info: { retriable: false, type, message: type } },
    })
    if (!(request.headers.get('authorization') ?? '').startsWith('OAuth ')) return wrong('NotAuthorizedError')
    if (!known || known.isLost) return wrong('ProcessingFailedError')
    if (Number(request.headers.get('offset')) !== known.received) return wrong('OffsetInvalidError')
    known.size = Number(request.headers.get('file_size'))
    known.received += request.bytes
    return known.received === known.size ? { status: 200, json: { success: true } } : wrong('PartialRequestError')
  }

  const stateOf = (one: Video) => {
    const asOf = now() - delays.statusMs
    const overall =
      one.isLost && one.finishedAt === 0
        ? 'expired'
        : one.received !== one.size
          ? 'uploading'
          : one.finishedAt === 0 || one.finishedAt > asOf
            ? 'upload_complete'
            : readyAt(one) <= asOf
              ? 'ready'
              : 'processing'
    return {
      id: one.id,
      title: '',
      description: one.text,
      permalink_url: `/reel/${one.id}/`,
      published: overall === 'ready',
      status: {
        video_status: overall,
        uploading_phase: {
          status: one.received === one.size ? 'complete' : 'in_progress',
          bytes_transfered: one.received,
        },
        processing_phase: {
          status: overall === 'ready' ? 'complete' : overall === 'processing' ? 'in_progress' : 'not_started',
        },
        publishing_phase:
          overall === 'ready' ? { status: 'complete', publish_status: 'published' } : { status: 'not_started' },
      },
    }
  }

  const list = (): StandInAnswer => {
    const asOf = now() - delays.listMs
    const ofVideos = videos
      .filter((one) => one.edge === 'videos' && readyAt(one) <= asOf)
      .map((one) => ({
        id: `${pageId}_${one.id}`,
        message: one.text,
        created_time: new Date(readyAt(one)).toISOString(),
        attachments: { data: [{ target: { id: one.id } }] },
      }))
    const ofPhotos = posts
      .filter((one) => one.at <= asOf)
      .map((one) => ({
        id: one.id,
        message: one.text,
        created_time: new Date(one.at).toISOString(),
        permalink_url: `https://www.facebook.com/${one.id}`,
        attachments: {
          data: [
            {
              target: { id: one.photos[0] },
              subattachments: { data: one.photos.map((photo) => ({ target: { id: photo } })) },
            },
          ],
        },
      }))
    return { status: 200, json: { data: [...ofPhotos, ...ofVideos] } }
  }

  return {
    answer(request) {
      if (!context.isValidToken(request.token)) return graphError(401, 190, 460)
      if (request.host.startsWith('rupload')) return receive(request)
      const [, , first = '', edge = ''] = request.path.split('/')
      if (edge === 'photos') {
        const photo = id()
        photos.set(photo, { at: now(), post: '' })
        return { status: 200, json: { id: photo } }
      }
      if (edge === 'feed') return feed(request)
      if (request.method === 'POST' && (edge === 'video_reels' || edge === 'videos')) return video(request, edge)
      if (edge === 'published_posts') return list()
      const known = videos.find((one) => one.id === first)
      if (known) return { status: 200, json: stateOf(known) }
      const post = posts.find((one) => one.id === first)
      return post
        ? { status: 200, json: { id: post.id, permalink_url: `https://www.facebook.com/${post.id}` } }
        : graphError(400, 100, 33)
    },
    postCount: () => posts.length + videos.filter((one) => readyAt(one) <= now()).length,
    isListed: () =>
      posts.some((one) => one.at <= now() - delays.listMs) ||
      videos.some((one) => readyAt(one) <= now() - delays.statusMs),
    polledId: (request) =>
      request.method === 'GET' ? videos.find((one) => request.path.endsWith(`/${one.id}`))?.id : undefined,
    loseUploads: () => {
      for (const one of videos) one.isLost = one.finishedAt === 0
    },
  }
}
