import { draftLimits } from '@flashsheet/contracts/drafts/limits'
import type { Draft } from '@flashsheet/contracts/drafts/schema'
import type { PostVariantInput } from '@flashsheet/contracts/posts/schema'

type Content = Pick<Draft, 'mediaIds' | 'variants'>

/** Whether variants have more text than a draft may. */
export function areTooLong(variants: Draft['variants']): boolean {
  return JSON.stringify(variants).length > draftLimits.variantsTextMax
}

/** Variants in the form stored in a draft. */
export function draftVariants(variants: readonly PostVariantInput[]): Draft['variants'] {
  return variants.map(({ options = {}, ...variant }) => ({ ...variant, options }))
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
