import { draftLimits } from '@flashsheet/contracts/drafts/limits'
import { draftMessages } from '@flashsheet/contracts/drafts/messages'
import type { Draft } from '@flashsheet/contracts/drafts/schema'
import { postMessages } from '@flashsheet/contracts/posts/messages'
import type { PostVariantInput } from '@flashsheet/contracts/posts/schema'

type Content = Pick<Draft, 'mediaIds' | 'variants'>

/** Why variants cannot be stored in a draft: pages that are not the artist's or given twice, or too much text. Drafts may be incomplete. */
export function refuseVariants(
  variants: Draft['variants'],
  own: readonly { accountId: string; pageId: string; platform: string }[],
): string | undefined {
  if (JSON.stringify(variants).length > draftLimits.variantsTextMax) return draftMessages.tooLong
  const isOwn = (variant: Draft['variants'][number]) =>
    own.some(
      (page) =>
        page.accountId === variant.socialAccountId &&
        page.pageId === variant.pageId &&
        page.platform === variant.platform,
    )
  if (!variants.every(isOwn)) return postMessages.pageUnknown
  if (new Set(variants.map((variant) => `${variant.socialAccountId} ${variant.pageId}`)).size < variants.length)
    return postMessages.pageTwice
  return undefined
}

/** Variants in the form stored in a draft. */
export function draftVariants(variants: readonly PostVariantInput[]): Draft['variants'] {
  return variants.map(({ platform, socialAccountId, pageId, title, message, options, crops }) => ({
    platform,
    socialAccountId,
    pageId,
    title,
    message,
    options: options ?? {},
    ...(crops ? { crops } : {}),
  }))
}

/** A draft's content without the deleted media and their crops. */
export function withoutMedia({ mediaIds, variants }: Content, deletedIds: readonly string[]): Content {
  const isRemaining = (_: unknown, at: number) => !deletedIds.includes(mediaIds[at] ?? '')
  return {
    mediaIds: mediaIds.filter(isRemaining),
    variants: variants.map((variant) =>
      variant.crops ? { ...variant, crops: variant.crops.filter(isRemaining) } : variant,
    ),
  }
}
