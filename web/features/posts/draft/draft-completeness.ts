import { networks } from '@flashsheet/contracts/networks'
import { postLimits } from '@flashsheet/contracts/posts/limits'
import { postMessages } from '@flashsheet/contracts/posts/messages'
import type { TiktokCreatorInfo } from '@flashsheet/contracts/social/schema'
import { captionOf, goTo, pageKey, tiktokChoiceOf, type Draft, type Step } from './draft.ts'
import { missingForTiktok, tiktokFieldId } from './tiktok-rules.ts'

export type DraftEnvironment = {
  /** Ids of picked files that failed or were lost. */
  stranded: ReadonlySet<string>
  /** By page key; absent while TikTok was not asked or did not answer. */
  creators: ReadonlyMap<string, TiktokCreatorInfo>
}

/** Why a step is not done yet, in a sentence; null = it is. */
export function whyNotDone(draft: Draft, step: Step, { stranded, creators }: DraftEnvironment): string | null {
  if (step === 1) {
    if (draft.media.length === 0) return postMessages.mediaRequired
    return draft.media.some((item) => stranded.has(item._id))
      ? 'Some files did not arrive. Remove them or pick them again.'
      : null
  }
  if (step === 2) return draft.pages.length === 0 ? postMessages.pageRequired : null
  if (step === 3) return whyNotWords(draft) ?? missingOption(draft, creators)?.why ?? null
  return null
}

/** The first step that is not done, and why. */
export function firstGap(draft: Draft, around: DraftEnvironment): { step: Step; why: string } | null {
  for (const step of [1, 2, 3] as const) {
    const why = whyNotDone(draft, step, around)
    if (why) return { step, why }
  }
  return null
}

/** The step to show when one is requested: that one if the draft reached it or all before it are done, else the first open one. */
export function reachable(draft: Draft, step: number, around: DraftEnvironment): Step {
  const asked = goTo(draft, step).step
  return asked <= draft.step ? asked : goTo(draft, Math.min(asked, firstGap(draft, around)?.step ?? 4)).step
}

function whyNotWords(draft: Draft): string | null {
  const captions = draft.isGlobal ? [draft.global] : draft.pages.map((page) => captionOf(draft, page))
  if (captions.some(({ title }) => title.length > postLimits.titleMax)) return postMessages.titleTooLong
  if (captions.some(({ caption }) => caption.length > postLimits.captionMax)) return postMessages.captionTooLong
  return null
}

/** The id of the TikTok field that blocks step 3; null if something else blocks it. */
export function missingField(draft: Draft, { creators }: DraftEnvironment): string | null {
  return whyNotWords(draft) === null ? (missingOption(draft, creators)?.field ?? null) : null
}

/** The first missing choice: the reason, and the id of its field. */
function missingOption(
  draft: Draft,
  creators: ReadonlyMap<string, TiktokCreatorInfo>,
): { why: string; field: string } | null {
  const seconds = draft.media.find((item) => item.type === 'video')?.duration ?? null
  for (const page of draft.pages) {
    if (!networks[page.platform].asksCreator) continue
    const key = pageKey(page)
    const missing = missingForTiktok(tiktokChoiceOf(draft, key), creators.get(key), seconds)
    if (missing) return { why: missing.why, field: tiktokFieldId(key, missing.field) }
  }
  return null
}
