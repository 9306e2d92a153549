import type { Draft as StoredDraft, UpdateDraftInput } from '@flashsheet/contracts/drafts/schema'
import type { MediaItem } from '@flashsheet/contracts/media/schema'
import { duplicateDraft, isBegun } from './duplicate.ts'
import { isSent, isTried, variantsSoFar } from './draft-request.ts'
import { pageKey, type Draft, type SelectedPage } from './draft.ts'

/** What of a post that is being composed a stored draft holds. */
export type DraftContent = Required<Pick<UpdateDraftInput, 'title' | 'mediaIds' | 'variants' | 'scheduledAt'>>

/** What is to be stored of a draft; of several times it is the first. Files that have not arrived are left out. */
export function contentOf(draft: Draft): DraftContent {
  const variants = variantsSoFar(draft)
  return {
    title: variants.length === 0 ? draft.global.title : (variants.find(({ title }) => title !== '')?.title ?? ''),
    mediaIds: draft.media.flatMap((item) => item.mediaId ?? []),
    variants,
    scheduledAt: draft.scheduledAt[0] ?? null,
  }
}

/** Content as one text, the same for the same content on either side: the database has its own order of members. */
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

/** A draft that is the same as what was stored under this id and version. */
function asStored(draft: Draft, { _id, version }: Pick<StoredDraft, '_id' | 'version'>): Draft {
  return { ...draft, stored: { id: _id, version, content: contentText(contentOf(draft)), tried: null } }
}

/**
 * A stored draft as the composer has one. Pages that are no longer connected, media that the library no longer has, and a time that has passed are left out;
 * TikTok's choices are made here, by a person.
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

/** A draft of its own with the same content; saving it makes another stored draft. */
export function detached(draft: Draft, id: string): Draft {
  return { ...draft, id, stored: null, requestIds: {} }
}

/** Whether a draft holds work that would be lost if another took its place. */
export function isUnsaved(draft: Draft): boolean {
  if (!draft.stored) return isBegun(draft)
  if (isSent(draft)) return false
  return draft.media.some((item) => item.mediaId === null) || contentText(contentOf(draft)) !== draft.stored.content
}

/** Words belong to pages: without one they have no place in a stored draft. */
export function hasHomelessWords(draft: Draft): boolean {
  return draft.pages.length === 0 && draft.global.caption.trim() !== ''
}

/** What became of the stored draft that is open, as far as is known: changed by somebody else, gone, or neither. */
export function storedState(draft: Draft, current: StoredDraft | 'gone' | undefined): 'same' | 'changed' | 'gone' {
  const { stored } = draft
  // While it is being posted it goes, and that is as it should be.
  if (!stored || current === undefined || isSent(draft) || isTried(draft)) return 'same'
  if (current === 'gone') return 'gone'
  if (current._id !== stored.id || current.version <= stored.version) return 'same'
  // Our own save, whose answer is on its way or was lost, or that of another window of this browser.
  const theirs = contentText(current)
  return theirs === stored.tried || theirs === contentText(contentOf(draft)) ? 'same' : 'changed'
}
