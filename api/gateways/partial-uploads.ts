import { FileStore } from '@tus/file-store'
import type { DataStore } from '@tus/server'
import * as fs from 'node:fs/promises'
import * as path from 'node:path'
import type { Readable } from 'node:stream'
import type { DiskSpace } from './disk-space.ts'
import type { LocalFile } from './scratch.ts'

const mebibyte = 1_048_576
/** Chunks are buffered into writes of this size, which saves a system call for each network packet. */
const writeBytes = mebibyte
/** The bytes are flushed to disk (fsync) each time this much was written. */
const syncBytes = 16 * mebibyte
/** The free disk space is checked each time this much was written. */
const spaceCheckBytes = 8 * mebibyte

/** Where uploads are received. */
export type PartialUploads = {
  /** The store for the tus server. */
  store: DataStore
  /** The bytes of an upload; undefined when there is no such upload. */
  bytes: (id: string) => Promise<number | undefined>
  /** A path from which an upload can be read. */
  localFile: (id: string) => Promise<LocalFile>
  /** Streams `source` into a new upload. After a failure the bytes received so far may remain. */
  receive: (id: string, source: Readable) => Promise<void>
  /** Flushes an upload's bytes to disk (fsync). */
  flush: (id: string) => Promise<void>
  /** Deletes an upload; does nothing without one. */
  remove: (id: string) => Promise<void>
  stop: () => Promise<void>
}

/** Uploads in a local folder, on the storage's own disk. */
type PartialUploadsFolder = PartialUploads & {
  store: FileStore
  /** The path of an upload's bytes. */
  file: (id: string) => string
}

/** Bytes of a file; undefined when there is none. Any other error is thrown. */
export async function sizeOf(file: string): Promise<number | undefined> {
  try {
    return (await fs.stat(file)).size
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return undefined
  }
}

export function openPartialUploads(folder: string, expiresAfterMs: number, diskSpace: DiskSpace): PartialUploadsFolder {
  const file = (id: string) => path.join(folder, path.basename(id))
  const store = new GrowingFileStore(folder, expiresAfterMs, diskSpace)
  return {
    store,
    file,
    bytes: async (id) => await sizeOf(file(id)),
    localFile: async (id) => await Promise.resolve({ file: file(id), [Symbol.asyncDispose]: async () => {} }),
    async receive(id, source) {
      await fs.mkdir(folder, { recursive: true })
      await fs.writeFile(file(id), '', { flag: 'wx' })
      await appendTo(file(id), source, 0, { diskSpace, ownsChunks: false })
    },
    async flush(id) {
      await using handle = await fs.open(file(id), 'r')
      await handle.datasync()
    },
    async remove(id) {
      await fs.rm(file(id), { force: true })
      await fs.rm(`${file(id)}.json`, { force: true })
    },
    stop: async () => {},
  }
}

/** The tus file store with larger writes and an early fsync. */
class GrowingFileStore extends FileStore {
  readonly #diskSpace: DiskSpace

  constructor(folder: string, expiresAfterMs: number, diskSpace: DiskSpace) {
    super({ directory: folder, expirationPeriodInMilliseconds: expiresAfterMs })
    // A length is required at creation, where the limits are checked.
    this.extensions = ['creation', 'creation-with-upload', 'termination', 'expiration']
    this.#diskSpace = diskSpace
  }

  override async write(readable: Readable, id: string, offset: number): Promise<number> {
    return await appendTo(path.join(this.directory, path.basename(id)), readable, offset, {
      diskSpace: this.#diskSpace,
      ownsChunks: true,
    })
  }
}

/**
 * Writes all of `source` at `offset` and returns the new size. After a failure the bytes before it remain. With `ownsChunks`
 * no other code reads the chunks, so their memory is freed once they are written. Garbage collection would run every few
 * megabytes and take longer than the upload itself.
 */
async function appendTo(
  file: string,
  source: Readable,
  offset: number,
  { diskSpace, ownsChunks }: { diskSpace: DiskSpace; ownsChunks: boolean },
): Promise<number> {
  const handle = await fs.open(file, 'r+')
  let position = offset
  let synced = offset
  let checked = offset
  let syncing: Promise<void> | undefined
  let batch: Uint8Array[] = []
  let batchBytes = 0
  let writing: Promise<void> = Promise.resolve()

  const flush = (): Promise<void> => {
    const [chunks, bytes] = [batch, batchBytes]
    batch = []
    batchBytes = 0
    return writing.then(async () => {
      await writeWhole(handle, chunks, bytes, position)
      position += bytes
      if (ownsChunks) free(chunks)
      if (position - checked >= spaceCheckBytes) {
        checked = position
        await diskSpace.requireSpace()
      }
      if (position - synced >= syncBytes && !syncing) {
        synced = position
        syncing = handle.datasync().finally(() => {
          syncing = undefined
        })
        // A failing disk fails again when the file is ingested, and is reported there.
        syncing.catch(() => {})
      }
    })
  }
  try {
    try {
      for await (const chunk of source as AsyncIterable<Uint8Array>) {
        batch.push(chunk)
        batchBytes += chunk.byteLength
        if (batchBytes < writeBytes) continue
        await writing
        writing = flush()
        // The next flush awaits it; until then a failure must not count as unhandled.
        writing.catch(() => {})
      }
    } finally {
      if (batchBytes > 0) writing = flush()
      await writing
    }
    return position
  } finally {
    if (syncing) void syncing.catch(() => {}).then(async () => await handle.close())
    else await handle.close()
  }
}

/** Frees the memory of chunks that fill their whole buffer, so that no other data shares it. */
function free(chunks: readonly Uint8Array[]): void {
  for (const { buffer, byteLength } of chunks)
    if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}

async function writeWhole(handle: fs.FileHandle, chunks: Uint8Array[], bytes: number, position: number): Promise<void> {
  const { bytesWritten } = await handle.writev(chunks, position)
  if (bytesWritten === bytes) return
  // A short write is rare, so the rest may be copied into one buffer.
  const rest = Buffer.concat(chunks).subarray(bytesWritten)
  for (let done = 0; done < rest.length;) {
    const { bytesWritten: more } = await handle.write(rest, done, rest.length - done, position + bytesWritten + done)
    done += more
  }
}
