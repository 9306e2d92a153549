import type { Context } from 'hono'
import { siteOf } from '../../post-link.ts'
import type { PublishedPost, SandboxContext } from '../../context.ts'

/** The post with the requested public address, whose origin is replaced by the sandbox's. */
export function postAt(
  c: Context,
  sandbox: SandboxContext,
  network: 'facebook' | 'instagram',
): PublishedPost | undefined {
  const url = new URL(c.req.url)
  const address = withoutTrailingSlash(siteOf(network) + url.pathname.replace(/^\/www\.[a-z]+\.com/, '') + url.search)
  return sandbox.posts().find((post) => post.platform === network && withoutTrailingSlash(post.permalink) === address)
}

function withoutTrailingSlash(address: string): string {
  return address.replace(/\/(?=\?|$)/, '')
}
