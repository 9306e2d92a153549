import { imageTypes, mediaLimits, type MediaType } from '@flashsheet/contracts/media/limits'
import { mediaMessages } from '@flashsheet/contracts/media/messages'

/** What is wrong with a file whose bytes are no type we take, in the words for what it claimed to be. */
export function unknownBytesMessage(claimed: string): string {
  if (claimed.startsWith('image/')) return mediaMessages.imageType
  if (claimed.startsWith('video/')) return mediaMessages.videoType
  return mediaMessages.unsupported
}

export function isImageType(type: MediaType): boolean {
  return (imageTypes as readonly string[]).includes(type)
}

/** The most bytes a file of this sniffed or claimed type may have, and what to say about one more. */
export function sizeRule(type: string): { bytes: number; message: string } {
  return type.startsWith('image/')
    ? { bytes: mediaLimits.imageBytes, message: mediaMessages.imageSize }
    : { bytes: mediaLimits.videoBytes, message: mediaMessages.videoSize }
}

/** An empty file is an unreadable one. */
export function emptyFileMessage(claimed: string): string {
  return claimed.startsWith('video/') ? mediaMessages.videoUnreadable : mediaMessages.imageUnreadable
}

/** After so long without a byte an unfinished upload gives way to a new one: of a tus client, and of a form, whose files wait for each other. */
const idleMs = { tus: 3_600_000, form: 6 * 3_600_000 }

/**
 * Whether one more upload may begin beside `items` and what is `open` (the longest idle first), and which idle ones give way to it: as few as
 * are enough.
 */
export function placeForUpload(
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
