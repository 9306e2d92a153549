import type { Platform } from '@flashsheet/contracts/networks'
import type { PostVariantInput } from '@flashsheet/contracts/posts/schema'
import { captionOf, pageKey, tiktokChoiceOf, youtubeChoiceOf, type Draft } from './draft.ts'
import { cropsFor } from './framing.ts'
import { missingForTiktok, tiktokOptions } from './tiktok-rules.ts'

/**
 * The request id of one of `times` ('now' and the next slot count as times), stored in the draft. Every tab makes the same one, also a tab
 * that does not know what another has sent. A request without an answer, whose time is no longer chosen, passes its id on: it may have
 * become a post, so the server then refuses another one. A stored draft can become only one post, which has the draft's id.
 */
export function requestIdFor(
  draft: Draft,
  time: string,
  times: readonly string[],
): { draft: Draft; requestId: string } {
  const { id, stored, requestIds, sent } = draft
  const isAbandoned = (one: string) => !times.includes(one) && !sent.some(({ scheduledAt }) => scheduledAt === one)
  const requestId =
    requestIds[time] ??
    Object.entries(requestIds).find(([one]) => isAbandoned(one))?.[1] ??
    (stored ? `draft:${stored.id}` : `${id} ${Object.keys(requestIds).length}`)
  const others = withoutRequests(draft, requestId)
  return { draft: { ...others, requestIds: { ...others.requestIds, [time]: requestId } }, requestId }
}

/** Whether a request may have been sent whose outcome is unknown. */
export function hasRequests(draft: Draft): boolean {
  return Object.keys(draft.requestIds).length > 0
}

/** Removes a permanently refused request, so that its times get new request ids. */
export function withoutRequests(draft: Draft, requestId: string): Draft {
  return {
    ...draft,
    requestIds: Object.fromEntries(Object.entries(draft.requestIds).filter(([, id]) => id !== requestId)),
  }
}

type Choices = Partial<Record<Platform, (draft: Draft, key: string) => PostVariantInput['options']>>

/** The options of each network that has any. */
const chosenOptions: Choices = {
  tiktok: (draft, key) => ({ tiktok: tiktokOptions(tiktokChoiceOf(draft, key)) }),
  youtube: (draft, key) => ({ youtube: youtubeChoiceOf(draft, key) }),
}

/** Like `chosenOptions`, for a draft with incomplete options. */
const choicesSoFar: Choices = {
  ...chosenOptions,
  tiktok: (draft, key) => {
    const choice = tiktokChoiceOf(draft, key)
    return missingForTiktok(choice, undefined, null) === null ? { tiktok: tiktokOptions(choice) } : {}
  },
}

/** The variants to post, one for each picked page. Throws if an option is missing. */
export function variantsOf(draft: Draft, choices: Choices = chosenOptions): PostVariantInput[] {
  return draft.pages.map((page) => {
    const { title, caption } = captionOf(draft, page)
    const options: PostVariantInput['options'] = choices[page.platform]?.(draft, pageKey(page)) ?? {}
    return {
      platform: page.platform,
      socialAccountId: page.socialAccountId,
      pageId: page.pageId,
      title,
      message: caption,
      options,
      crops: cropsFor(draft, page.platform),
    }
  })
}

/** Like `variantsOf`, without the options that are incomplete. */
export const variantsSoFar = (draft: Draft): PostVariantInput[] => variantsOf(draft, choicesSoFar)

/** Whether the post's pictures are added to the website; videos never are. */
export function addsToGallery(draft: Draft): boolean {
  return draft.toGallery && draft.media.some((item) => item.type === 'image')
}

/** Records that the server accepted the post for one time ('now' or an instant). */
export function markSent(draft: Draft, scheduledAt: string, postId: string): Draft {
  return draft.sent.some((one) => one.scheduledAt === scheduledAt)
    ? draft
    : { ...draft, sent: [...draft.sent, { scheduledAt, postId }] }
}

/** Whether the server accepted the post for now, or for every chosen time. */
export function isSent(draft: Draft): boolean {
  if (draft.sent.some((one) => one.scheduledAt === 'now')) return true
  return (
    draft.scheduledAt.length > 0 && draft.scheduledAt.every((at) => draft.sent.some((one) => one.scheduledAt === at))
  )
}
