import { FileStore } from '@tus/file-store'
import type { DataStore } from '@tus/server'
import * as fs from 'node:fs/promises'
import * as path from 'node:path'
import type { Readable } from 'node:stream'
import { createDigests, type Digests } from './digests.ts'
import type { DiskRoom } from './disk-room.ts'
import type { LocalFile } from './scratch.ts'

const mebibyte = 1_048_576
/** Bytes gathered before one write: far fewer system calls than one per network packet. */
const writeBytes = mebibyte
/** Bytes after which the hash and the disk are told to keep up. */
const keepUpBytes = 4 * mebibyte
const syncBytes = 16 * mebibyte
/** Bytes after which the room on the disk is looked at again. */
const roomBytes = 8 * mebibyte

/** Where uploads arrive. */
export type Incoming = {
  /** What the tus server writes through. */
  store: DataStore
  /** Bytes of an upload that can be taken over; undefined when there is no such upload. */
  bytes: (id: string) => Promise<number | undefined>
  /** Gives a path to read an upload's bytes from; call `release` afterwards. */
  localFile: (id: string) => Promise<LocalFile>
  /** Streams `source` into a new upload and answers its size. A failed one may leave what arrived. */
  receive: (id: string, source: Readable) => Promise<number>
  /** Brings an upload's bytes to where they outlive a power cut. */
  settle: (id: string) => Promise<void>
  /** Lower-case hex SHA-256 of a file of `bytes` bytes, known at once when it came through this process. */
  digest: (id: string, file: string, bytes: number) => Promise<string>
  /** Removes what is there of an upload; nothing there is fine. */
  remove: (id: string) => Promise<void>
  stop: () => Promise<void>
}

/** Uploads in a local folder, on the storage's own disk. */
export type IncomingFolder = Incoming & {
  store: FileStore
  /** The path of an upload's bytes. */
  file: (id: string) => string
}

/** Bytes of a file; undefined when there is none. An error is never an absent file. */
export async function sizeOf(file: string): Promise<number | undefined> {
  try {
    return (await fs.stat(file)).size
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return undefined
  }
}

export function openIncoming(folder: string, expiresAfterMs: number, room: DiskRoom): IncomingFolder {
  const digests = createDigests()
  const file = (id: string) => path.join(folder, path.basename(id))
  const store = new GrowingFileStore(folder, expiresAfterMs, { digests, room })
  return {
    store,
    file,
    bytes: async (id) => await sizeOf(file(id)),
    localFile: async (id) => await Promise.resolve({ file: file(id), release: async () => {} }),
    async receive(id, source) {
      await fs.mkdir(folder, { recursive: true })
      await fs.writeFile(file(id), '', { flag: 'wx' })
      return await appendTo(id, file(id), source, 0, { digests, room, ownsChunks: false })
    },
    async settle(id) {
      const handle = await fs.open(file(id), 'r')
      try {
        await handle.datasync()
      } finally {
        await handle.close()
      }
    },
    digest: async (id, at, bytes) => await digests.digest(id, at, bytes),
    async remove(id) {
      digests.forget(id)
      await fs.rm(file(id), { force: true })
      await fs.rm(`${file(id)}.json`, { force: true })
    },
    stop: digests.stop,
  }
}

/** The tus file store with larger writes, a hash that keeps pace, and bytes that reach the disk before the last one came. */
class GrowingFileStore extends FileStore {
  readonly #parts: { digests: Digests; room: DiskRoom }

  constructor(folder: string, expiresAfterMs: number, parts: { digests: Digests; room: DiskRoom }) {
    super({ directory: folder, expirationPeriodInMilliseconds: expiresAfterMs })
    // An upload says its length when it is made: the limits are checked then.
    this.extensions = ['creation', 'creation-with-upload', 'termination', 'expiration']
    this.#parts = parts
  }

  override async write(readable: Readable, id: string, offset: number): Promise<number> {
    return await appendTo(id, path.join(this.directory, path.basename(id)), readable, offset, {
      ...this.#parts,
      ownsChunks: true,
    })
  }
}

/**
 * Writes all of `source` at `offset` and answers the new size; a source that fails keeps what it gave, in order. With
 * `ownsChunks` nobody else reads the chunks, and their memory goes on to the hash, which frees it: left to the collector,
 * 300 MB of chunks cost a full collection for every few megabytes, which takes longer than the upload itself.
 */
async function appendTo(
  id: string,
  file: string,
  source: Readable,
  offset: number,
  { digests, room, ownsChunks }: { digests: Digests; room: DiskRoom; ownsChunks: boolean },
): Promise<number> {
  const handle = await fs.open(file, 'r+')
  let position = offset
  let told = offset
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
      if (ownsChunks) {
        told = position
        digests.feed(id, file, position, chunks)
      } else if (position - told >= keepUpBytes) {
        told = position
        digests.grew(id, file, position)
      }
      if (position - looked >= roomBytes) {
        looked = position
        await room.refuseWhenShort()
      }
      if (position - synced >= syncBytes && !syncing) {
        synced = position
        syncing = handle.datasync().finally(() => {
          syncing = undefined
        })
        // A failing disk shows again, and is heard, when the file is taken over.
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
    digests.grew(id, file, position)
    return position
  } finally {
    if (syncing) void syncing.catch(() => {}).then(async () => await handle.close())
    else await handle.close()
  }
}

async function writeWhole(handle: fs.FileHandle, chunks: Uint8Array[], bytes: number, position: number): Promise<void> {
  const { bytesWritten } = await handle.writev(chunks, position)
  if (bytesWritten === bytes) return
  // A short write is rare: what is left goes once more, in one piece.
  const rest = Buffer.concat(chunks).subarray(bytesWritten)
  for (let done = 0; done < rest.length;) {
    const { bytesWritten: more } = await handle.write(rest, done, rest.length - done, position + bytesWritten + done)
    done += more
  }
}
