import { networks } from '@flashsheet/contracts/networks'
import type { PostCopy, PostParam } from '@flashsheet/contracts/posts/schema'
import type { SubscriberCtx } from '../../../core/context.ts'
import { connectedPages } from '../../social/service/accounts.ts'
import { ownPage } from '../rules/compose.ts'
import { getPost } from './read.ts'

/** A post's content to send again, without disconnected pages, deleted media, and options to be chosen for each post. Throws notFound. */
export async function copyPost(ctx: SubscriberCtx, input: PostParam): Promise<PostCopy> {
  const [post, pages] = [await getPost(ctx, input), await connectedPages(ctx.db, ctx.owner)]
  const isAvailable = post.media.map(({ _id }) => _id !== null && _id !== undefined)
  const variants = post.variants.flatMap((variant) => {
    const { platform, socialAccountId, pageId, title, message, crops } = variant
    if (socialAccountId === null || !ownPage({ platform, socialAccountId, pageId }, pages)) return []
    const options = networks[platform].asksCreator ? {} : variant.options
    const remaining = crops?.filter((_crop, at) => isAvailable[at])
    return [{ platform, socialAccountId, pageId, title, message, options, ...(remaining ? { crops: remaining } : {}) }]
  })
  const mediaIds = post.media.flatMap(({ _id }) => _id ?? [])
  return { title: post.variants.find(({ title }) => title !== '')?.title ?? '', mediaIds, variants, scheduledAt: null }
}
