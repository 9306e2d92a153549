import { postMessages } from '@flashsheet/contracts/posts/messages'
import type { TiktokOptions } from '@flashsheet/contracts/posts/schema'
import { type TiktokPrivacyLevel, tiktokPrivacyLevels } from '@flashsheet/contracts/social/limits'
import type { TiktokCreatorInfo } from '@flashsheet/contracts/social/schema'
import { clock } from '../../../lib/clock.ts'
import type { Restored, tiktok } from './restore-draft.ts'

export type TiktokChoice = Restored<typeof tiktok>

/** TikTok allows no preselected choice. */
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
export const tiktokTexts = {
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

/** The chosen privacy level if TikTok still offers it or has not answered yet, otherwise null. */
export function offeredPrivacy(
  choice: TiktokChoice,
  creator: TiktokCreatorInfo | undefined,
): TiktokPrivacyLevel | null {
  if (!isLevel(choice.privacyLevel)) return null
  return !creator || creator.privacyLevels.includes(choice.privacyLevel) ? choice.privacyLevel : null
}

/** The choice without what TikTok no longer allows for this creator. */
export function withoutDisallowed(choice: TiktokChoice, creator: TiktokCreatorInfo): TiktokChoice {
  return {
    ...choice,
    privacyLevel: offeredPrivacy(choice, creator),
    allowComment: choice.allowComment && !creator.commentDisabled,
    allowDuet: choice.allowDuet && !creator.duetDisabled,
    allowStitch: choice.allowStitch && !creator.stitchDisabled,
  }
}

/** Why a video is too long for this creator; null if it is not. A limit of 0 seconds means none. */
export function durationRefusal(seconds: number | null, creator: TiktokCreatorInfo): string | null {
  const maxSeconds = creator.maxVideoSeconds
  if (seconds === null || maxSeconds <= 0 || seconds <= maxSeconds) return null
  return `This video is ${clock(Math.ceil(seconds))} long. ${creator.nickname || 'This TikTok account'} can post up to ${clock(maxSeconds)} on TikTok.`
}

export type TiktokField = 'refusal' | 'privacy' | 'disclosure'

export const tiktokFieldId = (pageKey: string, field: TiktokField): string => `tiktok-${field}-${pageKey}`

/** Why TikTok's form is incomplete, and the missing field; null if it is complete. `creator` is undefined until TikTok has answered. */
export function missingForTiktok(
  choice: TiktokChoice,
  creator: TiktokCreatorInfo | undefined,
  seconds: number | null,
): { reason: string; field: TiktokField } | null {
  if (creator?.blocked) return { reason: creator.blocked, field: 'refusal' }
  const tooLong = creator && durationRefusal(seconds, creator)
  if (tooLong) return { reason: tooLong, field: 'refusal' }
  const privacy = offeredPrivacy(choice, creator)
  if (privacy === null) return { reason: postMessages.privacyRequired, field: 'privacy' }
  if (choice.discloses && !choice.yourBrand && !choice.brandedContent)
    return { reason: tiktokTexts.undisclosed, field: 'disclosure' }
  if (choice.discloses && choice.brandedContent && privacy === 'SELF_ONLY')
    return { reason: postMessages.brandedPrivate, field: 'privacy' }
  return null
}

/** The label that TikTok will put on the video; null for none. */
export function labelOf(choice: TiktokChoice): string | null {
  if (!choice.discloses) return null
  if (choice.brandedContent) return tiktokTexts.partnership
  return choice.yourBrand ? tiktokTexts.promotional : null
}

/** The choice as it is sent. Throws without a privacy level, which the form requires. */
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
