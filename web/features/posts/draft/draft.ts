import { mediaLimits } from '@flashsheet/contracts/media/limits'
import { type Platform, videoOnlyPlatforms } from '@flashsheet/contracts/networks'
import { declaredType } from '@flashsheet/contracts/media/rules'
import { mediaMessages } from '@flashsheet/contracts/media/messages'
import { postMessages } from '@flashsheet/contracts/posts/messages'
import { socialMessages } from '@flashsheet/contracts/social/messages'
import type { MediaItem } from '@flashsheet/contracts/media/schema'
import type { PostVariant, YoutubeOptions } from '@flashsheet/contracts/posts/schema'
import { videoRefusal, type VideoProperties } from '@flashsheet/contracts/video'
import type { caption, media, page, Restored, storedOrigin, wholeDraft } from './restore-draft.ts'
import { noTiktokChoice, type TiktokChoice } from './tiktok-rules.ts'

/** The three cards of step 1. */
export const mediaModes = ['video', 'single-image', 'multiple-images'] as const
export type MediaMode = (typeof mediaModes)[number]

export type SelectedMedia = Restored<typeof media>
export type SelectedPage = Restored<typeof page>
export type Caption = Restored<typeof caption>
export type Draft = Restored<typeof wholeDraft>
export type StoredOrigin = Restored<typeof storedOrigin>
export type MediaTab = Draft['tab']
export type Step = Draft['step']

const emptyCaption: Caption = { title: '', caption: '' }

export function newDraft(id: string): Draft {
  return {
    id,
    step: 1,
    tab: 'upload',
    mode: null,
    media: [],
    pages: [],
    isGlobal: true,
    global: emptyCaption,
    individual: {},
    replaced: null,
    framing: {},
    tiktok: {},
    youtube: {},
    toGallery: false,
    scheduledAt: [],
    requestIds: {},
    sent: [],
    announced: false,
    stored: null,
  }
}

/** The page of a variant. A disconnected account has no id. */
export function pageOf({
  platform,
  socialAccountId,
  pageId,
  pageName,
}: Pick<PostVariant, 'platform' | 'socialAccountId' | 'pageId' | 'pageName'>): SelectedPage {
  return { platform, socialAccountId: socialAccountId ?? '', pageId, name: pageName }
}

/** Identifies a page under an account: two accounts may connect the same page. */
export function pageKey(page: Pick<SelectedPage, 'socialAccountId' | 'pageId'>): string {
  return `${page.socialAccountId}:${page.pageId}`
}

/** Why a network does not accept the picked items, in a sentence; null if no reason is known. */
export function pageRefusal(draft: Pick<Draft, 'media'>, platform: Platform): string | null {
  const video = draft.media.find((item) => item.type === 'video')
  if (video) return videoRefusal(platform, videoOf(video))
  return draft.media.length > 0 && videoOnlyPlatforms.includes(platform) ? socialMessages.videoOnly : null
}

function videoOf({ size, duration, dimensions, encoding, name }: SelectedMedia): VideoProperties {
  const { codec = null, audioCodec = null, fps = null } = encoding ?? {}
  return {
    bytes: size,
    seconds: duration,
    width: dimensions?.width ?? null,
    height: dimensions?.height ?? null,
    mimeType: declaredType('', name) || null,
    codec,
    audioCodec,
    fps,
  }
}

/** Another tab or card clears the picked items. */
export function chooseTab(draft: Draft, tab: MediaTab): Draft {
  return tab === draft.tab ? draft : { ...draft, tab, media: [] }
}

export function chooseMode(draft: Draft, mode: MediaMode): Draft {
  return mode === draft.mode ? draft : { ...draft, mode, media: [] }
}

/**
 * Adds picked items: one video, or up to ten images, never mixed. Uploads follow the chosen card, where a new pick replaces a single one;
 * in the library the first item decides. Returns the message to show if an item was refused.
 */
export function addMedia(draft: Draft, items: readonly SelectedMedia[]): { draft: Draft; message: string | null } {
  let media = draft.media
  let message: string | null = null
  for (const item of items) {
    if (media.some((chosen) => chosen._id === item._id)) continue
    const refusal = mediaRefusal(draft, media, item)
    if (refusal) message = refusal
    else media = takesSingleItem(draft) ? [item] : [...media, item]
  }
  return { draft: removeUnsupportedPages({ ...draft, media }), message }
}

function takesSingleItem(draft: Draft): boolean {
  return draft.tab === 'upload' && (draft.mode === 'video' || draft.mode === 'single-image')
}

/** Why an item cannot be added to `media`; null if it can. */
export function mediaRefusal(
  draft: Draft,
  media: readonly Pick<SelectedMedia, 'type'>[],
  item: Pick<SelectedMedia, 'type'>,
): string | null {
  if (draft.tab === 'upload' && draft.mode !== null) {
    if (draft.mode === 'video') return item.type === 'video' ? null : mediaMessages.videoType
    if (item.type === 'video') return mediaMessages.imageType
    if (draft.mode === 'single-image') return null
  }
  if (media.some((chosen) => chosen.type === 'video'))
    return item.type === 'video' ? postMessages.oneVideo : postMessages.mixedMedia
  if (item.type === 'video' && media.length > 0) return postMessages.mixedMedia
  return media.length >= mediaLimits.imagesPerPost ? postMessages.tooManyImages : null
}

export function removeMedia(draft: Draft, id: string): Draft {
  return { ...draft, media: draft.media.filter((item) => item._id !== id) }
}

/** Moves an item to another position; networks show the items in this order. */
export function moveMedia(draft: Draft, id: string, to: number): Draft {
  const item = draft.media.find((one) => one._id === id)
  if (!item) return draft
  const others = draft.media.filter((one) => one._id !== id)
  return { ...draft, media: [...others.slice(0, to), item, ...others.slice(to)] }
}

type MediaFacts = Pick<SelectedMedia, 'name' | 'type' | 'size' | 'duration' | 'dimensions' | 'encoding'>

/** What an item of the library, an upload and an item of the draft have in common. */
export function factsOf({ name, type, size, duration, dimensions, encoding }: MediaFacts): MediaFacts {
  return { name, type, size, duration, dimensions, encoding }
}

/** An item of the library as an item of the draft. */
export function fromLibrary(item: MediaItem): SelectedMedia {
  const { _id, thumbnailUrl, url } = item
  return { ...factsOf(item), _id, mediaId: _id, preview: thumbnailUrl, url, isLocal: false }
}

/** A new draft with these items of the library, at step 2. `message`: why they cannot be in one post. */
export function draftFromMedia(items: readonly MediaItem[], id: string): { draft: Draft; message: string | null } {
  const { draft, message } = addMedia({ ...newDraft(id), tab: 'library' }, items.map(fromLibrary))
  return { draft: { ...draft, step: 2 }, message }
}

/** Links a local file to its library item, without changing its position and `_id`. */
export function linkUploadedMedia(draft: Draft, id: string, uploaded: MediaItem): Draft {
  if (!draft.media.some((item) => item._id === id && item.mediaId === null)) return draft
  return {
    ...draft,
    media: draft.media.map((item) => (item._id === id ? { ...fromLibrary(uploaded), _id: id, isLocal: true } : item)),
  }
}

/** Replaces an item that a reload lost with the same file picked again, at the same position. */
export function replaceMedia(draft: Draft, id: string, item: SelectedMedia): Draft {
  return { ...draft, media: draft.media.map((chosen) => (chosen._id === id ? item : chosen)) }
}

/** Deselects pages whose network does not accept the picked items. */
function removeUnsupportedPages(draft: Draft): Draft {
  const pages = draft.pages.filter((page) => pageRefusal(draft, page.platform) === null)
  return pages.length === draft.pages.length ? draft : { ...draft, pages }
}

export function togglePage(draft: Draft, page: SelectedPage): Draft {
  const key = pageKey(page)
  if (draft.pages.some((chosen) => pageKey(chosen) === key)) {
    return { ...draft, pages: draft.pages.filter((chosen) => pageKey(chosen) !== key) }
  }
  if (pageRefusal(draft, page.platform) !== null) return draft
  // A page picked after the switch to individual captions starts with the global one, like the others.
  const individual =
    draft.isGlobal || draft.individual[key] ? draft.individual : { ...draft.individual, [key]: draft.global }
  return { ...draft, pages: [...draft.pages, page], individual }
}

/** Deselects pages that are no longer connected. */
export function removeDisconnectedPages(draft: Draft, connectedKeys: ReadonlySet<string>): Draft {
  const pages = draft.pages.filter((page) => connectedKeys.has(pageKey(page)))
  return pages.length === draft.pages.length ? draft : { ...draft, pages }
}

/** Switching to individual captions copies the global one to each picked page. */
export function setGlobal(draft: Draft, isGlobal: boolean): Draft {
  if (isGlobal === draft.isGlobal) return draft
  if (isGlobal) return { ...draft, isGlobal, replaced: null }
  const keys = draft.pages.map(pageKey)
  const hadOwnCaption = keys.some((key) => {
    const before = draft.individual[key]
    return (
      before &&
      (before.title || before.caption) &&
      (before.title !== draft.global.title || before.caption !== draft.global.caption)
    )
  })
  const individual = Object.fromEntries(keys.map((key) => [key, draft.global]))
  return { ...draft, isGlobal, individual, replaced: hadOwnCaption ? draft.individual : null }
}

/** Restores the individual captions that the switch overwrote. */
export function restoreIndividual(draft: Draft): Draft {
  return draft.replaced ? { ...draft, individual: { ...draft.individual, ...draft.replaced }, replaced: null } : draft
}

export function captionOf(draft: Draft, page: SelectedPage): Caption {
  return draft.isGlobal ? draft.global : (draft.individual[pageKey(page)] ?? emptyCaption)
}

/** `key`: null for the global caption. */
export function setCaption(draft: Draft, key: string | null, patch: Partial<Caption>): Draft {
  if (key === null) return { ...draft, global: { ...draft.global, ...patch } }
  return {
    ...draft,
    individual: { ...draft.individual, [key]: { ...emptyCaption, ...draft.individual[key], ...patch } },
  }
}

export function tiktokChoiceOf(draft: Draft, key: string): TiktokChoice {
  return draft.tiktok[key] ?? noTiktokChoice
}

/** Whether a picked page publishes branded content, for which TikTok has a policy of its own. */
export function hasBrandedContent(draft: Draft): boolean {
  return draft.pages.some((page) => {
    const choice = tiktokChoiceOf(draft, pageKey(page))
    return choice.discloses && choice.brandedContent
  })
}

export function setTiktok(draft: Draft, key: string, patch: Partial<TiktokChoice>): Draft {
  return { ...draft, tiktok: { ...draft.tiktok, [key]: { ...tiktokChoiceOf(draft, key), ...patch } } }
}

export function youtubeChoiceOf(draft: Draft, key: string): YoutubeOptions {
  return draft.youtube[key] ?? { privacyStatus: 'public', madeForKids: false }
}

export function setYoutube(draft: Draft, key: string, patch: Partial<YoutubeOptions>): Draft {
  return { ...draft, youtube: { ...draft.youtube, [key]: { ...youtubeChoiceOf(draft, key), ...patch } } }
}

/** Adds a time once; times stay in order. */
export function addTime(draft: Draft, iso: string): Draft {
  return draft.scheduledAt.includes(iso) ? draft : { ...draft, scheduledAt: [...draft.scheduledAt, iso].sort() }
}

export function removeTime(draft: Draft, iso: string): Draft {
  return { ...draft, scheduledAt: draft.scheduledAt.filter((time) => time !== iso) }
}

export function goTo(draft: Draft, step: number): Draft {
  const next = Math.min(4, Math.max(1, step)) as Step
  return { ...draft, step: next, replaced: null }
}
