import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { errorMessages } from '@flashsheet/contracts/errors/messages'
import { claimedType, refuseDeclaredFile } from '@flashsheet/contracts/media/rules'
import { mediaLimits } from '@flashsheet/contracts/media/limits'
import { mediaMessages } from '@flashsheet/contracts/media/messages'
import type { IncomingMessage } from 'node:http'
import { invalid, tooLarge } from '../../../core/errors.ts'
import { cleanFileName } from '../rules/file-name.ts'
import { discardBody } from './read-form.ts'

export type ReceivedPicture = { fileName: string; bytes: Buffer }

/**
 * Reads the picture of a multipart request's field `file` into memory: at most 20 MB, nothing is stored. Its type is
 * checked when it is opened. Throws invalid or tooLarge with a message for the artist.
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
  const contentType = request.headers['content-type'] ?? ''
  if (!/^multipart\/form-data\b/i.test(contentType)) throw invalid(mediaMessages.emptyPick)
  let parser: BusboyInstance
  try {
    parser = new Busboy({
      headers: { ...request.headers, 'content-type': contentType },
      limits: { files: 1, fields: 20, fieldSize: 65_536, parts: 30, headerPairs: 50, headerSize: 16_384 },
    })
  } catch {
    throw invalid(errorMessages.malformed)
  }
  const { promise, resolve, reject } = Promise.withResolvers<ReceivedPicture>()
  const malformed = () => reject(invalid(errorMessages.malformed))
  let found: ReceivedPicture | undefined
  parser.once('error', malformed)
  request.once('error', malformed)
  const gone = () => {
    if (!request.readableEnded) malformed()
  }
  request.once('close', gone)
  parser.on('file', (field, stream, name, _encoding, type) => {
    stream.on('error', malformed)
    if (field !== 'file' || !name) {
      stream.resume()
      return
    }
    const claimed = claimedType(type, name)
    const refusal = claimed.startsWith('image/') ? refuseDeclaredFile(claimed, 0) : mediaMessages.imageType
    if (refusal !== undefined) reject(invalid(refusal))
    const chunks: Buffer[] = []
    let size = 0
    stream.on('data', (chunk: Buffer) => {
      size += chunk.byteLength
      if (size > mediaLimits.imageBytes) reject(tooLarge(mediaMessages.imageSize))
      else chunks.push(chunk)
    })
    stream.once('end', () => {
      found = { fileName: cleanFileName(name), bytes: Buffer.concat(chunks) }
    })
  })
  parser.once('finish', () =>
    found && found.bytes.length > 0 ? resolve(found) : reject(invalid(mediaMessages.emptyPick)),
  )
  request.pipe(parser)
  try {
    return await promise
  } finally {
    request.unpipe(parser)
    request.off('close', gone)
  }
}
