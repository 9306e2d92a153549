import type { MediaForNetwork, MediaForNetworkInput } from '@flashsheet/contracts/media/schema'
import { socialMessages } from '@flashsheet/contracts/social/messages'
import { videoOnlyPlatforms } from '@flashsheet/contracts/networks'
import type { SubscriberCtx } from '../../../core/context.ts'
import { NetworkError } from '../../../gateways/networks/adapter.ts'
import { findItems } from '../queries/items.ts'
import { renditionsFor } from './render.ts'

/**
 * The caller's items in the exact form that a network will get, each with an address of its bytes; or a message why
 * they cannot be converted. Publishing sends these files later.
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
          // The address that a network would fetch, at the browser's own origin.
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
