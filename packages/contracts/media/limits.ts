/** Bytes and seconds, all inclusive. */
export const mediaLimits = {
  imageBytes: 20_971_520,
  videoBytes: 314_572_800,
  videoSeconds: 180,
  libraryItems: 100,
  /** Uploads of an artist that may be unfinished at a time, and each of them takes a place in the library. */
  unfinishedUploads: 20,
  imagesPerPost: 10,
  /** Bytes a tus client should send per request; a broken one keeps what arrived, so they need not be small. */
  chunkBytes: 33_554_432,
  /** Pixels of a picture: more than any phone writes into 20 MB, less than a bomb needs. */
  imagePixels: 120_000_000,
  /** Bytes of a poster a browser drew from a video. */
  posterBytes: 1_048_576,
  /** Hours an upload may stay unfinished. */
  uploadHours: 24,
} as const

/** Accepted types (no GIF: docs/decisions/0002-gif-stays-out.md). */
export const imageTypes = ['image/jpeg', 'image/png'] as const
export const videoTypes = ['video/mp4', 'video/quicktime'] as const
export const mediaTypes = [...imageTypes, ...videoTypes] as const
export type MediaType = (typeof mediaTypes)[number]
