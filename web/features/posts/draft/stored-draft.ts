import type { Draft as StoredDraft, UpdateDraftInput } from '@flashsheet/contracts/drafts/schema'
import type { MediaItem } from '@flashsheet/contracts/media/schema'
import { duplicateDraft, isBegun } from './duplicate.ts'
import { isSent, isTried, variantsSoFar } from './draft-request.ts'
import { pageKey, type Draft, type SelectedPage } from './draft.ts'

/** The part of the composer's draft that is stored on the server. */
export type DraftContent = Required<Pick<UpdateDraftInput, 'title' | 'mediaIds' | 'variants' | 'scheduledAt'>>

/** The content to store. Of several times only the first is stored; files that are not uploaded yet are left out. */
export function contentOf(draft: Draft): DraftContent {
  const variants = variantsSoFar(draft)
  return {
    title: variants.length === 0 ? draft.global.title : (variants.find(({ title }) => title !== '')?.title ?? ''),
    mediaIds: draft.media.flatMap((item) => item.mediaId ?? []),
    variants,
    scheduledAt: draft.scheduledAt[0] ?? null,
  }
}

/** Content as text for comparison. Members are in a fixed order, because the database returns JSON members in its own order. */
export function contentText(content: DraftContent | StoredDraft): string {
  const { title, mediaIds, scheduledAt } = content
  const variants = content.variants?.map(
    ({ platform, socialAccountId, pageId, title: own, message, options, crops }) => ({
      platform,
      socialAccountId,
      pageId,
      title: own,
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

/** Marks a draft as stored under this id and version. */
function asStored(draft: Draft, { _id, version }: Pick<StoredDraft, '_id' | 'version'>): Draft {
  return { ...draft, stored: { id: _id, version, content: contentText(contentOf(draft)), tried: null } }
}

/**
 * Opens a stored draft in the composer. Disconnected pages, deleted media and a passed time are left out. TikTok's options are not taken
 * over: TikTok requires that a person chooses them for each post (docs/networks/tiktok.md).
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
  const draft = duplicateDraft({ mediaIds: stored.mediaIds, variants }, library, id)
  const isAhead = stored.scheduledAt !== null && Date.parse(stored.scheduledAt) > now
  const words =
    variants.length === 0 ? { title: stored.title, caption: stored.variants[0]?.message ?? '' } : draft.global
  return asStored(
    { ...draft, global: words, scheduledAt: isAhead && stored.scheduledAt ? [stored.scheduledAt] : [] },
    stored,
  )
}

/** A separate draft with the same content; saving it creates another stored draft. */
export function detached(draft: Draft, id: string): Draft {
  return { ...draft, id, stored: null, requestIds: {} }
}

/** Whether replacing the draft would lose work. */
export function isUnsaved(draft: Draft): boolean {
  if (!draft.stored) return isBegun(draft)
  if (isSent(draft)) return false
  return draft.media.some((item) => item.mediaId === null) || contentText(contentOf(draft)) !== draft.stored.content
}

/** A stored draft keeps captions by page, so a caption without any page cannot be stored. */
export function hasCaptionWithoutPage(draft: Draft): boolean {
  return draft.pages.length === 0 && draft.global.caption.trim() !== ''
}

/** Whether the stored draft that is open was changed elsewhere, or posted or deleted ('gone'). 'same' while unknown. */
export function storedState(draft: Draft, current: StoredDraft | 'gone' | undefined): 'same' | 'changed' | 'gone' {
  const { stored } = draft
  // Posting deletes it, which is no change made elsewhere.
  if (!stored || current === undefined || isSent(draft) || isTried(draft)) return 'same'
  if (current === 'gone') return 'gone'
  if (current._id !== stored.id || current.version <= stored.version) return 'same'
  // The same content comes from a save of ours whose answer is pending or lost, or from another window of this browser.
  const theirs = contentText(current)
  return theirs === stored.tried || theirs === contentText(contentOf(draft)) ? 'same' : 'changed'
}
