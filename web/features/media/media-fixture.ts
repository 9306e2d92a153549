import type { MediaItem } from '@flashsheet/contracts/media/schema'

/** A picture of the library, for tests. */
export const libraryPicture = (id: string, patch: Partial<MediaItem> = {}): MediaItem => ({
  _id: id,
  type: 'image',
  url: `/files/${id}`,
  thumbnailUrl: `/thumbs/${id}`,
  fileName: `${id}.jpg`,
  name: `${id}.jpg`,
  mimeType: 'image/jpeg',
  size: 10,
  createdAt: '2026-11-01T00:00:00.000Z',
  dimensions: { width: 800, height: 1000 },
  duration: null,
  encoding: null,
  ...patch,
})
