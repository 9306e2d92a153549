import { declaredFileRefusal } from '@flashsheet/contracts/media/rules'
import { mediaMessages } from '@flashsheet/contracts/media/messages'
import type { IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { invalid } from '../../../core/errors.ts'
import { readForm } from './read-form.ts'

export type ReceivedPicture = { fileName: string; bytes: Buffer }

/**
 * Reads the picture of a multipart request's field `file` into memory, at most 20 MB. Checks the declared type only; the
 * bytes are checked when the picture is opened. Throws invalid or tooLarge with a message for the artist.
 */
export async function receivePicture(request: IncomingMessage): Promise<ReceivedPicture> {
  const [picture] = await readForm(
    request,
    {
      field: 'file',
      maxFiles: 1,
      refusal: (type) => (type.startsWith('image/') ? declaredFileRefusal(type, 0) : mediaMessages.imageType),
    },
    async ({ fileName, bytes }) => ({ fileName, bytes: await buffer(bytes) }),
  )
  if (!picture || picture.bytes.length === 0) throw invalid(mediaMessages.emptyPick)
  return picture
}
