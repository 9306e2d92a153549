import type { Context } from 'hono'
import type { SandboxContext } from '../../context.ts'
import { type Delays, listedAsOf, statusAsOf, faulted } from '../../request-faults.ts'
import { type GraphNode, pageOf, project } from '../meta/fields.ts'
import { type GraphCall, graphCalls } from '../meta/graph-host.ts'
import { graphTime, missingObject, sinceMs } from '../meta/graph.ts'
import { caller, type Caller, requireReading, readablePage, canSee, pageUsage } from './access.ts'
import { pageNode, personNode } from './people.ts'
import { deletePost, postNode } from './posts.ts'
import { faultVideo } from './refusals.ts'
import { expireReel, deleteReelUpload, reelParts } from './rupload.ts'
import { facebook, type FacebookPost, type FacebookVideo } from './state.ts'

/** Read calls: a page's posts and videos, and any single object (docs/networks/facebook.md). */
export const facebookNodes = graphCalls(caller, {
  'GET /:id/published_posts': posts,
  'GET /:id/posts': posts,
  'GET /:id/feed': posts,
  'GET /:id/videos': videos,
  'GET /:id': singleObject,
  'DELETE /:id': ({ c, sandbox, id, who }) => {
    deletePost(sandbox, who, id)
    return c.json({ success: true })
  },
})

type Call = GraphCall<Caller>

function posts(call: Call): Response {
  const { sandbox, id, who } = call
  const page = readablePage(sandbox, who, id)
  const published = Object.values(facebook(sandbox).posts).filter(
    (post) => post.pageId === page.id && post.published && !isReel(sandbox, post),
  )
  return list(call, page.id, published, ({ at }) => at, showPost)
}

/** Lists of posts do not contain reels. */
function isReel(sandbox: SandboxContext, post: FacebookPost): boolean {
  return facebook(sandbox).videos[post.video]?.edge === 'video_reels'
}

function videos(call: Call): Response {
  const { sandbox, id, who } = call
  const page = readablePage(sandbox, who, id)
  const all = Object.values(facebook(sandbox).videos).filter((video) => video.pageId === page.id && video.readyAt > 0)
  return list(call, page.id, all, ({ createdAt }) => createdAt, showVideo)
}

const showPost = ({ sandbox, params }: Call, post: FacebookPost): GraphNode =>
  project(postNode(sandbox, post), params.text('fields'), ['id', 'message', 'created_time'], 'Post')

const showVideo = ({ c, sandbox, params }: Call, video: FacebookVideo): GraphNode =>
  project(videoNode(c, sandbox, video), params.text('fields'), ['id', 'description', 'updated_time'], 'Video')

/** The objects that lists show by now, newest first, within `since` and `until`. */
function list<T extends Delays & { id: string }>(
  call: Call,
  pageId: string,
  all: T[],
  timeOf: (entry: T) => number,
  show: (call: Call, entry: T) => GraphNode,
): Response {
  const { c, sandbox, params, who } = call
  const since = sinceMs(params.text('since')) ?? 0
  const until = sinceMs(params.text('until')) ?? Number.POSITIVE_INFINITY
  const listed = all
    .filter((entry) => timeOf(entry) <= listedAsOf(c, entry, sandbox.now()))
    .filter((entry) => timeOf(entry) >= since && timeOf(entry) <= until)
    .toReversed()
    .toSorted((a, b) => timeOf(b) - timeOf(a))
  const answer = pageOf(c, sandbox, who.value, params, listed, (entry) => show(call, entry))
  pageUsage(c, pageId)
  return c.json(answer)
}

function singleObject(call: Call): Response {
  const { c, sandbox, params, id, who } = call
  const fields = params.text('fields')
  const state = facebook(sandbox)
  const video = state.videos[id]
  if (video && canSee(who, video.pageId)) {
    requireReading(who)
    if (faulted(c, 'lose-session') && (video.state === 'uploading' || video.state === 'uploaded'))
      deleteReelUpload(sandbox, video)
    if (video.state === 'processing') faultVideo(c, video)
    expireReel(sandbox, video)
    pageUsage(c, video.pageId)
    return c.json(showVideo(call, video))
  }
  const post = state.posts[id]
  if (post && canSee(who, post.pageId)) {
    requireReading(who)
    pageUsage(c, post.pageId)
    return c.json(showPost(call, post))
  }
  if (who.token.kind === 'user' && (id === 'me' || id === who.grant.userId))
    return c.json(personNode(sandbox, who, fields))
  const found = state.pages[id === 'me' ? who.pageId : id]
  if (found && canSee(who, found.id))
    return c.json(project(pageNode(sandbox, who, found), fields, ['name', 'id'], 'Page'))
  throw missingObject('get', id)
}

/** A video or reel with its three phases. `permalink_url` is a path, as Graph gives it for videos. */
function videoNode(c: Context, sandbox: SandboxContext, now: FacebookVideo): GraphNode {
  const video = seenAsOf(now, statusAsOf(c, now, sandbox.now()))
  const path = video.edge === 'video_reels' ? `/reel/${video.id}/` : `/${video.pageId}/videos/${video.id}/`
  return {
    id: video.id,
    title: video.title || undefined,
    description: video.description || undefined,
    created_time: graphTime(video.createdAt),
    updated_time: graphTime(video.publishedAt || video.createdAt),
    length: video.media ? video.media.durationMs / 1000 : undefined,
    permalink_url: path,
    post_id: video.post || undefined,
    published: video.publishedAt > 0,
    source: video.media ? `${sandbox.url}/wall/media/${video.media.sha256}` : undefined,
    from: { id: video.pageId, name: facebook(sandbox).pages[video.pageId]?.name },
    status: statusOf(sandbox, video),
  }
}

/** The video as it was at an earlier moment: before it was processed, or before it was published. */
function seenAsOf(video: FacebookVideo, asOf: number): FacebookVideo {
  if (video.readyAt === 0 || video.readyAt <= asOf) return video
  const state = (video.askedAt ?? 0) > asOf ? 'uploaded' : 'processing'
  return { ...video, state, publishedAt: 0, post: '' }
}

const processingStates: Partial<Record<FacebookVideo['state'], string>> = {
  processing: 'in_progress',
  ready: 'complete',
  error: 'error',
}

function statusOf(sandbox: SandboxContext, video: FacebookVideo): GraphNode {
  const uploaded = video.media !== null
  const bytes = video.media ? video.media.bytes : reelParts(sandbox, video.id).size()
  const isReady = video.state === 'ready'
  const published = isReady && video.publishedAt > 0
  return {
    video_status: video.state === 'uploaded' ? 'upload_complete' : video.state,
    uploading_phase: {
      status: uploaded ? 'complete' : video.state === 'expired' ? 'error' : 'in_progress',
      bytes_transfered: bytes,
    },
    processing_phase: {
      status: processingStates[video.state] ?? 'not_started',
      ...(video.state === 'error'
        ? { error: { message: video.refusal }, errors: [{ code: 1363008, message: video.refusal }] }
        : {}),
    },
    publishing_phase: {
      status: published ? 'complete' : 'not_started',
      ...(published ? { publish_status: 'published', publish_time: graphTime(video.publishedAt) } : {}),
      ...(isReady && !published ? { publish_status: 'draft' } : {}),
      ...(video.state === 'processing' && video.wants === 'SCHEDULED'
        ? { publish_status: 'scheduled', publish_time: graphTime(video.readyAt) }
        : {}),
    },
  }
}
