import { Hono } from 'hono'
import type { Context } from 'hono'
import { siteOf } from '../../post-link.ts'
import type { SandboxContext } from '../../context.ts'
import { listedAsOf, statusAsOf } from '../../delays.ts'
import { type GraphNode, pageOf, project } from '../meta/fields.ts'
import { faulted, scriptedFailure } from '../meta/faults.ts'
import { graphRoute, graphTime, missingObject, type Params, readParams, sinceMs } from '../meta/graph.ts'
import { caller, needReading, readablePage, canSee, usageHeaders } from './access.ts'
import { pageNode, personNode } from './people.ts'
import { deletePost, photoLapsed, postNode } from './posts.ts'
import { videoFailed } from './refusals.ts'
import { expireReel, deleteReelUpload, reelParts } from './rupload.ts'
import { facebook, type FacebookPost, type FacebookVideo } from './state.ts'

/** Read calls: a page's posts and videos, and any single object (docs/networks/facebook.md). */
export function facebookNodes(sandbox: SandboxContext): Hono {
  const app = new Hono()
  for (const edge of ['published_posts', 'posts', 'feed'])
    app.get(
      `/:id/${edge}`,
      graphRoute((c) => posts(c, sandbox)),
    )
  app.get(
    '/:id/videos',
    graphRoute((c) => videos(c, sandbox, 'videos')),
  )
  app.get(
    '/:id/video_reels',
    graphRoute((c) => videos(c, sandbox, 'video_reels')),
  )
  app.get(
    '/:id',
    graphRoute((c) => one(c, sandbox)),
  )
  app.delete(
    '/:id',
    graphRoute(async (c) => {
      deletePost(sandbox, caller(c, sandbox, await readParams(c)), c.req.param('id') ?? '')
      return c.json({ success: true })
    }),
  )
  return app
}

async function posts(c: Context, sandbox: SandboxContext): Promise<Response> {
  const params = await readParams(c)
  const who = caller(c, sandbox, params)
  const { id } = readablePage(sandbox, who, c.req.param('id') ?? '')
  const all = newest(
    Object.values(facebook(sandbox).posts).filter(
      (post) =>
        post.pageId === id && post.published && !isReel(sandbox, post) && post.at <= listedAsOf(c, post, sandbox.now()),
    ),
    (post) => post.at,
    params,
  )
  return list(c, sandbox, who.value, params, id, all, (post: FacebookPost) =>
    project(postNode(sandbox, post), params.text('fields'), ['id', 'message', 'created_time'], 'Post'),
  )
}

/** Lists of posts do not contain reels. */
function isReel(sandbox: SandboxContext, post: FacebookPost): boolean {
  return facebook(sandbox).videos[post.video]?.edge === 'video_reels'
}

async function videos(c: Context, sandbox: SandboxContext, edge: FacebookVideo['edge']): Promise<Response> {
  const params = await readParams(c)
  const who = caller(c, sandbox, params)
  const { id } = readablePage(sandbox, who, c.req.param('id') ?? '')
  const all = newest(
    Object.values(facebook(sandbox).videos).filter(
      (video) =>
        video.pageId === id &&
        (edge === 'videos' ? video.readyAt > 0 : video.edge === edge) &&
        video.createdAt <= listedAsOf(c, video, sandbox.now()),
    ),
    (video) => video.createdAt,
    params,
  )
  const standard = ['id', 'description', 'updated_time']
  return list(c, sandbox, who.value, params, id, all, (video: FacebookVideo) =>
    project(videoNode(c, sandbox, video), params.text('fields'), standard, 'Video'),
  )
}

/** Newest first, within `since` and `until`. */
function newest<T>(all: T[], time: (entry: T) => number, params: Params): T[] {
  const since = sinceMs(params.text('since')) ?? 0
  const until = sinceMs(params.text('until')) ?? Number.POSITIVE_INFINITY
  return all
    .filter((entry) => time(entry) >= since && time(entry) <= until)
    .toReversed()
    .toSorted((a, b) => time(b) - time(a))
}

function list<T extends { id: string }>(
  c: Context,
  sandbox: SandboxContext,
  token: string,
  params: Params,
  pageId: string,
  all: T[],
  show: (entry: T) => GraphNode,
): Response {
  const answer = pageOf(c, sandbox, token, params, all, show)
  usageHeaders(c, pageId)
  return c.json(answer)
}

async function one(c: Context, sandbox: SandboxContext): Promise<Response> {
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
  const photo = state.photos[id]
  if (photo && canSee(who, photo.pageId) && !photoLapsed(sandbox, photo)) {
    const { width, height, blob } = photo.media
    const node = {
      id,
      created_time: graphTime(photo.at),
      alt_text_custom: photo.alt || undefined,
      width,
      height,
      link: `${siteOf('facebook')}/photo/?fbid=${id}`,
      page_story_id: photo.post || undefined,
      images: [{ width, height, source: `${sandbox.url}/wall/media/${blob}` }],
      picture: `${sandbox.url}/wall/media/${blob}`,
    }
    return c.json(project(node, fields, ['id', 'created_time'], 'Photo'))
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
      ...(video.state === 'processing' && video.wants === 'SCHEDULED'
        ? { publish_status: 'scheduled', publish_time: graphTime(video.readyAt) }
        : {}),
    },
  }
}
