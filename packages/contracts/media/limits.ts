/** Bytes and seconds, all inclusive. */
export const mediaLimits = {
  imageBytes: 20_971_520,
  videoBytes: 314_572_800,
  videoSeconds: 180,
  libraryItems: 100,
  /** Unfinished uploads of an artist at a time; each counts as an item of the library. */
  unfinishedUploads: 20,
  imagesPerPost: 10,
  /** Bytes a tus client should send per request. They need not be few, since an interrupted request keeps what arrived. */
  chunkBytes: 33_554_432,
  /** Pixels of a picture: more than phones fit into 20 MB, and less than a decompression bomb needs. */
  imagePixels: 120_000_000,
  /** Bytes of the poster that a browser makes of a video. */
  posterBytes: 1_048_576,
  /** Hours an upload may stay unfinished. */
  uploadHours: 24,
} as const

/** Accepted types (no GIF: docs/decisions/0002-gif-stays-out.md). */
export const imageTypes = ['image/jpeg', 'image/png'] as const
export const videoTypes = ['video/mp4', 'video/quicktime'] as const
export const mediaTypes = [...imageTypes, ...videoTypes] as const
export type MediaType = (typeof mediaTypes)[number]
