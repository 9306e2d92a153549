import type { MediaItem } from '@flashsheet/contracts/media/schema'
import { focusOf } from '@flashsheet/contracts/media/rules'
import { networks } from '@flashsheet/contracts/networks'
import type { Post, PostVariant } from '@flashsheet/contracts/posts/schema'
import { fromLibrary, newDraft, pageKey, type Caption, type Draft } from './draft.ts'
import { isSent, isTried } from './draft-request.ts'

/** A post, or a stored draft with the names of its pages. */
type Original = Pick<Post, 'mediaIds' | 'toGallery'> & {
  variants: Pick<
    PostVariant,
    'platform' | 'socialAccountId' | 'pageId' | 'pageName' | 'title' | 'message' | 'options' | 'crops'
  >[]
}

/**
 * A new draft from a post: its captions, media still in the library, pages still connected, and the website if its pictures have not been
 * added there yet. TikTok's choices must be made for each post (docs/networks/tiktok.md).
 */
export function duplicateDraft(post: Original, library: readonly MediaItem[], id: string): Draft {
  const items = new Map(library.map((item) => [item._id, item]))
  const media = post.mediaIds.flatMap((mediaId) => {
    const item = items.get(mediaId)
    return item ? [fromLibrary(item)] : []
  })
  const variants = post.variants.flatMap((variant) =>
    variant.socialAccountId === null ? [] : [{ ...variant, socialAccountId: variant.socialAccountId }],
  )
  const words = (variant: { title: string; message: string }): Caption => ({
    title: variant.title,
    caption: variant.message,
  })
  const [first] = post.variants
  const isGlobal = post.variants.every((variant) => variant.title === first?.title && variant.message === first.message)
  return {
    ...newDraft(id),
    tab: 'library',
    media,
    pages: variants.map(({ platform, socialAccountId, pageId, pageName }) => ({
      platform,
      socialAccountId,
      pageId,
      name: pageName,
    })),
    isGlobal,
    global: first ? words(first) : { title: '', caption: '' },
    individual: isGlobal ? {} : Object.fromEntries(variants.map((variant) => [pageKey(variant), words(variant)])),
    youtube: Object.fromEntries(
      variants.flatMap((variant) => (variant.options.youtube ? [[pageKey(variant), variant.options.youtube]] : [])),
    ),
    framing: framingsOf(post),
    toGallery: post.toGallery ?? false,
    step: media.length === 0 ? 1 : variants.length === 0 ? 2 : 3,
  }
}

/** The crops of a page whose network restricts the shape; whole pictures without such a page. */
function framingsOf({ mediaIds, variants }: Original): Draft['framing'] {
  const shaped = variants.find(({ platform }) => networks[platform].media.images?.ratio)
  if (!shaped) return {}
  return Object.fromEntries(
    mediaIds.map((id, at) => {
      const crop = shaped.crops?.[at]
      return [id, { isCropped: Boolean(crop), focus: crop ? focusOf(crop) : 0.5 }]
    }),
  )
}

/** Whether the draft can be saved. One that was sent without an answer cannot: it may be a post by now. */
export function canSave(draft: Draft): boolean {
  return isBegun(draft) && !isTried(draft)
}

/** Whether a draft holds work that is not sent yet. */
export function isBegun(draft: Draft): boolean {
  if (isSent(draft)) return false
  const captions = [draft.global, ...Object.values(draft.individual)]
  return draft.media.length > 0 || captions.some(({ title, caption }) => title !== '' || caption !== '')
}
