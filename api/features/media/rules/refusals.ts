import { mediaLimits } from '@flashsheet/contracts/media/limits'
import { mediaMessages } from '@flashsheet/contracts/media/messages'

/** The error for a file of an unsupported type, in words for its claimed type. */
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

/** An empty file counts as unreadable. */
export function emptyFileMessage(claimed: string): string {
  return claimed.startsWith('video/') ? mediaMessages.videoUnreadable : mediaMessages.imageUnreadable
}

/**
 * An unfinished upload without new bytes for this long gives way to a new one: by tus, and by a form, whose files are
 * sent one after the other.
 */
const idleMs = { tus: 3_600_000, form: 6 * 3_600_000 }

/**
 * Whether another upload may begin beside `items` and `open` uploads (the longest idle first), and which idle ones are
 * dropped for it: as few as possible.
 */
export function roomForUpload(
  items: number,
  open: readonly { id: string; source: 'tus' | 'form'; idleSince: Date }[],
  now: Date,
): { refusal: 'library' | 'unfinished' | undefined; givingWay: string[] } {
  const givingWay: string[] = []
  const isOver = () =>
    open.length - givingWay.length >= mediaLimits.unfinishedUploads ||
    items + open.length - givingWay.length >= mediaLimits.libraryItems
  for (const { id, source, idleSince } of open) {
    if (!isOver()) break
    if (now.getTime() - idleSince.getTime() >= idleMs[source]) givingWay.push(id)
  }
  if (items + open.length - givingWay.length >= mediaLimits.libraryItems) return { refusal: 'library', givingWay: [] }
  return open.length - givingWay.length >= mediaLimits.unfinishedUploads
    ? { refusal: 'unfinished', givingWay: [] }
    : { refusal: undefined, givingWay }
}
