import { mediaLimits } from '@flashsheet/contracts/media/limits'
import { networks, type Platform } from '@flashsheet/contracts/networks'
import type { Network, PlatformDescriptor, SocialAccount } from '@flashsheet/contracts/social/schema'
import type { AccountRow, PageRow } from './queries/accounts.ts'

export function platformDescriptor(platform: Platform): PlatformDescriptor {
  return { _id: platform, platform }
}

/** A network's limits, within those of the product. */
export function networkView(platform: Platform): Network {
  const { name, caption, title, hashtags, mentions, media, extras } = networks[platform]
  const { images, video } = media
  const { mp4Only: _, plainFileOnly: __, seconds, bytes, codecs, audioCodecs, ...frame } = video
  return {
    platform,
    name,
    caption: { max: caption.max, counts: caption.counts },
    ...(title && { title }),
    ...(hashtags && { hashtags }),
    ...(mentions && { mentions }),
    media: {
      images: images && {
        ...images,
        count: Math.min(images.count, mediaLimits.imagesPerPost),
        types: [...images.types],
      },
      video: {
        ...frame,
        count: 1,
        seconds: { ...seconds, max: Math.min(seconds?.max ?? Infinity, mediaLimits.videoSeconds) },
        bytes: { ...bytes, max: Math.min(bytes?.max ?? Infinity, mediaLimits.videoBytes) },
        ...(codecs && { codecs: [...codecs] }),
        ...(audioCodecs && { audioCodecs: [...audioCodecs] }),
      },
    },
    extras: [...extras],
  }
}

/** An account as the API returns it, without tokens. */
export function socialAccount(account: AccountRow, pages: readonly PageRow[], reconnectBy: Date | null): SocialAccount {
  return {
    _id: account.id,
    platform: account.platform,
    providerName: account.providerName,
    providerUserId: account.providerUserId,
    health: account.health,
    reconnectBy: reconnectBy?.toISOString() ?? null,
    pages: pages
      .filter((page) => page.accountId === account.id)
      .map((page) => ({
        pageId: page.pageId,
        name: page.name,
        username: page.username,
        picture: page.pictureFile && `/files/page-pictures/${page.id}/${page.pictureFile}`,
        connectedAt: page.connectedAt.toISOString(),
      })),
  }
}
