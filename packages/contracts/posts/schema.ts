import { z } from 'zod'
import { pageInput, requestId, uuid } from '../input.ts'
import { instantInput } from '../instant.ts'
import { atMost, wellFormed } from '../max-length.ts'
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

/** Limits for any network; `networkTexts` cuts texts for networks with lower ones. */
export const Title = z.string().check(wellFormed, atMost(postLimits.titleMax, postMessages.titleTooLong))
const Caption = z.string().check(wellFormed, atMost(postLimits.captionMax, postMessages.captionTooLong))

/** The content of a post for one page. */
export const PostVariantInput = z.object({
  platform: z.enum(platforms),
  socialAccountId: uuid(postMessages.pageUnknown),
  pageId: z.string().min(1, postMessages.pageUnknown).max(200),
  title: Title.default(''),
  message: Caption.default(''),
  options: VariantOptions.optional(),
  /** The crop of each media item for this page, in their order; null: the whole picture. */
  crops: z.array(Crop.nullable()).max(mediaLimits.imagesPerPost).optional(),
})
export type PostVariantInput = z.infer<typeof PostVariantInput>

const content = {
  mediaIds: z
    .array(uuid(postMessages.mediaUnknown), { error: postMessages.mediaRequired })
    .min(1, postMessages.mediaRequired)
    .max(mediaLimits.imagesPerPost, postMessages.tooManyImages),
  variants: z
    .array(PostVariantInput, { error: postMessages.pageRequired })
    .min(1, postMessages.pageRequired)
    .max(postLimits.variantsMax, postMessages.tooManyPages),
  /** Once the first page is posted, its pictures are added to the website's gallery. */
  toGallery: z.boolean().optional(),
  /** The wizard sends a UUID for each draft and time. */
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

export const PostParam = z.object({ postId: uuid() })
export type PostParam = z.infer<typeof PostParam>

/** New texts for one page of a scheduled post; omitted fields do not change (`PUT /api/posts/{postId}`). */
const PostVariantChange = z.object({ _id: uuid(), title: Title.optional(), message: Caption.optional() })

export const UpdatePostInput = PostParam.extend({
  scheduledAt: instantInput(postMessages.scheduleRequired).optional(),
  /** Removes the post from the queue; it keeps its time unless `scheduledAt` is sent. */
  leavesQueue: z.boolean().optional(),
  variants: z.array(PostVariantChange).max(postLimits.variantsMax).optional(),
})
export type UpdatePostInput = z.infer<typeof UpdatePostInput>

/** Retries the failed pages of a post, or one of them (`variantId` is a variant's `_id`). */
export const RetryPostInput = PostParam.extend({ variantId: uuid().optional() })
export type RetryPostInput = z.infer<typeof RetryPostInput>

/** A failed target that may be on its page. */
export const UnclearTarget = PostParam.extend({ variantId: uuid() })
export type UnclearTarget = z.infer<typeof UnclearTarget>

/** The artist found an unclear post on its page, at this address. */
export const MarkPostedInput = UnclearTarget.extend({ address: z.string().max(2000, postMessages.notAnAddress) })
export type MarkPostedInput = z.infer<typeof MarkPostedInput>

/** Posts on a page since a target was sent, from which the artist picks it. Known posts of other targets are left out. */
export type PostCandidates = {
  /** In the order in which they were posted. */
  candidates: { _id: string; postedAt: string; words: string; permalink: string | null }[]
  /** False: the network does not list posts of this kind, so the artist has to paste the address. */
  canList: boolean
  /** There are more than these. */
  hasMore: boolean
}

/** The artist recognised an unclear post as this candidate. */
export const PickCandidateInput = UnclearTarget.extend({ candidateId: z.string().min(1).max(200) })
export type PickCandidateInput = z.infer<typeof PickCandidateInput>

/** From inclusive, to exclusive, by the position of a post in the calendar. */
export const CalendarInput = z.object({ from: instantInput(), to: instantInput() })
export type CalendarInput = z.infer<typeof CalendarInput>

/** Planned posts that will fail unless the artist reconnects their account. */
export type EndangeredPosts = {
  socialAccountId: string
  platform: Platform
  providerName: string
  /** ISO instant at which access ends; null: it has ended. */
  endsAt: string | null
  count: number
  /** The next of these posts. */
  posts: Pick<CalendarPost, '_id' | 'scheduledAt' | 'title'>[]
  /** Ids of all of them (at most `postLimits.calendarMax`), to mark them in the calendar. */
  ids: string[]
}

/** The pages, media and times of a planned post, for which daily allowances are requested. */
export const AllowancesInput = z.object({
  pages: z
    .array(z.object({ platform: z.enum(platforms), socialAccountId: z.uuid(), pageId: z.string().min(1).max(200) }))
    .max(postLimits.variantsMax),
  mediaIds: z.array(z.uuid()).max(mediaLimits.imagesPerPost).default([]),
  scheduledAt: z.array(instantInput()).max(20).default([]),
})
export type AllowancesInput = z.infer<typeof AllowancesInput>

/** The remaining daily allowance of a page at its network, after everything planned until then. */
export const PageAllowance = z.object({
  socialAccountId: z.uuid(),
  pageId: z.string(),
  limit: z.number(),
  /** The allowance is shared by all artists. */
  shared: z.boolean(),
  /** Why a post would wait. */
  sentence: z.string(),
  /** Now, then each requested time. `freesAt`: if the allowance is used up, the ISO instant at which the post would go out. */
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
  /** Present if a picture is cropped for this page. */
  crops: z.array(Crop.nullable()).optional(),
  status: z.enum(postStatuses),
  phase: z.enum(targetPhases),
  /** 0–100 while bytes are uploaded, otherwise null. */
  progress: z.number().nullable(),
  errorMessage: z.string().nullable(),
  /** ISO instant until which the target waits, for the reason in `errorMessage`; it continues by itself. */
  nextTryAt: z.string().nullable(),
  /** The target failed, but its post may be at the network: another attempt could duplicate it. */
  mayBeThere: z.enum(['unclear', ...leftBehind]).nullable(),
  /** The address of its page; only with `mayBeThere`. */
  pageUrl: z.string().nullable(),
  permalink: z.string().nullable(),
})
export type PostVariant = z.infer<typeof PostVariant>

/** A picture or video of a post. After the artist deleted it, `_id` is null and only the thumbnail remains. */
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
  /** Its pictures will be added to the website's gallery. */
  toGallery: z.boolean().optional(),
  /** Present while it waits in the queue: until `scheduledAt`, or until the paused queue is resumed. */
  queue: z.enum(queueStates).optional(),
})
export type Post = z.infer<typeof Post>

/** The summary of a post in a calendar; small, since a response may have thousands. */
export type CalendarPost = Pick<Post, '_id' | 'status' | 'scheduledAt' | 'updatedAt' | 'queue'> & {
  /** From `calendarTitle`. */
  title: string
  /** Each network once, in the order of its pages. */
  platforms: Platform[]
  /** The thumbnail of the first media item; null if all were deleted. */
  thumbnailUrl: string | null
  isVideo: boolean
  mediaCount: number
}

/** The posts that use a media item. */
export type MediaUse = {
  mediaId: string
  /** The number of posts; `latest` has only the newest of them. */
  count: number
  /** At least one of them is scheduled or posted; otherwise all failed. */
  isPlanned: boolean
  latest: Pick<CalendarPost, '_id' | 'status' | 'scheduledAt' | 'title'>[]
}

/** One event of `posts.watch`: the posts as they are now. */
export type PostsChange = {
  posts: Post[]
  /** Requested or known posts that no longer exist. */
  gone: string[]
  /** Anything may have changed (the start, or a lost connection), so the screen must reload its other data too. */
  reread: boolean
}

export const PostResult = z.object({
  _id: z.uuid(),
  /** Now, the requested time, or the slot that it got. */
  scheduledAt: z.string(),
  targets: z.array(
    PostVariant.pick({ pageId: true, status: true, phase: true }).extend({ socialAccountId: z.string() }),
  ),
})
export type PostResult = z.infer<typeof PostResult>

/** The content of a post, for a new post; it is not stored. */
export const PostCopy = z.object({
  title: z.string(),
  /** Only media that are still in the library. */
  mediaIds: z.array(z.uuid()),
  /** Only pages that are still connected. */
  variants: z.array(
    // `options` without TikTok's, which must be chosen for each post; a crop for each of `mediaIds`.
    PostVariant.pick({ platform: true, pageId: true, title: true, message: true, options: true, crops: true }).extend({
      socialAccountId: z.uuid(),
    }),
  ),
  scheduledAt: z.null(),
})
export type PostCopy = z.infer<typeof PostCopy>
