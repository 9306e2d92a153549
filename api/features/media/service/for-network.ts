import type { MediaForNetwork, MediaForNetworkInput } from '@flashsheet/contracts/media/schema'
import { socialMessages } from '@flashsheet/contracts/social/messages'
import { videoOnlyPlatforms } from '@flashsheet/contracts/networks'
import type { SubscriberCtx } from '../../../core/context.ts'
import { NetworkError } from '../../../gateways/networks/adapter.ts'
import { findItems } from '../queries/items.ts'
import { renditionsFor } from './render.ts'

/**
 * The caller's items in the very form a network will be sent them in, each with an address of those bytes; or the sentence
 * why they cannot be brought into that form. What is made here is what publishing sends later.
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
          // The address a network would fetch from, for the browser on its own origin.
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
