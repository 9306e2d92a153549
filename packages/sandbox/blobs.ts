import { createHash, randomUUID } from 'node:crypto'
import * as fs from 'node:fs'
import * as path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { inspectMedia } from './media.ts'
import type { MediaFacts, Parts, PublishedMedia } from './context.ts'

export type Blobs = {
  store(source: ReadableStream<Uint8Array> | Uint8Array): Promise<PublishedMedia>
  path(blob: string): string
  inspect(blob: string): Promise<MediaFacts>
  parts(name: string): Parts
  reset(): void
}

/**
 * Stores uploaded bytes below `folder`: finished ones in `blobs/<sha256>`, unfinished ones in `parts/`. No file is held in
 * memory.
 */
export function openBlobs(folder: string): Blobs {
  const blobsDir = path.join(folder, 'blobs')
  const partsDir = path.join(folder, 'parts')
  const makeFolders = (): void => [blobsDir, partsDir].forEach((one) => fs.mkdirSync(one, { recursive: true }))
  makeFolders()
  // Facts of a blob never change, and reading them is the slowest step of a request.
  const facts = new Map<string, MediaFacts>()

  const pathOf = (blob: string): string => {
    if (!/^[0-9a-f]{64}$/.test(blob)) throw new RangeError(`No such blob: ${blob}`)
    return path.join(blobsDir, blob)
  }
  const inspect = async (blob: string): Promise<MediaFacts> => {
    const known = facts.get(blob) ?? (await inspectMedia(pathOf(blob)))
    facts.set(blob, known)
    return known
  }
  const moveIntoPlace = async (file: string, sha256: string): Promise<PublishedMedia> => {
    fs.renameSync(file, pathOf(sha256))
    const { bytes, type, width, height, durationMs } = await inspect(sha256)
    return { sha256, bytes, type, width, height, durationMs, blob: sha256 }
  }
  const store = async (source: ReadableStream<Uint8Array> | Uint8Array): Promise<PublishedMedia> => {
    const file = path.join(partsDir, `new-${randomUUID()}`)
    const hash = createHash('sha256')
    // Opened first: when the source fails before its file is open, the file would be created after its removal.
    const handle = await fs.promises.open(file, 'wx')
    try {
      await pipeline(chunks(source), hashing(hash), handle.createWriteStream())
    } catch (error) {
      fs.rmSync(file, { force: true })
      throw error
    }
    return moveIntoPlace(file, hash.digest('hex'))
  }

  const parts = (name: string): Parts => {
    const file = path.join(partsDir, createHash('sha256').update(name).digest('hex').slice(0, 40))
    const size = (): number => fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0
    return {
      size,
      async write(source, offset) {
        if (offset < 0 || offset > size()) throw new RangeError(`Offset ${offset} leaves a gap behind ${size()} bytes`)
        if (size() === 0) fs.writeFileSync(file, '')
        fs.truncateSync(file, offset)
        if (source) await pipeline(chunks(source), fs.createWriteStream(file, { flags: 'a' }))
        return size()
      },
      read: () => Readable.toWeb(fs.createReadStream(file)) as ReadableStream<Uint8Array>,
      truncate: (length) => size() > length && fs.truncateSync(file, length),
      async finish() {
        const hash = createHash('sha256')
        if (size() === 0) fs.writeFileSync(file, '')
        for await (const chunk of fs.createReadStream(file)) hash.update(chunk as Uint8Array)
        return moveIntoPlace(file, hash.digest('hex'))
      },
      drop: () => fs.rmSync(file, { force: true }),
    }
  }

  return {
    store,
    path: pathOf,
    inspect,
    parts,
    reset() {
      facts.clear()
      for (const one of [blobsDir, partsDir]) fs.rmSync(one, { recursive: true, force: true })
      makeFolders()
    },
  }
}

function chunks(source: ReadableStream<Uint8Array> | Uint8Array): Readable {
  return source instanceof Uint8Array
    ? Readable.from([source])
    : Readable.fromWeb(source as Parameters<typeof Readable.fromWeb>[0])
}

function hashing(hash: ReturnType<typeof createHash>) {
  return async function* (source: AsyncIterable<Uint8Array>) {
    for await (const chunk of source) {
      hash.update(chunk)
      yield chunk
    }
  }
}
