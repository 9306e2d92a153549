import { mediaLimits } from '../plain.ts'

/** Accepted types (no GIF: docs/decisions/0002-gif-stays-out.md). */
export const imageTypes = ['image/jpeg', 'image/png'] as const
export const videoTypes = ['video/mp4', 'video/quicktime'] as const
export const mediaTypes = [...imageTypes, ...videoTypes] as const
export type MediaType = (typeof mediaTypes)[number]

export const mediaMessages = {
  videoType: 'Please select a valid video file (MP4 or MOV)',
  videoSize: 'Video size must be less than 300MB',
  videoDuration: 'Video duration must be less than 3 minutes',
  videoUnreadable: 'Error validating video duration',
  imageType: 'Please select a valid image file (JPG or PNG)',
  imageSize: 'Image size must be less than 20MB',
  imageUnreadable: 'This picture could not be read. Please try another file.',
  imagePixels: 'This picture has too many pixels (at most 120 million). Please make it smaller.',
  unsupported: 'Unsupported file type',
  emptyPick: 'Failed to upload file',
  uploadFailed: 'Failed to upload files',
  uploadFailedShort: 'Upload failed',
  libraryFull: 'Your media library is full (100 items). Delete something to make room.',
  tooManyUnfinished: `${mediaLimits.unfinishedUploads} of your files are still on their way. Let one of them arrive first, or cancel one.`,
  hint: 'JPG and PNG max 20MB, MP4 and MOV max 300MB and max 3 minutes.',
  deleted: (n: number) => `${n} item(s) successfully deleted.`,
  posterUnreadable: 'The poster picture could not be read.',
  posterSize: 'The poster picture must be at most 1MB.',
  posterForVideo: 'Only a video has a poster picture.',
  cannotConvert:
    'This video could not be converted without re-encoding it. Please upload it as an MP4 with H.264 and AAC.',
  busy: 'Many files are being looked at just now. Please try again in a moment.',
  notMade: 'This file could not be prepared just now. Please try again in a moment.',
  inUse: 'Some of these items are used by posts that have not gone out yet.',
  emptyTitle: 'No Media Found',
  emptyText: 'Upload files to get started.',
  /** Undefined: not known yet. */
  libraryTitle: (n: number | undefined) => `Your Media Library (${n ?? '…'}/${mediaLimits.libraryItems})`,
  roomFor: (n: number) =>
    `Your media library has room for ${n} more ${n === 1 ? 'item' : 'items'}. The rest was not taken.`,
  deleteFailed: 'The items could not be deleted.',
  loadFailed: 'Your media library could not be loaded.',
} as const

/**
 * Why a file may not be added, judged by what a browser or a tus client declares: its type and size in bytes.
 * Undefined = fine so far; bytes are sniffed on the server.
 */
export function refuseDeclaredFile(type: string, size: number): string | undefined {
  if (type.startsWith('video/')) {
    if (!(videoTypes as readonly string[]).includes(type)) return mediaMessages.videoType
    return size > mediaLimits.videoBytes ? mediaMessages.videoSize : undefined
  }
  if (type.startsWith('image/')) {
    if (!(imageTypes as readonly string[]).includes(type)) return mediaMessages.imageType
    return size > mediaLimits.imageBytes ? mediaMessages.imageSize : undefined
  }
  return mediaMessages.unsupported
}

/**
 * Why a video of this length may not be added; undefined = fine. Seconds as read from the file, judged to the tenth:
 * a video cut at three minutes carries a few more milliseconds of sound (180.0 s, at most).
 */
export function refuseDuration(seconds: number): string | undefined {
  if (!Number.isFinite(seconds) || seconds <= 0) return mediaMessages.videoUnreadable
  return Math.round(seconds * 10) / 10 > mediaLimits.videoSeconds ? mediaMessages.videoDuration : undefined
}

const typeByExtension: Record<string, MediaType> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  mp4: 'video/mp4',
  m4v: 'video/mp4',
  mov: 'video/quicktime',
  qt: 'video/quicktime',
}

/** The type a file claims: what its sender said or, where that says nothing, what its name ends on. '' = neither. */
export function claimedType(type: string | null | undefined, fileName: string): string {
  const said = (type ?? '').split(';')[0]!.trim().toLowerCase()
  if (said === 'image/jpg' || said === 'image/pjpeg') return 'image/jpeg'
  if (said !== '' && said !== 'application/octet-stream') return said
  return typeByExtension[fileName.toLowerCase().split('.').at(-1) ?? ''] ?? ''
}
