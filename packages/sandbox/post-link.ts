import type { Context } from 'hono'
import { html } from 'hono/html'
import { page } from './page.ts'
import type { Network, World } from './world.ts'

/**
 * Where the public addresses of a network begin: the real site, as the networks answer them. The same path below the sandbox's own
 * `/www.<network>.com` leads to the wall. The one place to change should they begin at the sandbox instead.
 */
export function siteOf(network: Network): string {
  return `https://www.${network}.com`
}

/** Answers a post's public address: leads to the wall, which shows it, or says that there is nothing. */
export function toWall(c: Context, world: World, platform: Network, id: string): Response | Promise<Response> {
  const post = world.posts().find((one) => one.platform === platform && one.id === id)
  if (post) return c.redirect(`/wall/${platform}/${encodeURIComponent(id)}`)
  return page(c, { title: 'Not available', stands: platform, status: 404 }, html`<h1>This post is not available</h1>`)
}
