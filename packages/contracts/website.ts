import { z } from 'zod'

export const galleryLimits = {
  /** Characters of what a picture shows, for those who cannot see it. */
  altText: 250,
} as const

export const galleryMessages = {
  added: 'Added to gallery!',
  addedMany: (n: number) => `${n} item(s) added to gallery!`,
  removedMany: (n: number) => `${n} item(s) removed from gallery!`,
  addFailed: 'Failed to add to gallery',
  removeFailed: 'Failed to remove from gallery',
  notInGallery: 'This item is not in your gallery.',
  altTextTooLong: `Please describe the picture in at most ${galleryLimits.altText} characters.`,
  emptyTitle: 'No Gallery Media',
} as const

/** What every gallery call answers: the media ids in the artist's order (wire: gallery calls). */
export const Gallery = z.object({ gallery: z.array(z.uuid()) })
export type Gallery = z.infer<typeof Gallery>

/** One entry of the gallery as its artist sees it; the picture itself is the media item of the same `_id`. */
export const GalleryItem = z.object({
  _id: z.uuid(),
  altText: z.string(),
  /** False for the moment it takes to make the pictures the public gets. */
  isPublic: z.boolean(),
})
export type GalleryItem = z.infer<typeof GalleryItem>

export const DescribeGalleryItem = z.object({
  id: z.uuid(),
  altText: z.string().trim().max(galleryLimits.altText, galleryMessages.altTextTooLong),
})
export type DescribeGalleryItem = z.infer<typeof DescribeGalleryItem>
