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

/** The limits of a network. A caption or title that is longer there is cut before it is sent. */
export const Network = z.object({
  platform: z.enum(platforms),
  name: z.string(),
  caption: TextLimit,
  /** Only where every post has a title. */
  title: TextLimit.optional(),
  /** More than `advised` are unwelcome there, more than `max` are refused. */
  hashtags: z.object({ max: z.number().int(), advised: z.number().int() }).optional(),
  mentions: z.object({ max: z.number().int() }).optional(),
  media: z.object({
    /** Null: videos only. `types`: the types that are sent there; pictures of other types are converted. */
    images: z
      .object({
        count: z.number().int(),
        types: z.array(z.enum(imageTypes)),
        /** Of the file that is sent. */
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
  /** Options of a page besides its texts: the fields of `options.<platform>` of a variant. */
  extras: z.array(z.string()),
})
export type Network = z.infer<typeof Network>

export const SocialPage = z.object({
  pageId: z.string(),
  name: z.string(),
  /** Its handle, as it appears in addresses of the network; null: none, or unknown. */
  username: z.string().nullable(),
  /** The address of our copy of its picture, which only the artist can read; null: none yet. */
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
  /** `reconnect`: only the artist can restore access, by reconnecting. */
  health: z.enum(['ok', 'reconnect']),
  /** ISO instant at which access ends unless the artist reconnects; null: it is renewed automatically. */
  reconnectBy: z.string().nullable(),
  pages: z.array(SocialPage),
})
export type SocialAccount = z.infer<typeof SocialAccount>

export const PlatformParam = z.object({ platform: z.enum(platforms, { error: socialMessages.unknownPlatform }) })

export const SocialAccountParam = z.object({ id: z.uuid({ error: socialMessages.unknownAccount }) })
export type SocialAccountParam = z.infer<typeof SocialAccountParam>

export const SocialPageParam = z.object({
  accountId: z.uuid({ error: socialMessages.unknownAccount }),
  pageId: z.string().min(1).max(200),
})
export type SocialPageParam = z.infer<typeof SocialPageParam>

/** TikTok's creator info, which must be read before a post is composed. */
export type TiktokCreatorInfo = {
  nickname: string
  username: string
  privacyLevels: TiktokPrivacyLevel[]
  commentDisabled: boolean
  duetDisabled: boolean
  stitchDisabled: boolean
  maxVideoSeconds: number
  /** Why the creator may not post now; null: they may. */
  blocked: string | null
}

export const CreatorInfoInput = z.object({ socialAccountId: z.uuid({ error: socialMessages.unknownAccount }) })
export type CreatorInfoInput = z.infer<typeof CreatorInfoInput>

/** The state of a deletion that was requested at Meta; readable with the code alone. */
export type DeletionStatus = {
  code: string
  network: string
  requestedAt: string
  isDone: boolean
}

export const DeletionParam = z.object({ code: z.string().max(64) })
export type DeletionParam = z.infer<typeof DeletionParam>
