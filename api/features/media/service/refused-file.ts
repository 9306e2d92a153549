import { mediaMessages } from '@flashsheet/contracts/media/messages'

/** A file is refused, with the product's message; thrown in the decoding process. */
export class RefusedFile extends Error {}

/** The refusal of a picture that the picture library could not decode. */
export function undecodablePicture(error: unknown): RefusedFile {
  if (error instanceof RefusedFile) return error
  const isTooLarge = error instanceof Error && /pixel limit/i.test(error.message)
  return new RefusedFile(isTooLarge ? mediaMessages.imagePixels : mediaMessages.imageUnreadable)
}
