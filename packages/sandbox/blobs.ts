import { createHash, randomUUID } from 'node:crypto'
import * as fs from 'node:fs'
import * as path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { inspectMedia } from './media.ts'
import type { MediaFacts, PublishedMedia } from './context.ts'

export type Blobs = ReturnType<typeof openBlobs>

/**
 * Stores uploaded bytes below `folder`: finished ones in `blobs/<sha256>`, unfinished ones in `parts/`. No file is held in
 * memory.
 */
export function openBlobs(folder: string) {
  const blobsDir = path.join(folder, 'blobs')
  const partsDir = path.join(folder, 'parts')
  const makeFolders = (): void => [blobsDir, partsDir].forEach((one) => fs.mkdirSync(one, { recursive: true }))
  makeFolders()
  // Facts of a blob never change, and reading them is the slowest step of a request.
  const facts = new Map<string, MediaFacts>()

  const blobPath = (sha256: string): string => {
    if (!/^[0-9a-f]{64}$/.test(sha256)) throw new RangeError(`No such blob: ${sha256}`)
    return path.join(blobsDir, sha256)
  }
  /** All facts of a stored blob. */
  const inspect = async (sha256: string): Promise<MediaFacts> => {
    const known = facts.get(sha256) ?? (await inspectMedia(blobPath(sha256)))
    facts.set(sha256, known)
    return known
  }
  const moveIntoPlace = async (file: string, sha256: string): Promise<PublishedMedia> => {
    fs.renameSync(file, blobPath(sha256))
    const { bytes, type, width, height, durationMs } = await inspect(sha256)
    return { sha256, bytes, type, width, height, durationMs }
  }
  /** Stores bytes under their SHA-256 and reads type, size and duration from them; ignores a declared type. */
  const storeBlob = async (source: ReadableStream<Uint8Array> | Uint8Array): Promise<PublishedMedia> => {
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

  /** The partial bytes of a resumable upload, in a file that survives a restart. `name` is the session's id. */
  const parts = (name: string) => {
    const file = path.join(partsDir, createHash('sha256').update(name).digest('hex').slice(0, 40))
    const size = (): number => fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0
    return {
      /** The number of bytes stored now. */
      size,
      /**
       * Writes at `offset` (at most `size()`, otherwise RangeError) after truncating there, and returns the new size.
       * Throws when the sender disconnects; the bytes so far remain, and `truncate` removes them.
       */
      async write(source: ReadableStream<Uint8Array> | Uint8Array | null, offset: number): Promise<number> {
        if (offset < 0 || offset > size()) throw new RangeError(`Offset ${offset} leaves a gap behind ${size()} bytes`)
        if (size() === 0) fs.writeFileSync(file, '')
        fs.truncateSync(file, offset)
        if (source) await pipeline(chunks(source), fs.createWriteStream(file, { flags: 'a' }))
        return size()
      },
      read: () => Readable.toWeb(fs.createReadStream(file)) as ReadableStream<Uint8Array>,
      truncate: (length: number) => size() > length && fs.truncateSync(file, length),
      /** Turns the bytes into a blob; the parts are deleted. */
      async finish(): Promise<PublishedMedia> {
        const hash = createHash('sha256')
        if (size() === 0) fs.writeFileSync(file, '')
        for await (const chunk of fs.createReadStream(file)) hash.update(chunk as Uint8Array)
        return moveIntoPlace(file, hash.digest('hex'))
      },
      drop: () => fs.rmSync(file, { force: true }),
    }
  }

  return {
    storeBlob,
    blobPath,
    inspect,
    parts,
    removeBlobs() {
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
