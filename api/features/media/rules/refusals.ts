import { imageTypes, mediaLimits, mediaMessages, type MediaType } from '@flashsheet/contracts/media'

/** What is wrong with a file whose bytes are no type we take, in the words for what it claimed to be (spec 5). */
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
