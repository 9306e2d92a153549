import { applyDelays } from '../../request-faults.ts'
import { siteOf } from '../../post-link.ts'
import { withoutTracking } from '../../store-track.ts'
import type { PublishedMedia, SandboxContext } from '../../context.ts'
import { type GraphCall, graphCalls } from '../meta/graph-host.ts'
import { badParameter, usageHeaders } from '../meta/graph.ts'
import { instagramCaller, type InstagramCaller, requirePublishing, ownAccount } from './access.ts'
import { containerStatus, faultContainer } from './containers.ts'
import { refusal } from './refusals.ts'
import { instagram, type InstagramContainer } from './state.ts'

const day = 24 * 3_600_000
export const postsPerDay = 100

/** How many posts this account published in the last 24 hours. */
export function publishedToday(sandbox: SandboxContext, accountId: string): number {
  const since = sandbox.now() - day
  return Object.values(withoutTracking(instagram(sandbox).media)).filter(
    (one) => one.accountId === accountId && one.at > since,
  ).length
}

/** `POST /{ig}/media_publish`: the one irreversible call (docs/networks/instagram.md). */
export const instagramPublishing = graphCalls(instagramCaller, { 'POST /:id/media_publish': publish })

function publish({ c, sandbox, params, id: accountId, who }: GraphCall<InstagramCaller>): Response {
  const account = ownAccount(who, accountId, 'post')
  requirePublishing(who)
  usageHeaders(c, 'instagram', account.id)
  const creation = params.text('creation_id')
  if (!creation) throw badParameter('The parameter creation_id is required')
  const container = instagram(sandbox).containers[creation]
  if (!container || container.accountId !== account.id) throw refusal(2207008, `creation_id ${creation}`)
  faultContainer(c, container)
  const status = containerStatus(sandbox, container)
  if (status === 'EXPIRED') throw refusal(2207020)
  // A container that is not ready, failed, belongs to a carousel, or is already published cannot be published.
  if (status !== 'FINISHED' || container.child) throw refusal(2207027)
  if (sandbox.settings.quotas && publishedToday(sandbox, account.id) >= postsPerDay) throw refusal(2207042)
  applyDelays(c, container)
  const id = publishContainer(sandbox, container)
  const media = instagram(sandbox).media[id]
  if (media) applyDelays(c, media)
  return c.json({ id })
}

function publishContainer(sandbox: SandboxContext, container: InstagramContainer): string {
  const state = instagram(sandbox)
  const id = `18${sandbox.digits(15)}`
  const shortcode = `D${sandbox.secret(8).slice(0, 10)}`
  const parts = container.children.flatMap((child) => {
    const media = state.containers[child]?.media
    return media ? [media] : []
  })
  const media: PublishedMedia[] = container.media ? [container.media] : parts
  const children = parts.map((part) => {
    const own = `18${sandbox.digits(15)}`
    state.children[own] = { id: own, parent: id, media: part }
    return own
  })
  const kind = container.kind === 'VIDEO' ? 'REELS' : container.kind
  const at = sandbox.now()
  state.media[id] = {
    id,
    accountId: container.accountId,
    shortcode,
    kind,
    caption: container.caption,
    at,
    children,
    media,
  }
  container.mediaId = id
  container.publishedAt = at
  for (const child of container.children) {
    const used = state.containers[child]
    if (used) used.mediaId = id
  }
  sandbox.publish({
    platform: 'instagram',
    pageId: container.accountId,
    id,
    title: '',
    text: container.caption,
    media,
    permalink: permalinkOf(kind, shortcode),
    at: new Date(at).toISOString(),
    ...(kind === 'REELS' ? { kind: 'reel' as const } : {}),
    extras: {
      altTexts: container.media ? [container.alt] : container.children.map((id) => state.containers[id]?.alt ?? ''),
      ...(container.thumbOffset > 0 ? { coverMs: container.thumbOffset } : {}),
    },
  })
  return id
}

/** The public address of a post. */
export function permalinkOf(kind: 'IMAGE' | 'REELS' | 'CAROUSEL', shortcode: string): string {
  return `${siteOf('instagram')}/${kind === 'REELS' ? 'reel' : 'p'}/${shortcode}/`
}
