import { FileStore } from '@tus/file-store'
import type { DataStore } from '@tus/server'
import * as fs from 'node:fs/promises'
import * as path from 'node:path'
import type { Readable } from 'node:stream'
import type { DiskSpace } from './disk-space.ts'
import type { LocalFile } from './scratch.ts'

const mebibyte = 1_048_576
/** Buffers bytes into larger writes: far fewer system calls than one per network packet. */
const writeBytes = mebibyte
/** The interval, in bytes, of flushing. */
const syncBytes = 16 * mebibyte
/** The interval, in bytes, of checking the free disk space. */
const roomBytes = 8 * mebibyte

/** Where uploads are received. */
export type PartialUploads = {
  /** The store for the tus server. */
  store: DataStore
  /** The bytes of an upload; undefined when there is no such upload. */
  bytes: (id: string) => Promise<number | undefined>
  /** Returns a path to read an upload's bytes from; call `release` afterwards. */
  localFile: (id: string) => Promise<LocalFile>
  /** Streams `source` into a new upload and returns its size. After a failure its bytes may stay. */
  receive: (id: string, source: Readable) => Promise<number>
  /** Flushes an upload's bytes to disk (fsync). */
  settle: (id: string) => Promise<void>
  /** Deletes an upload; does nothing without one. */
  remove: (id: string) => Promise<void>
  stop: () => Promise<void>
}

/** Uploads in a local folder, on the storage's own disk. */
export type PartialUploadsFolder = PartialUploads & {
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

export function openPartialUploads(folder: string, expiresAfterMs: number, room: DiskSpace): PartialUploadsFolder {
  const file = (id: string) => path.join(folder, path.basename(id))
  const store = new GrowingFileStore(folder, expiresAfterMs, room)
  return {
    store,
    file,
    bytes: async (id) => await sizeOf(file(id)),
    localFile: async (id) => await Promise.resolve({ file: file(id), release: async () => {} }),
    async receive(id, source) {
      await fs.mkdir(folder, { recursive: true })
      await fs.writeFile(file(id), '', { flag: 'wx' })
      return await appendTo(file(id), source, 0, { room, ownsChunks: false })
    },
    async settle(id) {
      const handle = await fs.open(file(id), 'r')
      try {
        await handle.datasync()
      } finally {
        await handle.close()
      }
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
  readonly #room: DiskSpace

  constructor(folder: string, expiresAfterMs: number, room: DiskSpace) {
    super({ directory: folder, expirationPeriodInMilliseconds: expiresAfterMs })
    // A length is required at creation, where the limits are checked.
    this.extensions = ['creation', 'creation-with-upload', 'termination', 'expiration']
    this.#room = room
  }

  override async write(readable: Readable, id: string, offset: number): Promise<number> {
    return await appendTo(path.join(this.directory, path.basename(id)), readable, offset, {
      room: this.#room,
      ownsChunks: true,
    })
  }
}

/**
 * Writes all of `source` at `offset` and returns the new size; after a failure the bytes before it stay. With
 * `ownsChunks` nobody else reads the chunks, and their memory is freed once they are written: with garbage
 * collection, 300 MB of chunks cost a full collection every few megabytes, which takes longer than the upload itself.
 */
async function appendTo(
  file: string,
  source: Readable,
  offset: number,
  { room, ownsChunks }: { room: DiskSpace; ownsChunks: boolean },
): Promise<number> {
  const handle = await fs.open(file, 'r+')
  let position = offset
  let synced = offset
  let looked = offset
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
      if (position - looked >= roomBytes) {
        looked = position
        await room.refuseWhenShort()
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
        // Awaited before the next flush; a failure must not count as unhandled until then.
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

/** Frees the memory of chunks each of which is all there is of its buffer, so that it takes nothing from anybody. */
function free(chunks: readonly Uint8Array[]): void {
  for (const { buffer, byteLength } of chunks)
    if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}

async function writeWhole(handle: fs.FileHandle, chunks: Uint8Array[], bytes: number, position: number): Promise<void> {
  const { bytesWritten } = await handle.writev(chunks, position)
  if (bytesWritten === bytes) return
  // A short write is rare: the rest is written once more in one piece.
  const rest = Buffer.concat(chunks).subarray(bytesWritten)
  for (let done = 0; done < rest.length;) {
    const { bytesWritten: more } = await handle.write(rest, done, rest.length - done, position + bytesWritten + done)
    done += more
  }
}
