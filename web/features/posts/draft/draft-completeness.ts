import { networks } from '@flashsheet/contracts/networks'
import { postLimits } from '@flashsheet/contracts/posts/limits'
import { postMessages } from '@flashsheet/contracts/posts/messages'
import type { TiktokCreatorInfo } from '@flashsheet/contracts/social/schema'
import { captionOf, goTo, pageKey, tiktokChoiceOf, type Draft, type Step } from './draft.ts'
import { missingForTiktok, tiktokFieldId } from './tiktok-rules.ts'

export type DraftEnvironment = {
  /** Ids of picked files that failed or were lost. */
  unavailableIds: ReadonlySet<string>
  /** By page key; absent until TikTok has answered. */
  creators: ReadonlyMap<string, TiktokCreatorInfo>
}

/** Why a step is incomplete, in a sentence; null if it is complete. */
export function incompleteReason(
  draft: Draft,
  step: Step,
  { unavailableIds, creators }: DraftEnvironment,
): string | null {
  if (step === 1) {
    if (draft.media.length === 0) return postMessages.mediaRequired
    // The content of a file decides its type, which the server reports after the upload.
    if (draft.media.length > 1 && draft.media.some(({ type }) => type === 'video')) return postMessages.mixedMedia
    return draft.media.some((item) => unavailableIds.has(item._id))
      ? 'Some files did not arrive. Remove them or pick them again.'
      : null
  }
  if (step === 2) {
    if (draft.pages.length === 0) return postMessages.pageRequired
    return draft.pages.length > postLimits.variantsMax ? postMessages.tooManyPages : null
  }
  if (step === 3) return captionProblem(draft) ?? missingOption(draft, creators)?.reason ?? null
  return null
}

/** The first incomplete step, and why. */
export function firstIncompleteStep(
  draft: Draft,
  environment: DraftEnvironment,
): { step: Step; reason: string } | null {
  for (const step of [1, 2, 3] as const) {
    const reason = incompleteReason(draft, step, environment)
    if (reason) return { step, reason }
  }
  return null
}

/** The step to show for a requested one: that step if the draft has reached it, otherwise no later than the first incomplete one. */
export function reachableStep(draft: Draft, step: number, environment: DraftEnvironment): Step {
  const requested = goTo(draft, step).step
  if (requested <= draft.step) return requested
  return goTo(draft, Math.min(requested, firstIncompleteStep(draft, environment)?.step ?? 4)).step
}

function captionProblem(draft: Draft): string | null {
  const captions = draft.isGlobal ? [draft.global] : draft.pages.map((page) => captionOf(draft, page))
  if (captions.some(({ title }) => title.length > postLimits.titleMax)) return postMessages.titleTooLong
  if (captions.some(({ caption }) => caption.length > postLimits.captionMax)) return postMessages.captionTooLong
  return null
}

/** The id of the TikTok field that blocks step 3; null if something else blocks it. */
export function missingField(draft: Draft, { creators }: DraftEnvironment): string | null {
  return captionProblem(draft) === null ? (missingOption(draft, creators)?.field ?? null) : null
}

/** The first missing option: the reason, and the id of its field. */
function missingOption(
  draft: Draft,
  creators: ReadonlyMap<string, TiktokCreatorInfo>,
): { reason: string; field: string } | null {
  const seconds = draft.media.find((item) => item.type === 'video')?.duration ?? null
  for (const page of draft.pages) {
    if (!networks[page.platform].asksCreator) continue
    const key = pageKey(page)
    const missing = missingForTiktok(tiktokChoiceOf(draft, key), creators.get(key), seconds)
    if (missing) return { reason: missing.reason, field: tiktokFieldId(key, missing.field) }
  }
  return null
}
