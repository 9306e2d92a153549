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

/** Answers a public address of a network: redirects that of a post to the public feed, or 404. */
export function redirectToFeed(c: Context, sandbox: SandboxContext, network: Network): Response | Promise<Response> {
  const { pathname, search } = new URL(c.req.url)
  const address = withoutTrailingSlash(`https:/${pathname}${search}`)
  const post = sandbox
    .posts()
    .find((one) => one.platform === network && withoutTrailingSlash(one.permalink) === address)
  if (post) return c.redirect(`/wall/${network}/${encodeURIComponent(post.id)}`)
  return missingPage(c, network, 'Not available', 'This post is not available')
}

function withoutTrailingSlash(address: string): string {
  return address.replace(/\/(?=\?|$)/, '')
}
