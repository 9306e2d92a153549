import type { Context } from 'hono'
import { missingPage } from './page.ts'
import type { Network, SandboxContext } from './context.ts'

/**
 * The origin of a network's public addresses, which is the real site. The same path below the sandbox's
 * `/www.<network>.com` redirects to the public feed.
 */
export function siteOf(network: Network): string {
  return `https://www.${network}.com`
}

/** Answers a post's public address: redirects to the public feed, or 404. */
export function redirectToFeed(
  c: Context,
  sandbox: SandboxContext,
  platform: Network,
  id: string,
): Response | Promise<Response> {
  const post = sandbox.posts().find((one) => one.platform === platform && one.id === id)
  if (post) return c.redirect(`/wall/${platform}/${encodeURIComponent(id)}`)
  return missingPage(c, platform, 'Not available', 'This post is not available')
}
