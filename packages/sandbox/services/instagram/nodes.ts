import { portraitOf } from '../../feed-files.ts'
import type { Context } from 'hono'
import { listedAsOf, statusAsOf } from '../../request-faults.ts'
import type { PublishedMedia, SandboxContext } from '../../context.ts'
import { type GraphNode, pageOf, project } from '../meta/fields.ts'
import { type GraphCall, graphCalls } from '../meta/graph-host.ts'
import { GraphError, graphTime, missingObject, usageHeaders } from '../meta/graph.ts'
import { instagramCaller, type InstagramCaller, ownAccount } from './access.ts'
import { containerStatus, faultContainer } from './containers.ts'
import { permalinkOf, postsPerDay, publishedToday } from './publishing.ts'
import { statusText } from './refusals.ts'
import { instagram, type InstagramContainer, type InstagramMedia } from './state.ts'

/** Read calls: the account, its media, containers and the publishing limit (docs/networks/instagram.md). */
export const instagramNodes = graphCalls(instagramCaller, {
  'GET /:id/media': mediaList,
  'GET /:id/content_publishing_limit': ({ c, sandbox, params, id, who }) => {
    const account = ownAccount(who, id, 'get')
    usageHeaders(c, 'instagram', account.id)
    // Without quotas no post is counted, so that a long run is never rate limited.
    const used = sandbox.settings.quotas ? publishedToday(sandbox, account.id) : 0
    const node = { quota_usage: used, config: { quota_total: postsPerDay, quota_duration: 86_400 } }
    return c.json({ data: [project(node, params.text('fields'), ['quota_usage'], 'IGContentPublishingLimit')] })
  },
  'GET /:id': singleObject,
})

function mediaList({ c, sandbox, params, id, who }: GraphCall<InstagramCaller>): Response {
  const account = ownAccount(who, id, 'get')
  usageHeaders(c, 'instagram', account.id)
  const all = Object.values(instagram(sandbox).media)
    .filter((media) => media.accountId === account.id && media.at <= listedAsOf(c, media, sandbox.now()))
    .toReversed()
    .toSorted((a, b) => b.at - a.at)
  return c.json(
    pageOf(c, sandbox, who.value, params, all, (media) =>
      project(mediaNode(sandbox, who, media), params.text('fields'), ['id'], 'IGMedia'),
    ),
  )
}

function singleObject({ c, sandbox, params, id, who }: GraphCall<InstagramCaller>): Response {
  const fields = params.text('fields')
  const state = instagram(sandbox)
  usageHeaders(c, 'instagram', who.account.id)
  const container = state.containers[id]
  if (container && container.accountId === who.account.id) {
    faultContainer(c, container)
    return c.json(project(containerNode(c, sandbox, container), fields, ['id'], 'IGContainer'))
  }
  const media = state.media[id]
  if (media && media.accountId === who.account.id)
    return c.json(project(mediaNode(sandbox, who, media), fields, ['id'], 'IGMedia'))
  const child = state.children[id]
  if (child && state.media[child.parent]?.accountId === who.account.id) {
    return c.json(
      project({ id, ...mediaUrls(sandbox, child.media), media_type: typeOf(child.media) }, fields, ['id'], 'IGMedia'),
    )
  }
  if (id !== 'me' && id !== who.account.id && id !== who.account.scopedId) throw missingObject('get', id)
  if (!who.token.scopes.includes('instagram_business_basic')) {
    throw new GraphError(10, { message: '(#10) Application does not have permission for this action', status: 403 })
  }
  return c.json(project(accountNode(sandbox, who), fields, ['id'], 'IGUser'))
}

function accountNode(sandbox: SandboxContext, who: InstagramCaller): GraphNode {
  const { account } = who
  return {
    id: account.scopedId,
    user_id: account.id,
    username: account.username,
    name: account.name,
    account_type: account.type,
    profile_picture_url: portraitOf(sandbox, account.name),
    followers_count: 0,
    follows_count: 0,
    media_count: Object.values(instagram(sandbox).media).filter((media) => media.accountId === account.id).length,
    biography: undefined,
    website: undefined,
  }
}

function containerNode(c: Context, sandbox: SandboxContext, container: InstagramContainer): GraphNode {
  const code = containerStatus(sandbox, container, statusAsOf(c, container, sandbox.now()))
  return {
    id: container.id,
    status_code: code,
    status: statusText(code, container.failure),
    copyright_check_status: undefined,
  }
}

function mediaNode(sandbox: SandboxContext, who: InstagramCaller, media: InstagramMedia): GraphNode {
  const first = media.media[0]
  return {
    id: media.id,
    caption: media.caption || undefined,
    media_type: media.kind === 'CAROUSEL' ? 'CAROUSEL_ALBUM' : media.kind === 'REELS' ? 'VIDEO' : 'IMAGE',
    media_product_type: media.kind === 'REELS' ? 'REELS' : 'FEED',
    permalink: permalinkOf(media.kind, media.shortcode),
    shortcode: media.shortcode,
    timestamp: graphTime(media.at),
    username: who.account.username,
    owner: { id: who.account.id },
    ...(first ? mediaUrls(sandbox, first) : { media_url: undefined, thumbnail_url: undefined }),
    like_count: 0,
    comments_count: 0,
    is_shared_to_feed: media.kind === 'REELS' ? true : undefined,
    alt_text: undefined,
    children: media.children.length > 0 ? { data: media.children.map((id) => ({ id })) } : undefined,
  }
}

function typeOf(media: PublishedMedia): 'IMAGE' | 'VIDEO' {
  return media.type.startsWith('video/') ? 'VIDEO' : 'IMAGE'
}

function mediaUrls(
  sandbox: SandboxContext,
  media: PublishedMedia,
): { media_url: string; thumbnail_url: string | undefined } {
  const url = `${sandbox.url}/wall/media/${media.sha256}`
  return { media_url: url, thumbnail_url: typeOf(media) === 'VIDEO' ? url : undefined }
}
