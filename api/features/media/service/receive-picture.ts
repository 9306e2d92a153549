import { errorMessages } from '@flashsheet/contracts/errors/messages'
import { declaredType, declaredFileRefusal } from '@flashsheet/contracts/media/rules'
import { mediaLimits } from '@flashsheet/contracts/media/limits'
import { mediaMessages } from '@flashsheet/contracts/media/messages'
import type { IncomingMessage } from 'node:http'
import { invalid, tooLarge } from '../../../core/errors.ts'
import { cleanFileName } from '../rules/file-name.ts'
import { discardBody, openParser } from './read-form.ts'

export type ReceivedPicture = { fileName: string; bytes: Buffer }

/**
 * Reads the picture of a multipart request's field `file` into memory, at most 20 MB. Checks the claimed type only; the
 * bytes are checked when the picture is opened. Throws invalid or tooLarge with a message for the artist.
 */
export async function receivePicture(request: IncomingMessage): Promise<ReceivedPicture> {
  try {
    return await read(request)
  } catch (error) {
    await discardBody(request)
    throw error
  }
}

async function read(request: IncomingMessage): Promise<ReceivedPicture> {
  const parser = openParser(request, { files: 1, fields: 20, parts: 30 })
  const { promise, resolve, reject } = Promise.withResolvers<ReceivedPicture>()
  const malformed = () => reject(invalid(errorMessages.malformed))
  let received: ReceivedPicture | undefined
  parser.once('error', malformed)
  request.once('error', malformed)
  const onClose = () => {
    if (!request.readableEnded) malformed()
  }
  request.once('close', onClose)
  parser.on('file', (field, stream, name, _encoding, type) => {
    stream.on('error', malformed)
    if (field !== 'file' || !name) {
      stream.resume()
      return
    }
    const claimed = declaredType(type, name)
    const refusal = claimed.startsWith('image/') ? declaredFileRefusal(claimed, 0) : mediaMessages.imageType
    if (refusal !== undefined) reject(invalid(refusal))
    const chunks: Buffer[] = []
    let size = 0
    stream.on('data', (chunk: Buffer) => {
      size += chunk.byteLength
      if (size > mediaLimits.imageBytes) reject(tooLarge(mediaMessages.imageSize))
      else chunks.push(chunk)
    })
    stream.once('end', () => {
      received = { fileName: cleanFileName(name), bytes: Buffer.concat(chunks) }
    })
  })
  parser.once('finish', () =>
    received && received.bytes.length > 0 ? resolve(received) : reject(invalid(mediaMessages.emptyPick)),
  )
  request.pipe(parser)
  try {
    return await promise
  } finally {
    request.unpipe(parser)
    request.off('close', onClose)
  }
}
