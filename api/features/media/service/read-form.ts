import { Busboy } from '@fastify/busboy'
import { errorMessages } from '@flashsheet/contracts/errors/messages'
import { declaredType, declaredFileRefusal } from '@flashsheet/contracts/media/rules'
import { mediaLimits } from '@flashsheet/contracts/media/limits'
import { mediaMessages } from '@flashsheet/contracts/media/messages'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { invalid, tooLarge, type AppError } from '../../../core/errors.ts'
import { cleanFileName } from '../rules/file-name.ts'
import { sizeRule } from '../rules/refusals.ts'

const drainBytes = 400 * 1_048_576
const drainMs = 30_000

/** A file of a form, while it is being received. */
export type FormFile = { fileName: string; declaredType: string; bytes: AsyncIterable<Uint8Array> }

type FormRules = {
  /** The field whose files are read; others are ignored. */
  field: string
  maxFiles: number
  /** The message for a form of more files; absent = the others are ignored. */
  tooManyFiles?: string
  /** Why a file is refused by its declared type. */
  refusal: (declaredType: string) => string | undefined
}

/** Reads files for the library, from the field `files`. As `readForm`. */
export const readLibraryForm = async <T>(
  request: IncomingMessage,
  take: (file: FormFile) => Promise<T>,
): Promise<T[]> =>
  await readForm(
    request,
    {
      field: 'files',
      maxFiles: mediaLimits.libraryItems,
      tooManyFiles: mediaMessages.libraryFull,
      refusal: (type) => declaredFileRefusal(type, 0),
    },
    take,
  )

/**
 * Passes each file of a multipart request's field to `take`, which runs concurrently and must read its bytes to the end.
 * Returns the results in the order sent. Throws invalid or tooLarge with a message for the artist.
 */
export async function readForm<T>(
  request: IncomingMessage,
  rules: FormRules,
  take: (file: FormFile) => Promise<T>,
): Promise<T[]> {
  const { field: fileField, maxFiles, tooManyFiles } = rules
  const parser = openParser(request, { files: maxFiles, fields: 50, parts: 200 })
  const files: Promise<T | undefined>[] = []
  const streams: Readable[] = []
  const failed = Promise.withResolvers<never>()
  const finished = new Promise<void>((resolve) => parser.once('finish', resolve))
  failed.promise.catch(() => {})
  let writeFailed = false
  const fail = () => {
    // After a failed write the parser reports the unread file as an error; the error of the write is the cause.
    if (!writeFailed) failed.reject(invalid(errorMessages.malformed))
  }
  const onWriteFailed = () => {
    writeFailed = true
  }
  parser.once('error', fail)
  if (tooManyFiles !== undefined) parser.once('filesLimit', () => failed.reject(invalid(tooManyFiles)))
  request.once('error', fail)
  const onClose = () => {
    if (!request.readableEnded) fail()
  }
  request.once('close', onClose)
  parser.on('file', (field, stream, name, _encoding, type) => {
    // Emitted when a body ends too early; without a handler it would end the process.
    stream.on('error', fail)
    streams.push(stream)
    if (field !== fileField) {
      stream.resume()
      return
    }
    const file = readFile({ stream, name, type, refuse: failed.reject, onWriteFailed }, rules, take)
    file.catch(failed.reject)
    files.push(file)
  })
  request.pipe(parser)
  try {
    await Promise.race([finished, failed.promise])
    return (await Promise.race([Promise.all(files), failed.promise])).filter((file) => file !== undefined)
  } finally {
    request.unpipe(parser)
    request.off('close', onClose)
    parser.destroy()
    // Writes must end before the caller deletes their files.
    for (const stream of streams)
      if (!stream.readableEnded) stream.destroy(new Error('the request ended before the file'))
    await Promise.allSettled(files)
  }
}

type Part = {
  stream: Readable
  name: string
  type: string
  /** Fails the form at once: otherwise the parser's error for the aborted stream would come first. */
  refuse: (reason: AppError) => void
  /** Called when the reader of the bytes stops before their end. */
  onWriteFailed: () => void
}

async function readFile<T>(
  part: Part,
  { refusal }: FormRules,
  take: (file: FormFile) => Promise<T>,
): Promise<T | undefined> {
  const { stream, name, type } = part
  if (!name) {
    // A browser sends a nameless, empty file for an empty file input.
    for await (const chunk of stream) if ((chunk as Uint8Array).byteLength > 0) throw invalid(mediaMessages.unsupported)
    return undefined
  }
  const fileName = cleanFileName(name)
  const claimed = declaredType(type, fileName)
  const refused = refusal(claimed)
  if (refused !== undefined) throw invalid(refused)
  return await take({ fileName, declaredType: claimed, bytes: limited(part, sizeRule(claimed)) })
}

/** Passes bytes on. Throws tooLarge beyond the limit. */
async function* limited(part: Part, rule: { bytes: number; message: string }): AsyncGenerator<Uint8Array> {
  let size = 0
  let isReadFurther = false
  try {
    for await (const chunk of part.stream as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength
      if (size > rule.bytes) {
        const refusal = tooLarge(rule.message)
        part.refuse(refusal)
        throw refusal
      }
      isReadFurther = false
      yield chunk
      isReadFurther = true
    }
    isReadFurther = true
  } finally {
    if (!isReadFurther && size > 0) part.onWriteFailed()
  }
}

/** A parser of a multipart request. Throws invalid. */
function openParser(request: IncomingMessage, limits: { files: number; fields: number; parts: number }) {
  const contentType = request.headers['content-type'] ?? ''
  if (!/^multipart\/form-data\b/i.test(contentType)) throw invalid(mediaMessages.emptyPick)
  try {
    return new Busboy({
      headers: { ...request.headers, 'content-type': contentType },
      limits: { ...limits, fieldSize: 65_536, headerPairs: 50, headerSize: 16_384 },
    })
  } catch {
    throw invalid(errorMessages.malformed)
  }
}

/** Reads the rest of a refused request for a while, so that its sender gets the answer. */
export async function discardBody(request: IncomingMessage): Promise<void> {
  if (request.readableEnded || request.destroyed) return
  await new Promise<void>((resolve) => {
    let size = 0
    const timer = setTimeout(resolve, drainMs)
    const done = () => {
      clearTimeout(timer)
      resolve()
    }
    request.on('data', (chunk: Uint8Array) => {
      size += chunk.byteLength
      if (size > drainBytes) done()
    })
    request.once('end', done)
    request.once('close', done)
    request.resume()
  })
}
