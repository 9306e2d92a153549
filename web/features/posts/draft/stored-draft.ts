import type { Draft as StoredDraft, UpdateDraftInput } from '@flashsheet/contracts/drafts/schema'
import type { MediaItem } from '@flashsheet/contracts/media/schema'
import { duplicateDraft, hasUnsentWork } from './duplicate.ts'
import { isSent, hasRequests, variantsSoFar } from './draft-request.ts'
import { pageKey, type Draft, type SelectedPage } from './draft.ts'

/** The part of the composer's draft that is stored on the server. */
export type DraftContent = Required<Pick<UpdateDraftInput, 'title' | 'mediaIds' | 'variants' | 'scheduledAt'>>

/** The content to store: only the first of several times, and only uploaded files. */
export function contentOf(draft: Draft): DraftContent {
  const variants = variantsSoFar(draft)
  return {
    title: variants.length === 0 ? draft.global.title : (variants.find(({ title }) => title !== '')?.title ?? ''),
    mediaIds: draft.media.flatMap((item) => item.mediaId ?? []),
    variants,
    scheduledAt: draft.scheduledAt[0] ?? null,
  }
}

/** Content as text for comparison. Members are sorted, because the database does not preserve their order. */
export function contentText(content: DraftContent | StoredDraft): string {
  const { title, mediaIds, scheduledAt } = content
  const variants = content.variants?.map(
    ({ platform, socialAccountId, pageId, title: pageTitle, message, options, crops }) => ({
      platform,
      socialAccountId,
      pageId,
      title: pageTitle,
      message,
      options: options ?? {},
      crops,
    }),
  )
  return JSON.stringify({ title, mediaIds, variants, scheduledAt }, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  )
}

/**
 * The composer's draft for a stored one, without disconnected pages, deleted media, a passed time, and TikTok's options: TikTok requires
 * that a person chooses them for each post (docs/networks/tiktok.md).
 */
export function openStored(
  stored: StoredDraft,
  library: readonly MediaItem[],
  pages: readonly SelectedPage[],
  id: string,
  now: number,
): Draft {
  const variants = stored.variants.flatMap((variant) => {
    const page = pages.find((one) => pageKey(one) === pageKey(variant))
    return page ? [{ ...variant, pageName: page.name }] : []
  })
  const duplicate = duplicateDraft({ mediaIds: stored.mediaIds, variants }, library, id)
  const { _id, version, title, scheduledAt } = stored
  const draft: Draft = {
    ...duplicate,
    global: variants.length === 0 ? { title, caption: stored.variants[0]?.message ?? '' } : duplicate.global,
    scheduledAt: scheduledAt !== null && Date.parse(scheduledAt) > now ? [scheduledAt] : [],
  }
  return { ...draft, stored: { id: _id, version, content: contentText(contentOf(draft)), tried: null } }
}

/** A separate draft with the same content; saving it creates another stored draft. */
export function detachFromStored(draft: Draft, id: string): Draft {
  return { ...draft, id, stored: null, requestIds: {} }
}

/** Whether replacing the draft would lose work. */
export function isUnsaved(draft: Draft): boolean {
  if (!draft.stored) return hasUnsentWork(draft)
  if (isSent(draft)) return false
  return draft.media.some((item) => item.mediaId === null) || contentText(contentOf(draft)) !== draft.stored.content
}

/** A stored draft has its captions by page, so a caption cannot be stored without any page. */
export function hasCaptionWithoutPage(draft: Draft): boolean {
  return draft.pages.length === 0 && draft.global.caption.trim() !== ''
}

/** Whether the opened stored draft was changed elsewhere, or posted or deleted there ('gone'). 'same' while unknown. */
export function storedState(draft: Draft, current: StoredDraft | 'gone' | undefined): 'same' | 'changed' | 'gone' {
  const { stored } = draft
  // Posting the composer's content deletes the stored draft, which is no change made elsewhere.
  if (!stored || current === undefined || isSent(draft) || hasRequests(draft)) return 'same'
  if (current === 'gone') return 'gone'
  if (current._id !== stored.id || current.version <= stored.version) return 'same'
  // Equal content comes from a save of ours whose response is pending or lost, or from another window of this browser.
  const currentText = contentText(current)
  return currentText === stored.tried || currentText === contentText(contentOf(draft)) ? 'same' : 'changed'
}
