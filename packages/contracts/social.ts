import { z } from 'zod'
import { platformNames, platforms, socialLimits, type Platform } from './plain.ts'
export { platformNames, platforms, socialLimits, type Platform }

/** Networks that take no images (spec 2, wizard step 2). */
export const videoOnlyPlatforms: readonly Platform[] = ['tiktok', 'youtube']

export const socialMessages = {
  redirecting: (platform: Platform) => `Redirecting to ${platformNames[platform]} login...`,
  connected: (platform: Platform) => `${platformNames[platform]} account connected successfully!`,
  connectFailed: 'Failed to connect account',
  disconnected: 'Account disconnected successfully',
  removeFailed: 'Failed to remove page',
  loadFailed: 'Failed to load social accounts. Please try again later.',
  wizardLoading: 'Loading accounts...',
  wizardLoadFailed: 'Error loading accounts. Please try again.',
  noneConnected: 'No accounts connected.',
  wizardNoneConnected: 'No social media accounts connected.',
  notSigned: 'This was not signed by the network.',
  deletionAsked: (platform: Platform) =>
    `${platformNames[platform]} passed on the wish to delete what Flashsheet has of this account, so it was disconnected: posts planned for it were deleted.`,
  unknownDeletion: 'There is no deletion request with this code.',
  videoOnly: 'Video only — disabled for image posts',
  limit: 'You can connect up to 5 social accounts. Disconnect one to add another.',
  cancelled: 'You cancelled the connection. Nothing was changed.',
  stateUnknown: 'This connection link was used or has expired. Please start again.',
  noPages: (platform: Platform) => `We found no ${platformNames[platform]} page you can post to.`,
  unknownPlatform: 'This network is not available.',
  loginFirst: 'Please log in, then connect your account again.',
  unreachable: (platform: Platform) => `${platformNames[platform]} could not be reached. Please try again in a moment.`,
  signInRefused: (platform: Platform) => `${platformNames[platform]} did not accept the sign-in. Please try again.`,
  reconnect: (platform: Platform) => `${platformNames[platform]} needs you to connect this account again.`,
  accountGone: 'This account is no longer connected.',
  pageGone: 'This page is no longer connected.',
  unknownAccount: 'This account is not one of yours.',
} as const

export const PlatformDescriptor = z.object({ _id: z.enum(platforms), platform: z.enum(platforms) })
export type PlatformDescriptor = z.infer<typeof PlatformDescriptor>

export const SocialPage = z.object({
  pageId: z.string(),
  name: z.string(),
  /** ISO instant */
  connectedAt: z.string().nullable(),
})
export type SocialPage = z.infer<typeof SocialPage>

export const SocialAccount = z.object({
  _id: z.uuid(),
  platform: z.enum(platforms),
  providerName: z.string(),
  providerUserId: z.string(),
  /** `reconnect` = only the artist can mend it, by connecting again. */
  health: z.enum(['ok', 'reconnect']),
  /** ISO instant: access ends then and only connecting again mends it; null while it renews itself. */
  reconnectBy: z.string().nullable(),
  pages: z.array(SocialPage),
})
export type SocialAccount = z.infer<typeof SocialAccount>

export const PlatformParam = z.object({ platform: z.enum(platforms, { error: socialMessages.unknownPlatform }) })
export type PlatformParam = z.infer<typeof PlatformParam>

export const SocialAccountParam = z.object({ id: z.uuid({ error: socialMessages.unknownAccount }) })
export type SocialAccountParam = z.infer<typeof SocialAccountParam>

export const SocialPageParam = z.object({
  accountId: z.uuid({ error: socialMessages.unknownAccount }),
  pageId: z.string().min(1).max(200),
})
export type SocialPageParam = z.infer<typeof SocialPageParam>

/** TikTok's privacy levels (platform-apis 4.4). */
export const tiktokPrivacyLevels = [
  'PUBLIC_TO_EVERYONE',
  'MUTUAL_FOLLOW_FRIENDS',
  'FOLLOWER_OF_CREATOR',
  'SELF_ONLY',
] as const
export type TiktokPrivacyLevel = (typeof tiktokPrivacyLevels)[number]

/** What TikTok says of a creator before a post may be composed (platform-apis 4.2). */
export const TiktokCreatorInfo = z.object({
  nickname: z.string(),
  username: z.string(),
  privacyLevels: z.array(z.enum(tiktokPrivacyLevels)),
  commentDisabled: z.boolean(),
  duetDisabled: z.boolean(),
  stitchDisabled: z.boolean(),
  maxVideoSeconds: z.number(),
  /** A sentence when the creator may not post now; null = may. */
  blocked: z.string().nullable(),
})
export type TiktokCreatorInfo = z.infer<typeof TiktokCreatorInfo>

export const CreatorInfoInput = z.object({ socialAccountId: z.uuid({ error: socialMessages.unknownAccount }) })
export type CreatorInfoInput = z.infer<typeof CreatorInfoInput>

/** How far a deletion is that was asked for at Meta; the code is its asker's proof. */
export const DeletionStatus = z.object({ code: z.string(), network: z.string(), requestedAt: z.string(), isDone: z.boolean() })
export type DeletionStatus = z.infer<typeof DeletionStatus>

export const DeletionParam = z.object({ code: z.string().max(64) })
export type DeletionParam = z.infer<typeof DeletionParam>
