import { z } from 'zod'
import { countingUnits, platforms } from '../networks.ts'
import { imageTypes } from '../media/limits.ts'
import type { TiktokPrivacyLevel } from './limits.ts'
import { socialMessages } from './messages.ts'

export const PlatformDescriptor = z.object({ _id: z.enum(platforms), platform: z.enum(platforms) })
export type PlatformDescriptor = z.infer<typeof PlatformDescriptor>

const TextLimit = z.object({ max: z.number().int(), counts: z.enum(countingUnits) })
/** Both inclusive. */
const Range = z.object({ min: z.number().optional(), max: z.number().optional() })

/** What a network takes. `caption` and `title`: how long, and what is counted; a text that is longer there is cut before it is sent. */
export const Network = z.object({
  platform: z.enum(platforms),
  name: z.string(),
  caption: TextLimit,
  /** Only where every post has a title of its own. */
  title: TextLimit.optional(),
  /** More than `advised` are unwelcome there, more than `max` are refused. */
  hashtags: z.object({ max: z.number().int(), advised: z.number().int() }).optional(),
  mentions: z.object({ max: z.number().int() }).optional(),
  media: z.object({
    /** Null: it takes videos only. `types` is what is sent there; what Flashsheet takes becomes one of them. */
    images: z
      .object({
        count: z.number().int(),
        types: z.array(z.enum(imageTypes)),
        /** Of what is sent. */
        bytes: z.number().int().optional(),
        width: Range.optional(),
        /** Width by height; another shape is filled with white. */
        ratio: Range.optional(),
      })
      .nullable(),
    video: z.object({
      count: z.number().int(),
      seconds: Range,
      bytes: Range,
      framesPerSecond: Range.optional(),
      /** Pixels of either side. */
      side: Range.optional(),
      width: Range.optional(),
      ratio: Range.optional(),
      megabitsPerSecond: z.number().optional(),
      codecs: z.array(z.string()).optional(),
      audioCodecs: z.array(z.string()).optional(),
    }),
  }),
  /** What can be chosen for a page beside its words: fields of `options.<platform>` of a variant. */
  extras: z.array(z.string()),
})
export type Network = z.infer<typeof Network>

export const SocialPage = z.object({
  pageId: z.string(),
  name: z.string(),
  /** Its name in addresses of the network, as the network writes it; null where it has none, or did not say. */
  username: z.string().nullable(),
  /** Our own copy of its picture, for the artist alone; null while there is none. */
  picture: z.string().nullable(),
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
export type TiktokCreatorInfo = {
  nickname: string
  username: string
  privacyLevels: TiktokPrivacyLevel[]
  commentDisabled: boolean
  duetDisabled: boolean
  stitchDisabled: boolean
  maxVideoSeconds: number
  /** A sentence when the creator may not post now; null = may. */
  blocked: string | null
}

export const CreatorInfoInput = z.object({ socialAccountId: z.uuid({ error: socialMessages.unknownAccount }) })
export type CreatorInfoInput = z.infer<typeof CreatorInfoInput>

/** The state of a deletion that was requested at Meta; whoever has the code may read it. */
export type DeletionStatus = {
  code: string
  network: string
  requestedAt: string
  isDone: boolean
}

export const DeletionParam = z.object({ code: z.string().max(64) })
export type DeletionParam = z.infer<typeof DeletionParam>
