import type { MediaForNetwork, MediaForNetworkInput } from '@flashsheet/contracts/media/schema'
import { socialMessages } from '@flashsheet/contracts/social/messages'
import { videoOnlyPlatforms } from '@flashsheet/contracts/networks'
import type { SubscriberCtx } from '../../../core/context.ts'
import { NetworkError } from '../../../gateways/networks/adapter.ts'
import { findItems } from '../queries/items.ts'
import { renditionsFor } from './render.ts'

/**
 * The renditions of the caller's items that publishing would send to a network, each with the address of its bytes; or
 * a message why they cannot be made.
 */
export async function mediaForNetwork(ctx: SubscriberCtx, input: MediaForNetworkInput): Promise<MediaForNetwork> {
  const { mediaIds, platform } = input
  const kinds = (await findItems(ctx.db, ctx.owner, mediaIds)).map((item) => item.kind)
  if (kinds.includes('image') && videoOnlyPlatforms.includes(platform))
    return { media: [], refusal: socialMessages.videoOnly }
  try {
    const media = await renditionsFor(ctx, ctx.owner, mediaIds, platform)
    return {
      media: await Promise.all(
        media.map(async ({ kind, mimeType, bytes, width, height, url }) => {
          // Relative, so that a browser fetches it from its own origin.
          const { pathname } = new URL(await url())
          return { type: kind, mimeType, bytes, width, height, url: pathname }
        }),
      ),
      refusal: null,
    }
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    return { media: [], refusal: error.message }
  }
}
