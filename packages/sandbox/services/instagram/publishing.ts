import { Hono } from 'hono'
import type { Context } from 'hono'
import { makeLate } from '../../late.ts'
import { siteOf } from '../../post-link.ts'
import { toRead } from '../../store-track.ts'
import type { PublishedMedia, World } from '../../world.ts'
import { badParameter, graphRoute, readParams } from '../meta/graph.ts'
import { instagramCaller, instagramUsage, needPublishing, ownAccount } from './access.ts'
import { containerStatus, faultContainer } from './containers.ts'
import { refusal } from './refusals.ts'
import { instagram, type InstagramContainer } from './state.ts'

const day = 24 * 3_600_000
export const postsPerDay = 100

/** How many posts this account published in the last 24 hours. */
export function publishedToday(world: World, accountId: string): number {
  const since = world.now() - day
  return Object.values(toRead(instagram(world).media)).filter((one) => one.accountId === accountId && one.at > since)
    .length
}

/** `POST /{ig}/media_publish`: the one irreversible call (docs/networks/instagram.md). */
export function instagramPublishing(world: World): Hono {
  const app = new Hono()
  app.post(
    '/:id/media_publish',
    graphRoute((c) => publish(c, world)),
  )
  return app
}

async function publish(c: Context, world: World): Promise<Response> {
  const params = await readParams(c)
  const who = instagramCaller(c, world, params)
  const account = ownAccount(who, c.req.param('id') ?? '', 'post')
  needPublishing(who)
  instagramUsage(c, account.id)
  const creation = params.text('creation_id')
  if (!creation) throw badParameter('The parameter creation_id is required')
  const container = instagram(world).containers[creation]
  if (!container || container.accountId !== account.id) throw refusal(2207008, `creation_id ${creation}`)
  faultContainer(c, container)
  const status = containerStatus(world, container)
  if (status === 'EXPIRED') throw refusal(2207020)
  // not ready, failed, a carousel's part, or already public: none of them is there to be published
  if (status !== 'FINISHED' || container.child) throw refusal(2207027)
  if (world.settings.quotas && publishedToday(world, account.id) >= postsPerDay) throw refusal(2207042)
  makeLate(c, container)
  const id = goLive(world, container)
  const media = instagram(world).media[id]
  if (media) makeLate(c, media)
  return c.json({ id })
}

function goLive(world: World, container: InstagramContainer): string {
  const state = instagram(world)
  const id = `18${world.digits(15)}`
  const shortcode = `D${world.secret(8).slice(0, 10)}`
  const parts = container.children.flatMap((child) => {
    const media = state.containers[child]?.media
    return media ? [media] : []
  })
  const media: PublishedMedia[] = container.media ? [container.media] : parts
  const children = parts.map((part) => {
    const own = `18${world.digits(15)}`
    state.children[own] = { id: own, parent: id, media: part }
    return own
  })
  const kind = container.kind === 'VIDEO' ? 'REELS' : container.kind
  const at = world.now()
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
  world.publish({
    platform: 'instagram',
    pageId: container.accountId,
    id,
    title: '',
    text: container.caption,
    media,
    permalink: permalinkOf(kind, shortcode),
    at: new Date(at).toISOString(),
  })
  return id
}

/** The public address of a post. */
export function permalinkOf(kind: 'IMAGE' | 'REELS' | 'CAROUSEL', shortcode: string): string {
  return `${siteOf('instagram')}/${kind === 'REELS' ? 'reel' : 'p'}/${shortcode}/`
}
