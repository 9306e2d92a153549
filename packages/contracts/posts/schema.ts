import { z } from 'zod'
import { pageInput, requestId } from '../input.ts'
import { instantInput } from '../instant.ts'
import { atMost } from '../max-length.ts'
import { nextSlot, queueStates } from '../queue/limits.ts'
import { mediaLimits } from '../media/limits.ts'
import { Crop, MediaItem } from '../media/schema.ts'
import { platforms, type Platform } from '../networks.ts'
import { leftBehind, postLimits, postStatuses, targetPhases } from './limits.ts'
import { postMessages } from './messages.ts'
import { tiktokPrivacyLevels } from '../social/limits.ts'

export const TiktokOptions = z
  .object({
    privacyLevel: z.enum(tiktokPrivacyLevels, { error: postMessages.privacyRequired }),
    allowComment: z.boolean().default(false),
    allowDuet: z.boolean().default(false),
    allowStitch: z.boolean().default(false),
    yourBrand: z.boolean().default(false),
    brandedContent: z.boolean().default(false),
  })
  .refine((o) => !(o.brandedContent && o.privacyLevel === 'SELF_ONLY'), {
    error: postMessages.brandedPrivate,
    path: ['brandedContent'],
  })
export type TiktokOptions = z.infer<typeof TiktokOptions>

export const YoutubeOptions = z.object({
  privacyStatus: z.enum(['public', 'unlisted', 'private']).default('public'),
  madeForKids: z.boolean().default(false),
})
export type YoutubeOptions = z.infer<typeof YoutubeOptions>

export const VariantOptions = z.object({ tiktok: TiktokOptions.optional(), youtube: YoutubeOptions.optional() })
export type VariantOptions = z.infer<typeof VariantOptions>

/** Of any network; what one of them takes less of is cut for it. */
export const Title = z.string().check(atMost(postLimits.titleMax, postMessages.titleTooLong))
const Caption = z.string().check(atMost(postLimits.captionMax, postMessages.captionTooLong))

/** What is to appear on one page. */
export const PostVariantInput = z.object({
  platform: z.enum(platforms),
  socialAccountId: z.uuid({ error: postMessages.pageUnknown }),
  pageId: z.string().min(1, postMessages.pageUnknown).max(200),
  title: Title.default(''),
  message: Caption.default(''),
  options: VariantOptions.optional(),
  /** What this page gets of each medium, in their order; null: the whole picture. */
  crops: z.array(Crop.nullable()).max(mediaLimits.imagesPerPost).optional(),
})
export type PostVariantInput = z.infer<typeof PostVariantInput>

const content = {
  mediaIds: z
    .array(z.uuid({ error: postMessages.mediaUnknown }), { error: postMessages.mediaRequired })
    .min(1, postMessages.mediaRequired)
    .max(mediaLimits.imagesPerPost, postMessages.tooManyImages),
  variants: z
    .array(PostVariantInput, { error: postMessages.pageRequired })
    .min(1, postMessages.pageRequired)
    .max(postLimits.variantsMax),
  /** When the first page has it, its pictures go into the website's gallery too (Complete Shading). */
  toGallery: z.boolean().optional(),
  /** The wizard's: a UUID per draft and time. */
  requestId,
}

export const CreatePostInput = z.object(content)
export type CreatePostInput = z.infer<typeof CreatePostInput>

export const SchedulePostInput = z.object({
  ...content,
  /** An instant, or the next free slot of the queue. */
  scheduledAt: z.union([instantInput(), z.literal(nextSlot)], { error: postMessages.scheduleRequired }),
})
export type SchedulePostInput = z.infer<typeof SchedulePostInput>

export const ListPostsInput = z.object({
  from: instantInput().optional(),
  to: instantInput().optional(),
  ...pageInput(postLimits.listMax),
})
export type ListPostsInput = z.infer<typeof ListPostsInput>

export const PostParam = z.object({ postId: z.uuid() })
export type PostParam = z.infer<typeof PostParam>

/** New words for one page of a scheduled post; what is left out stays (`PUT /api/posts`). */
const PostVariantChange = z.object({ _id: z.uuid(), title: Title.optional(), message: Caption.optional() })

export const UpdatePostInput = PostParam.extend({
  scheduledAt: instantInput(postMessages.scheduleRequired).optional(),
  /** It waits in the queue no longer, and keeps its time unless another is sent. */
  leavesQueue: z.boolean().optional(),
  variants: z.array(PostVariantChange).max(postLimits.variantsMax).optional(),
})
export type UpdatePostInput = z.infer<typeof UpdatePostInput>

/** Another try for the failed pages of a post, or for one of them (`variantId` is a variant's `_id`). */
export const RetryPostInput = PostParam.extend({ variantId: z.uuid().optional() })
export type RetryPostInput = z.infer<typeof RetryPostInput>

/** A failed target that may be on its page. */
export const UnclearTarget = PostParam.extend({ variantId: z.uuid() })
export type UnclearTarget = z.infer<typeof UnclearTarget>

/** The artist saw a failed target on its page, at this address. */
export const MarkPostedInput = UnclearTarget.extend({ address: z.string().max(2000, postMessages.notAnAddress) })
export type MarkPostedInput = z.infer<typeof MarkPostedInput>

/** What a page shows since a target was sent, for the artist to pick theirs; what is known to be another post of Flashsheet is left out. */
export type PostCandidates = {
  /** In the order in which they were posted. */
  candidates: { _id: string; postedAt: string; words: string; permalink: string | null }[]
  /** False: its network lists no posts of this kind, and the address has to be pasted. */
  canList: boolean
  /** There are more than these. */
  hasMore: boolean
}

/** The artist saw a failed target on its page: it is this candidate. */
export const PickCandidateInput = UnclearTarget.extend({ candidateId: z.string().min(1).max(200) })
export type PickCandidateInput = z.infer<typeof PickCandidateInput>

/** From inclusive, to exclusive, by where a post stands in the calendar. */
export const CalendarInput = z.object({ from: instantInput(), to: instantInput() })
export type CalendarInput = z.infer<typeof CalendarInput>

/** Planned posts that an account will not let in unless the artist connects it again. */
export type EndangeredPosts = {
  socialAccountId: string
  platform: Platform
  providerName: string
  /** ISO instant from which on it is closed; null: it is already. */
  endsAt: string | null
  count: number
  /** The next of them, as a calendar would list them. */
  posts: Pick<CalendarPost, '_id' | 'scheduledAt' | 'title'>[]
  /** All of them, up to a calendar's worth: each is marked where it stands. */
  ids: string[]
}

/** Which daily allowances a post would draw on: of these pages, with these media, now and at the times it would be scheduled for. */
export const AllowancesInput = z.object({
  pages: z
    .array(z.object({ platform: z.enum(platforms), socialAccountId: z.uuid(), pageId: z.string().min(1).max(200) }))
    .max(postLimits.variantsMax),
  mediaIds: z.array(z.uuid()).max(mediaLimits.imagesPerPost).default([]),
  scheduledAt: z.array(instantInput()).max(20).default([]),
})
export type AllowancesInput = z.infer<typeof AllowancesInput>

/** What is left of a page's daily allowance at its network, counting what is planned until then. */
export const PageAllowance = z.object({
  socialAccountId: z.uuid(),
  pageId: z.string(),
  limit: z.number(),
  /** One allowance for all of Flashsheet together. */
  shared: z.boolean(),
  /** Why a post would wait. */
  sentence: z.string(),
  /** Now, then each requested time. `freesAt`, an ISO instant: the allowance is used up, and the post would go out then. */
  at: z.array(z.object({ time: z.string(), left: z.number(), freesAt: z.string().nullable() })),
})
export type PageAllowance = z.infer<typeof PageAllowance>

export const WatchPostsInput = z.object({ postIds: z.array(z.uuid()).max(postLimits.listMax).optional() })
export type WatchPostsInput = z.infer<typeof WatchPostsInput>

export const PostVariant = z.object({
  _id: z.uuid(),
  platform: z.enum(platforms),
  postId: z.uuid(),
  socialAccountId: z.string().nullable(),
  pageId: z.string(),
  pageName: z.string(),
  title: z.string(),
  message: z.string(),
  options: VariantOptions,
  /** There where a picture is cropped for this page. */
  crops: z.array(Crop.nullable()).optional(),
  status: z.enum(postStatuses),
  phase: z.enum(targetPhases),
  /** 0–100 while bytes travel, else null. */
  progress: z.number().nullable(),
  errorMessage: z.string().nullable(),
  /** ISO instant: the target waits, for the reason in `errorMessage`, and goes on by itself then. */
  nextTryAt: z.string().nullable(),
  /** The target failed, and its post may be at the network all the same: another try could duplicate it. */
  mayBeThere: z.enum(['unclear', ...leftBehind]).nullable(),
  /** Where its page can be looked at; with `mayBeThere` only. */
  pageUrl: z.string().nullable(),
  permalink: z.string().nullable(),
})
export type PostVariant = z.infer<typeof PostVariant>

/** A picture or video of a post. Once the artist deleted it, `_id` is null and only the small thumbnail is left. */
export const PostMedia = MediaItem.pick({
  type: true,
  url: true,
  thumbnailUrl: true,
  fileName: true,
  name: true,
}).extend({ _id: z.uuid().nullable() })
export type PostMedia = z.infer<typeof PostMedia>

export const Post = z.object({
  _id: z.uuid(),
  status: z.enum(postStatuses),
  scheduledAt: z.string(),
  updatedAt: z.string(),
  errorMessage: z.string().nullable(),
  mediaIds: z.array(z.uuid()),
  media: z.array(PostMedia),
  variants: z.array(PostVariant),
  /** Its pictures are still to go into the website's gallery. */
  toGallery: z.boolean().optional(),
  /** It waits in the queue for `scheduledAt`; paused: until the queue goes on. */
  queue: z.enum(queueStates).optional(),
})
export type Post = z.infer<typeof Post>

/** What a calendar shows of a post; kept small, since a response may have thousands. */
export type CalendarPost = Pick<Post, '_id' | 'status' | 'scheduledAt' | 'updatedAt' | 'queue'> & {
  /** As `postTitle` has it, cut where no calendar shows more. */
  title: string
  /** Each network once, in the order of its pages. */
  platforms: Platform[]
  /** The first picture, small; null for a post that has no media left. */
  thumbnailUrl: string | null
  isVideo: boolean
  mediaCount: number
}

/** Where posts use an item of the library. */
export type MediaUse = {
  mediaId: string
  /** Posts in all; `latest` holds some of them, the newest first. */
  count: number
  /** One of them waits for its time or is out: all others failed. */
  isPlanned: boolean
  latest: Pick<CalendarPost, '_id' | 'status' | 'scheduledAt' | 'title'>[]
}

/** One event of `posts.watch`: the posts as they are now. */
export type PostsChange = {
  posts: Post[]
  /** Requested or known posts that no longer exist. */
  gone: string[]
  /** Anything may have changed (the start, or a lost connection): what else is on screen must be read again. */
  reread: boolean
}

export const PostResult = z.object({
  _id: z.uuid(),
  /** When it goes out: now, the time that was asked for, or the slot that it took. */
  scheduledAt: z.string(),
  targets: z.array(
    PostVariant.pick({ pageId: true, status: true, phase: true }).extend({ socialAccountId: z.string() }),
  ),
})
export type PostResult = z.infer<typeof PostResult>

/** What a post was made of, to make another: it is nowhere until it is posted. */
export const PostCopy = z.object({
  title: z.string(),
  /** Those that the library still has. */
  mediaIds: z.array(z.uuid()),
  /** For the pages that are still connected. */
  variants: z.array(
    // `options` without TikTok's choices, which are made for each post; a crop for each of `mediaIds`.
    PostVariant.pick({ platform: true, pageId: true, title: true, message: true, options: true, crops: true }).extend({
      socialAccountId: z.uuid(),
    }),
  ),
  scheduledAt: z.null(),
})
export type PostCopy = z.infer<typeof PostCopy>
