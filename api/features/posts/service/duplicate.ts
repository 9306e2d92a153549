import type { PostCopy, PostParam } from '@flashsheet/contracts/posts/schema'
import type { SubscriberCtx } from '../../../core/context.ts'
import { connectedPages } from '../../social/service/accounts.ts'
import { getPost } from './read.ts'

/**
 * What a post was made of, ready to be sent again: without pages that are no longer connected, and media that the library no longer has.
 * Nothing is stored. Throws notFound.
 */
export async function duplicatePost(ctx: SubscriberCtx, input: PostParam): Promise<PostCopy> {
  const [post, pages] = [await getPost(ctx, input), await connectedPages(ctx.db, ctx.owner)]
  const variants = post.variants.flatMap(({ platform, socialAccountId, pageId, title, message, options }) =>
    socialAccountId !== null && pages.some((page) => page.accountId === socialAccountId && page.pageId === pageId)
      ? [{ platform, socialAccountId, pageId, title, message, options }]
      : [],
  )
  const mediaIds = post.media.flatMap(({ _id }) => _id ?? [])
  return { title: post.variants.find(({ title }) => title !== '')?.title ?? '', mediaIds, variants, scheduledAt: null }
}
