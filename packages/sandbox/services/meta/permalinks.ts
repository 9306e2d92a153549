import type { Context } from 'hono'
import { siteOf } from '../../post-link.ts'
import type { PublishedPost, World } from '../../world.ts'

/** The post whose public address is the one asked for, its site replaced by this sandbox. */
export function postAt(c: Context, world: World, network: 'facebook' | 'instagram'): PublishedPost | undefined {
  const url = new URL(c.req.url)
  const asked = tidy(siteOf(network) + url.pathname.replace(/^\/www\.[a-z]+\.com/, '') + url.search)
  return world.posts().find((post) => post.platform === network && tidy(post.permalink) === asked)
}

function tidy(address: string): string {
  return address.replace(/\/(?=\?|$)/, '')
}
