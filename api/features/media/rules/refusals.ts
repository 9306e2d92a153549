import { mediaLimits } from '@flashsheet/contracts/media/limits'
import { mediaMessages } from '@flashsheet/contracts/media/messages'

/** The message for a file whose bytes are of no supported type, by its claimed type. */
export function unknownBytesMessage(claimed: string): string {
  if (claimed.startsWith('image/')) return mediaMessages.imageType
  if (claimed.startsWith('video/')) return mediaMessages.videoType
  return mediaMessages.unsupported
}

/** The size limit for a sniffed or claimed type, and its message. */
export function sizeRule(type: string): { bytes: number; message: string } {
  return type.startsWith('image/')
    ? { bytes: mediaLimits.imageBytes, message: mediaMessages.imageSize }
    : { bytes: mediaLimits.videoBytes, message: mediaMessages.videoSize }
}

/** The message for an empty file, which counts as unreadable. */
export function emptyFileMessage(claimed: string): string {
  return claimed.startsWith('video/') ? mediaMessages.videoUnreadable : mediaMessages.imageUnreadable
}

/**
 * An unfinished upload without new bytes for this long may be dropped for a new one. A form sends its files one after
 * another, so its first ones are idle for longer.
 */
const idleMs = { tus: 3_600_000, form: 6 * 3_600_000 }

/**
 * Whether another upload may begin beside `items` and `open` uploads (the longest idle first), and which idle uploads
 * are dropped for it: as few as possible.
 */
export function roomForUpload(
  items: number,
  open: readonly { id: string; source: 'tus' | 'form'; idleSince: Date }[],
  now: Date,
): { refusal: 'library' | 'unfinished' | undefined; dropped: string[] } {
  const dropped: string[] = []
  const refusalNow = () => {
    const others = open.length - dropped.length
    if (items + others >= mediaLimits.libraryItems) return 'library'
    return others >= mediaLimits.unfinishedUploads ? 'unfinished' : undefined
  }
  for (const { id, source, idleSince } of open)
    if (refusalNow() && now.getTime() - idleSince.getTime() >= idleMs[source]) dropped.push(id)
  const refusal = refusalNow()
  return { refusal, dropped: refusal ? [] : dropped }
}
