import { insert } from '../../collection.ts'
import type { Context } from 'hono'
import { withoutTracking } from '../../store-track.ts'
import type { SandboxContext } from '../../context.ts'
import { GraphError, type Params } from '../meta/graph.ts'
import { pageUsage } from './access.ts'
import { process } from './processing.ts'
import { brokenUpload } from './refusals.ts'
import { facebook, type FacebookPage, type FacebookVideo } from './state.ts'

const day = 24 * 3_600_000
const reelsPerDay = 30

/** Creates a video of a page. It is not public before its processing has ended. */
export function newVideo(
  sandbox: SandboxContext,
  page: FacebookPage,
  edge: FacebookVideo['edge'],
  params: Params,
): FacebookVideo {
  return insert(facebook(sandbox).videos, {
    id: sandbox.digits(16),
    pageId: page.id,
    edge,
    createdAt: sandbox.now(),
    title: params.text('title') ?? '',
    description: params.text('description') ?? '',
    size: -1,
    media: null,
    refusal: '',
    state: 'uploading',
    wants: 'PUBLISHED',
    readyAt: 0,
    publishedAt: 0,
    post: '',
  })
}

/**
 * Publishes an uploaded feed video, or stores it as a draft: when that is requested, and always for upright videos.
 */
export async function publishVideo(sandbox: SandboxContext, video: FacebookVideo, params: Params): Promise<void> {
  const { media } = video
  if (!media) throw brokenUpload()
  const facts = await sandbox.inspect(media.sha256)
  if (video.refusal === '' && !facts.type.startsWith('video/'))
    video.refusal = 'The video file you selected is in a format that we do not support.'
  if (video.refusal === '' && facts.durationMs < 1000) video.refusal = 'The video is too short.'
  // An upright video sent to this edge becomes a draft that waits for a person in the app (docs/networks/facebook.md).
  const isUpright = facts.height > facts.width
  video.wants = isUpright || params.flag('published') === false ? 'DRAFT' : 'PUBLISHED'
  process(sandbox, video)
}

/** Throws 613 when a page has used its 30 reels of the last 24 hours; only while quotas are on. */
export function requireReelQuota(c: Context, sandbox: SandboxContext, pageId: string): void {
  if (!sandbox.settings.quotas) return
  const since = sandbox.now() - day
  const recent = Object.values(withoutTracking(facebook(sandbox).videos)).filter(
    (video) =>
      video.pageId === pageId &&
      video.edge === 'video_reels' &&
      video.readyAt > since &&
      video.state !== 'error' &&
      video.wants === 'PUBLISHED',
  )
  if (recent.length < reelsPerDay) return
  const oldest = Math.min(...recent.map((video) => video.readyAt))
  const minutes = Math.max(1, Math.ceil((oldest + day - sandbox.now()) / 60_000))
  pageUsage(c, pageId, minutes)
  throw new GraphError(613, {
    message: '(#613) Calls to this api have exceeded the rate limit.',
    status: 403,
    userTitle: 'Reels limit reached',
    userMessage: 'This page has published 30 reels in the last 24 hours.',
  })
}
