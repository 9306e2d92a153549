import { type MediaType, imageTypes, mediaLimits, videoTypes } from './limits.ts'
import { mediaMessages } from './messages.ts'
import type { Crop } from './schema.ts'

/** What of a picture fills a frame of this ratio (width over height); `focus` is 0 for its left or upper end, 1 for the other. */
export function cropFor({ width, height }: { width: number; height: number }, ratio: number, focus: number): Crop {
  const own = width / height
  if (own < ratio) {
    const share = own / ratio
    return { x: 0, y: (1 - share) * focus, width: 1, height: share }
  }
  const share = ratio / own
  return { x: (1 - share) * focus, y: 0, width: share, height: 1 }
}

/** The focus that `cropFor` made a crop of; the middle for one that leaves nothing out. */
export function focusOf({ x, y, width, height }: Crop): number {
  const [at, share] = height < width ? [y, height] : [x, width]
  return share < 1 ? Math.min(1, at / (1 - share)) : 0.5
}

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

/** The declared type of a file: the sender's, else by its extension. '' = neither. */
export function claimedType(type: string | null | undefined, fileName: string): string {
  const said = (type ?? '').split(';')[0]!.trim().toLowerCase()
  if (said === 'image/jpg' || said === 'image/pjpeg') return 'image/jpeg'
  if (said !== '' && said !== 'application/octet-stream') return said
  return typeByExtension[fileName.toLowerCase().split('.').at(-1) ?? ''] ?? ''
}
