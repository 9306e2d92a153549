import type { Context } from 'hono'
import type { SandboxContext } from '../../context.ts'
import { listedAsOf, statusAsOf } from '../../delays.ts'
import { type GraphNode, pageOf, project } from '../meta/fields.ts'
import { faulted, scriptedFailure } from '../meta/faults.ts'
import { graphTime, missingObject, readParams, sinceMs } from '../meta/graph.ts'
import { caller, needReading, readablePage, canSee, usageHeaders } from './access.ts'
import { pageNode, personNode } from './people.ts'
import { postNode } from './posts.ts'
import { videoFailed } from './refusals.ts'
import { expireReel, deleteReelUpload, reelParts } from './rupload.ts'
import { facebook, type FacebookPost, type FacebookVideo } from './state.ts'

/** `GET /{page}/published_posts`: newest first, within `since` and `until` (docs/networks/facebook.md). */
export async function publishedPosts(c: Context, sandbox: SandboxContext): Promise<Response> {
  const params = await readParams(c)
  const who = caller(c, sandbox, params)
  const { id } = readablePage(sandbox, who, c.req.param('id') ?? '')
  const since = sinceMs(params.text('since')) ?? 0
  const until = sinceMs(params.text('until')) ?? Number.POSITIVE_INFINITY
  const newest = Object.values(facebook(sandbox).posts)
    .filter((post) => post.pageId === id && !isReel(sandbox, post) && post.at <= listedAsOf(c, post, sandbox.now()))
    .filter((post) => post.at >= since && post.at <= until)
    .toReversed()
    .toSorted((a, b) => b.at - a.at)
  usageHeaders(c, id)
  return c.json(
    pageOf(c, sandbox, who.value, params, newest, (post) =>
      project(postNode(sandbox, post), params.text('fields'), ['id', 'message', 'created_time'], 'Post'),
    ),
  )
}

/** Lists of posts do not contain reels. */
function isReel(sandbox: SandboxContext, post: FacebookPost): boolean {
  return facebook(sandbox).videos[post.video]?.edge === 'video_reels'
}

/** `GET /{id}`: any single object. */
export async function one(c: Context, sandbox: SandboxContext): Promise<Response> {
  const params = await readParams(c)
  const who = caller(c, sandbox, params)
  const id = c.req.param('id') ?? ''
  const fields = params.text('fields')
  const state = facebook(sandbox)
  const video = state.videos[id]
  if (video && canSee(who, video.pageId)) {
    needReading(who)
    if (faulted(c, 'lose-session') && (video.state === 'uploading' || video.state === 'uploaded'))
      deleteReelUpload(sandbox, video)
    if (video.state === 'processing') video.refusal = scriptedFailure(c, videoFailed) ?? video.refusal
    expireReel(sandbox, video)
    usageHeaders(c, video.pageId)
    return c.json(project(videoNode(c, sandbox, video), fields, ['id', 'description', 'updated_time'], 'Video'))
  }
  const post = state.posts[id]
  if (post && canSee(who, post.pageId)) {
    needReading(who)
    usageHeaders(c, post.pageId)
    return c.json(project(postNode(sandbox, post), fields, ['id', 'message', 'created_time'], 'Post'))
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
    source: video.media ? `${sandbox.url}/wall/media/${video.media.blob}` : undefined,
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

const shownStates: Record<FacebookVideo['state'], string> = {
  uploading: 'uploading',
  uploaded: 'upload_complete',
  processing: 'processing',
  ready: 'ready',
  error: 'error',
  expired: 'expired',
}

function statusOf(sandbox: SandboxContext, video: FacebookVideo): GraphNode {
  const uploaded = video.media !== null
  const bytes = video.media ? video.media.bytes : reelParts(sandbox, video.id).size()
  const processing =
    video.state === 'processing'
      ? 'in_progress'
      : video.state === 'ready'
        ? 'complete'
        : video.state === 'error'
          ? 'error'
          : 'not_started'
  const done = video.state === 'ready'
  const published = done && video.publishedAt > 0
  return {
    video_status: shownStates[video.state],
    uploading_phase: {
      status: uploaded ? 'complete' : video.state === 'expired' ? 'error' : 'in_progress',
      bytes_transfered: bytes,
    },
    processing_phase: {
      status: processing,
      ...(video.state === 'error'
        ? { error: { message: video.refusal }, errors: [{ code: 1363008, message: video.refusal }] }
        : {}),
    },
    publishing_phase: {
      status: published ? 'complete' : 'not_started',
      ...(published ? { publish_status: 'published', publish_time: graphTime(video.publishedAt) } : {}),
      ...(done && !published ? { publish_status: 'draft' } : {}),
    },
  }
}
