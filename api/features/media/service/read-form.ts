import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { errorMessages } from '@flashsheet/contracts/errors/messages'
import { claimedType, refuseDeclaredFile } from '@flashsheet/contracts/media/rules'
import { mediaLimits } from '@flashsheet/contracts/media/limits'
import { mediaMessages } from '@flashsheet/contracts/media/messages'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { invalid, tooLarge, type AppError } from '../../../core/errors.ts'
import { cleanFileName } from '../rules/file-name.ts'
import { sizeRule } from '../rules/refusals.ts'

/** How long a refused request is still read, so that its sender gets the answer. */
const drainBytes = 400 * 1_048_576
const drainMs = 30_000

/** A file of a form while it arrives. */
export type FormFile = { fileName: string; claimedType: string; bytes: AsyncIterable<Uint8Array> }

/**
 * Reads the files of a multipart request's field `files`, each by `take`, which runs beside the others and reads its bytes to the end.
 * Answers in the order sent. Throws invalid or tooLarge with a message for the artist.
 */
export async function readForm<T>(request: IncomingMessage, take: (file: FormFile) => Promise<T>): Promise<T[]> {
  const parser = openParser(request)
  const files: Promise<T | undefined>[] = []
  const streams: Readable[] = []
  const failed = Promise.withResolvers<never>()
  const finished = new Promise<void>((resolve) => parser.once('finish', resolve))
  failed.promise.catch(() => {})
  let givenUp = false
  const fail = () => {
    // The parser also reports a file that is no longer read; the file has the actual reason.
    if (!givenUp) failed.reject(invalid(errorMessages.malformed))
  }
  const giveUp = () => {
    givenUp = true
  }
  parser.once('error', fail)
  parser.once('filesLimit', () => failed.reject(invalid(mediaMessages.libraryFull)))
  request.once('error', fail)
  const gone = () => {
    if (!request.readableEnded) fail()
  }
  request.once('close', gone)
  parser.on('file', (field, stream, name, _encoding, type) => {
    // Busboy also emits here when a body ends too early; unhandled it would end the process.
    stream.on('error', fail)
    streams.push(stream)
    if (field !== 'files') {
      stream.resume()
      return
    }
    const file = readFile({ stream, name, type, refuse: failed.reject, giveUp }, take)
    file.catch(failed.reject)
    files.push(file)
  })
  request.pipe(parser)
  try {
    await Promise.race([finished, failed.promise])
    return (await Promise.race([Promise.all(files), failed.promise])).filter((file) => file !== undefined)
  } finally {
    request.unpipe(parser)
    request.off('close', gone)
    parser.destroy()
    // Running writes must end before anybody deletes their files.
    for (const stream of streams)
      if (!stream.readableEnded) stream.destroy(new Error('the request ended before the file'))
    await Promise.allSettled(files)
  }
}

type Part = {
  stream: Readable
  name: string
  type: string
  /** Rejects with the first reason: the parser would report an aborted stream first. */
  refuse: (reason: AppError) => void
  /** Writing failed, so its bytes are not read any further. */
  giveUp: () => void
}

async function readFile<T>(part: Part, take: (file: FormFile) => Promise<T>): Promise<T | undefined> {
  const { stream, name, type } = part
  if (!name) {
    // What a browser sends for an empty file input.
    for await (const chunk of stream) if ((chunk as Uint8Array).byteLength > 0) throw invalid(mediaMessages.unsupported)
    return undefined
  }
  const fileName = cleanFileName(name)
  const claimed = claimedType(type, fileName)
  const refusal = refuseDeclaredFile(claimed, 0)
  if (refusal !== undefined) throw invalid(refusal)
  return await take({ fileName, claimedType: claimed, bytes: limited(part, sizeRule(claimed)) })
}

async function* limited(part: Part, rule: { bytes: number; message: string }): AsyncGenerator<Uint8Array> {
  let size = 0
  let isWanted = false
  try {
    for await (const chunk of part.stream as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength
      if (size > rule.bytes) {
        const refusal = tooLarge(rule.message)
        part.refuse(refusal)
        throw refusal
      }
      isWanted = false
      yield chunk
      isWanted = true
    }
    isWanted = true
  } finally {
    if (!isWanted && size > 0) part.giveUp()
  }
}

function openParser(request: IncomingMessage): BusboyInstance {
  const contentType = request.headers['content-type'] ?? ''
  if (!contentType.toLowerCase().startsWith('multipart/form-data')) throw invalid(mediaMessages.emptyPick)
  try {
    return new Busboy({
      headers: { ...request.headers, 'content-type': contentType },
      limits: {
        files: mediaLimits.libraryItems,
        fields: 50,
        fieldSize: 65_536,
        parts: 200,
        headerPairs: 50,
        headerSize: 16_384,
      },
    })
  } catch {
    throw invalid(errorMessages.malformed)
  }
}

/** Reads a refused request for a while, so that its sender gets the answer. */
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
