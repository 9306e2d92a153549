import { type MediaType, imageTypes, mediaLimits, videoTypes } from './limits.ts'
import { mediaMessages } from './messages.ts'
import type { Crop } from './schema.ts'

/** The largest crop of a picture with this ratio (width over height). `focus`: 0 is its left or upper end, 1 the other. */
export function cropFor({ width, height }: { width: number; height: number }, ratio: number, focus: number): Crop {
  const own = width / height
  if (own < ratio) {
    const share = own / ratio
    return { x: 0, y: (1 - share) * focus, width: 1, height: share }
  }
  const share = ratio / own
  return { x: (1 - share) * focus, y: 0, width: share, height: 1 }
}

/** The `focus` from which `cropFor` made a crop; 0.5 for one of the whole picture. */
export function focusOf({ x, y, width, height }: Crop): number {
  const [at, share] = height < width ? [y, height] : [x, width]
  return share < 1 ? Math.min(1, at / (1 - share)) : 0.5
}

/**
 * Why a file is refused by its declared type and size in bytes; undefined if it is not. The server also checks the content
 * of the file.
 */
export function declaredFileRefusal(type: string, size: number): string | undefined {
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
 * Why a video of this length is refused; undefined if it is not. Seconds are rounded to tenths, since a video that was cut
 * at three minutes contains a few milliseconds more of sound.
 */
export function videoDurationRefusal(seconds: number): string | undefined {
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

/** The declared type of a file, otherwise the type of its extension; '' if both are unknown. */
export function declaredType(type: string | null | undefined, fileName: string): string {
  const declared = (type ?? '').split(';')[0]!.trim().toLowerCase()
  if (declared === 'image/jpg' || declared === 'image/pjpeg') return 'image/jpeg'
  if (declared !== '' && declared !== 'application/octet-stream') return declared
  return typeByExtension[fileName.toLowerCase().split('.').at(-1) ?? ''] ?? ''
}
