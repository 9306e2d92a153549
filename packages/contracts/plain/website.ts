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
  emptyText: 'Add media from the All tab.',
  /** Undefined: not known yet. */
  title: (n: number | undefined) => `Gallery (${n ?? '…'})`,
  loadFailed: 'Your gallery could not be loaded.',
  planTitle: 'The gallery comes with Complete Shading',
  planText: 'It shows your work on your own website, beside your booking page. Your media library stays as it is.',
} as const
