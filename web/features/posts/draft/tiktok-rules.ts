import { postMessages } from '@flashsheet/contracts/posts/messages'
import type { TiktokOptions } from '@flashsheet/contracts/posts/schema'
import { type TiktokPrivacyLevel, tiktokPrivacyLevels } from '@flashsheet/contracts/social/limits'
import type { TiktokCreatorInfo } from '@flashsheet/contracts/social/schema'
import { clock } from '../../../lib/clock.ts'

export type TiktokChoice = {
  privacyLevel: string | null
  allowComment: boolean
  allowDuet: boolean
  allowStitch: boolean
  discloses: boolean
  yourBrand: boolean
  brandedContent: boolean
}

/** Nothing preselected, all boxes off. */
export const noTiktokChoice: TiktokChoice = {
  privacyLevel: null,
  allowComment: false,
  allowDuet: false,
  allowStitch: false,
  discloses: false,
  yourBrand: false,
  brandedContent: false,
}

/** What TikTok calls its privacy levels. */
export const privacyNames: Record<TiktokPrivacyLevel, string> = {
  PUBLIC_TO_EVERYONE: 'Everyone',
  MUTUAL_FOLLOW_FRIENDS: 'Friends',
  FOLLOWER_OF_CREATOR: 'Followers',
  SELF_ONLY: 'Only me',
}

/** Words TikTok prescribes for its posting form. */
export const tiktokWords = {
  promotional: 'Your video will be labeled "Promotional content"',
  partnership: 'Your video will be labeled "Paid partnership"',
  undisclosed: 'You need to indicate if your content promotes yourself, a third party, or both.',
  privacyGone: 'This choice is no longer offered for this account. Please choose again.',
  takesMinutes: 'After posting, it may take a few minutes for the video to be processed and visible on the profile.',
} as const

export const tiktokLinks = {
  music: 'https://www.tiktok.com/legal/page/global/music-usage-confirmation/en',
  branded: 'https://www.tiktok.com/legal/page/global/bc-policy/en',
} as const

function isLevel(level: string | null): level is TiktokPrivacyLevel {
  return (tiktokPrivacyLevels as readonly (string | null)[]).includes(level)
}

/** The chosen privacy level if TikTok still offers it, or has not answered yet; else null. */
export function privacyOf(choice: TiktokChoice, creator: TiktokCreatorInfo | undefined): TiktokPrivacyLevel | null {
  if (!isLevel(choice.privacyLevel)) return null
  return !creator || creator.privacyLevels.includes(choice.privacyLevel) ? choice.privacyLevel : null
}

/** The choice without what the creator has switched off since it was made. */
export function allowed(choice: TiktokChoice, creator: TiktokCreatorInfo): TiktokChoice {
  return {
    ...choice,
    privacyLevel: privacyOf(choice, creator),
    allowComment: choice.allowComment && !creator.commentDisabled,
    allowDuet: choice.allowDuet && !creator.duetDisabled,
    allowStitch: choice.allowStitch && !creator.stitchDisabled,
  }
}

/** Why a video cannot go to this creator; null = it can. 0 seconds means TikTok named no limit. */
export function whyTooLong(seconds: number | null, creator: TiktokCreatorInfo): string | null {
  const most = creator.maxVideoSeconds
  if (seconds === null || most <= 0 || seconds <= most) return null
  return `This video is ${clock(Math.ceil(seconds))} long. ${creator.nickname || 'This TikTok account'} can post up to ${clock(most)} on TikTok.`
}

export type TiktokField = 'refusal' | 'privacy' | 'disclosure'

export const tiktokFieldId = (pageKey: string, field: TiktokField): string => `tiktok-${field}-${pageKey}`

/** Why TikTok's form is incomplete, and the field that is missing; null = complete. `creator` absent: TikTok has not answered. */
export function missingForTiktok(
  choice: TiktokChoice,
  creator: TiktokCreatorInfo | undefined,
  seconds: number | null,
): { why: string; field: TiktokField } | null {
  if (creator?.blocked) return { why: creator.blocked, field: 'refusal' }
  const tooLong = creator && whyTooLong(seconds, creator)
  if (tooLong) return { why: tooLong, field: 'refusal' }
  const privacy = privacyOf(choice, creator)
  if (privacy === null) return { why: postMessages.privacyRequired, field: 'privacy' }
  if (choice.discloses && !choice.yourBrand && !choice.brandedContent)
    return { why: tiktokWords.undisclosed, field: 'disclosure' }
  if (choice.discloses && choice.brandedContent && privacy === 'SELF_ONLY')
    return { why: postMessages.brandedPrivate, field: 'privacy' }
  return null
}

/** The label TikTok will put on the video; null = none. */
export function labelOf(choice: TiktokChoice): string | null {
  if (!choice.discloses) return null
  if (choice.brandedContent) return tiktokWords.partnership
  return choice.yourBrand ? tiktokWords.promotional : null
}

/** The choice as sent. Throws without a privacy level, which the form requires. */
export function tiktokOptions(choice: TiktokChoice): TiktokOptions {
  if (!isLevel(choice.privacyLevel)) throw new Error(postMessages.privacyRequired)
  return {
    privacyLevel: choice.privacyLevel,
    allowComment: choice.allowComment,
    allowDuet: choice.allowDuet,
    allowStitch: choice.allowStitch,
    yourBrand: choice.discloses && choice.yourBrand,
    brandedContent: choice.discloses && choice.brandedContent,
  }
}
