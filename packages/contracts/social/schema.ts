import { z } from 'zod'
import { platforms } from '../networks.ts'
import { tiktokPrivacyLevels } from './limits.ts'
import { socialMessages } from './messages.ts'

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

/** What TikTok says of a creator before a post may be composed. */
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
export const DeletionStatus = z.object({
  code: z.string(),
  network: z.string(),
  requestedAt: z.string(),
  isDone: z.boolean(),
})
export type DeletionStatus = z.infer<typeof DeletionStatus>

export const DeletionParam = z.object({ code: z.string().max(64) })
export type DeletionParam = z.infer<typeof DeletionParam>
