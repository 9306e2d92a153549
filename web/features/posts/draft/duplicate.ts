import type { MediaItem } from '@flashsheet/contracts/media/schema'
import { focusOf } from '@flashsheet/contracts/media/rules'
import { networks } from '@flashsheet/contracts/networks'
import type { Post, PostVariant } from '@flashsheet/contracts/posts/schema'
import { fromLibrary, newDraft, pageKey, pageOf, type Caption, type Draft } from './draft.ts'
import { isSent, hasRequests } from './draft-request.ts'

/** A post, or a stored draft with its page names. */
type DuplicateSource = Pick<Post, 'mediaIds' | 'toGallery'> & {
  variants: Pick<
    PostVariant,
    'platform' | 'socialAccountId' | 'pageId' | 'pageName' | 'title' | 'message' | 'options' | 'crops'
  >[]
}

/**
 * A new draft from a post: its captions, the media still in the library, the pages still connected, and whether its pictures still have to
 * be added to the website. Without TikTok's options, which must be chosen for each post (docs/networks/tiktok.md).
 */
export function duplicateDraft(post: DuplicateSource, library: readonly MediaItem[], id: string): Draft {
  const items = new Map(library.map((item) => [item._id, item]))
  const media = post.mediaIds.flatMap((mediaId) => {
    const item = items.get(mediaId)
    return item ? [fromLibrary(item)] : []
  })
  const variants = post.variants.filter((variant) => variant.socialAccountId !== null)
  const keyOf = (variant: (typeof variants)[number]) => pageKey(pageOf(variant))
  const captionFrom = ({ title, message }: { title: string; message: string }): Caption => ({ title, caption: message })
  const empty = newDraft(id)
  const [first] = post.variants
  const isGlobal = post.variants.every((variant) => variant.title === first?.title && variant.message === first.message)
  return {
    ...empty,
    tab: 'library',
    media,
    pages: variants.map(pageOf),
    isGlobal,
    global: first ? captionFrom(first) : empty.global,
    individual: isGlobal ? {} : Object.fromEntries(variants.map((variant) => [keyOf(variant), captionFrom(variant)])),
    youtube: Object.fromEntries(
      variants.flatMap((variant) => (variant.options.youtube ? [[keyOf(variant), variant.options.youtube]] : [])),
    ),
    framing: framingsOf(post),
    toGallery: post.toGallery ?? false,
    step: media.length === 0 ? 1 : variants.length === 0 ? 2 : 3,
  }
}

/** The crops of a page whose network restricts the shape; without such a page no picture is cropped. */
function framingsOf({ mediaIds, variants }: DuplicateSource): Draft['framing'] {
  const shaped = variants.find(({ platform }) => networks[platform].media.images?.ratio)
  if (!shaped) return {}
  return Object.fromEntries(
    mediaIds.map((id, index) => {
      const crop = shaped.crops?.[index]
      return [id, { isCropped: Boolean(crop), focus: crop ? focusOf(crop) : 0.5 }]
    }),
  )
}

/** Whether the draft can be saved. One with a request of unknown outcome cannot, because it may already be a post. */
export function canSave(draft: Draft): boolean {
  return hasUnsentWork(draft) && !hasRequests(draft)
}

/** Whether the draft has content that was not sent yet. */
export function hasUnsentWork(draft: Draft): boolean {
  if (isSent(draft)) return false
  const captions = [draft.global, ...Object.values(draft.individual)]
  return draft.media.length > 0 || captions.some(({ title, caption }) => title !== '' || caption !== '')
}
