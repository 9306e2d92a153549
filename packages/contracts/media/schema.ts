import { z } from 'zod'
import { pageInput, requestId, uuid } from '../input.ts'
import { mediaLimits, mediaTypes } from './limits.ts'
import { mediaMessages } from './messages.ts'
import { platforms } from '../networks.ts'
import type { VideoEncoding as Encoding } from '../video.ts'

const VideoEncoding = z.object({
  codec: z.string().nullable(),
  audioCodec: z.string().nullable(),
  fps: z.number().nullable(),
}) satisfies z.ZodType<Encoding>

export const MediaItem = z.object({
  _id: z.uuid(),
  type: z.enum(['image', 'video']),
  /** Same-origin address of the picture to show, or of the video itself. */
  url: z.string(),
  /** A small picture: thumbnail of an image, poster of a video. */
  thumbnailUrl: z.string(),
  fileName: z.string(),
  name: z.string(),
  mimeType: z.enum(mediaTypes),
  size: z.number().int(),
  createdAt: z.string(),
  dimensions: z.object({ width: z.number().int(), height: z.number().int() }),
  /** Seconds; null for images. */
  duration: z.number().nullable(),
  /** For the networks' own rules; null for images. */
  encoding: VideoEncoding.nullable(),
})
export type MediaItem = z.infer<typeof MediaItem>

/** How full the library is: 'Your Media Library (n/100)'. */
export type MediaUsage = { count: number; capacity: number }

export const ListMediaInput = z.object(pageInput(mediaLimits.libraryItems))
export type ListMediaInput = z.infer<typeof ListMediaInput>

/** The refusal of a deletion (`DELETE /api/media`): the posts that still need some of the items, and which. */
export const MediaInUse = z.object({
  message: z.string(),
  posts: z.array(
    z.object({
      _id: z.uuid(),
      status: z.string(),
      scheduledAt: z.string(),
      title: z.string(),
      mediaIds: z.array(z.uuid()),
    }),
  ),
})
export type MediaInUse = z.infer<typeof MediaInUse>

const fraction = z.number().min(0).max(1)
/** The tolerance for rounding errors of fractions. */
const rounding = 1e-6

/** The part of a picture that is sent: fractions of its width and height, as it is shown. */
export const Crop = z
  .object({ x: fraction, y: fraction, width: fraction.positive(), height: fraction.positive() })
  .refine(({ x, y, width, height }) => x + width <= 1 + rounding && y + height <= 1 + rounding, {
    error: mediaMessages.cropOutside,
  })
export type Crop = z.infer<typeof Crop>

/** Media items in the order of a post, and the network. */
export const MediaForNetworkInput = z.object({
  mediaIds: z.array(z.uuid()).min(1).max(mediaLimits.imagesPerPost),
  platform: z.enum(platforms),
})
export type MediaForNetworkInput = z.infer<typeof MediaForNetworkInput>

/** The renditions that will be sent to a network. */
export type MediaForNetwork = {
  /** `url`: a path of this origin, valid for a day. */
  media: (Pick<MediaItem, 'type' | 'mimeType' | 'url'> & { bytes: number; width: number; height: number })[]
  /** Why nothing can be sent; null: it can. */
  refusal: string | null
}

export const FromUrlInput = z.object({
  url: z
    .string({ error: mediaMessages.addressRefused })
    .trim()
    .min(1, mediaMessages.addressRefused)
    .max(2000, mediaMessages.addressRefused),
  requestId,
})
export type FromUrlInput = z.infer<typeof FromUrlInput>

export const FromUrlParam = z.object({ jobId: z.uuid() })
export type FromUrlParam = z.infer<typeof FromUrlParam>

/** A request to fetch a picture or video into the library. */
export const FromUrlJob = z.object({ _id: z.uuid() })
export type FromUrlJob = z.infer<typeof FromUrlJob>

export const FromUrlState = z.object({
  state: z.enum(['fetching', 'done', 'failed']),
  /** Present once it is done, unless the item was deleted. */
  item: MediaItem.optional(),
  /** Why it failed. */
  message: z.string().optional(),
})
export type FromUrlState = z.infer<typeof FromUrlState>

export const DeletedCount = z.object({ deleted: z.number().int() })

export const MediaIds = z.object({ ids: z.array(uuid()).min(1).max(mediaLimits.libraryItems) })
export type MediaIds = z.infer<typeof MediaIds>
