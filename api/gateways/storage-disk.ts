import * as fs from 'node:fs'
import * as fsp from 'node:fs/promises'
import * as path from 'node:path'
import { randomUUID } from 'node:crypto'
import type { DiskSpace } from './disk-space.ts'
import { openPartialUploads, sizeOf } from './partial-uploads.ts'
import { openScratch } from './scratch.ts'
import { filesBelow, listFolder } from './list-folder.ts'
import type { Storage } from './storage.ts'

/** How many times storing a file is tried, because `remove` may delete its folder at the same time. */
const maxTries = 10

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'

/** Stores objects as files below `folder`, where uploads arrive too, so that ingesting one is a rename. */
export function createDiskStorage(folder: string, expiresAfterMs: number, diskSpace: DiskSpace): Storage {
  const place = (key: string) => {
    const file = path.join(folder, key)
    if (!file.startsWith(folder + path.sep)) throw new Error('a storage key points outside the storage')
    return file
  }
  const partialUploads = openPartialUploads(path.join(folder, 'uploads'), expiresAfterMs, diskSpace)
  const draftOf = (file: string) => `${file}.${randomUUID()}.draft`
  const flush = async (file: string) => {
    await using handle = await fsp.open(file, 'r')
    await handle.sync()
  }
  /** A new name is only safe from a power cut once its folder, and the folders created for it, are flushed. */
  const flushFolders = async (file: string) => {
    for (let above = path.dirname(file); above.length >= folder.length; above = path.dirname(above)) {
      try {
        await flush(above)
      } catch (error) {
        // `remove` has deleted the file and its folder, or the file system flushes no folders.
        if (!['ENOENT', 'EINVAL', 'ENOTSUP'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
      }
    }
  }
  const replace = async (draft: string, file: string) => {
    await flush(draft)
    await fsp.rename(draft, file)
    await flushFolders(file)
  }
  const linkOnce = async (draft: string, file: string) => {
    await flush(draft)
    try {
      // A link fails when the name exists, so an existing file is never replaced.
      await fsp.link(draft, file)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    await flushFolders(file)
  }
  /** Creates the folder of `file` and calls `store`. Repeats both when `remove` deletes the folder in between. */
  const withFolder = async (file: string, store: () => Promise<void>) => {
    for (let tries = 1; ; tries++) {
      try {
        await fsp.mkdir(path.dirname(file), { recursive: true })
        return await store()
      } catch (error) {
        // A recursive mkdir answers ENOTDIR when the folder disappears while it checks it.
        const isRace = isMissing(error) || (error as NodeJS.ErrnoException).code === 'ENOTDIR'
        if (!isRace || tries === maxTries) throw error
      }
    }
  }
  /** Writes a temporary file beside `key` and passes it to `finish`. */
  const write = async (key: string, bytes: Uint8Array, finish: (draft: string, file: string) => Promise<void>) => {
    const file = place(key)
    const draft = draftOf(file)
    try {
      await withFolder(file, async () => {
        await fsp.writeFile(draft, bytes)
        await finish(draft, file)
      })
    } finally {
      await fsp.rm(draft, { force: true })
    }
  }
  return {
    partialUploads,
    scratch: openScratch(path.join(folder, 'scratch')),
    put: async (key, bytes) => await write(key, bytes, replace),
    async putEmpty(key, inPlaceOf) {
      const file = place(key)
      if (inPlaceOf !== undefined) {
        try {
          return await fsp.rename(place(inPlaceOf), file)
        } catch (error) {
          if (!isMissing(error)) throw error
        }
      }
      await withFolder(file, async () => await fsp.writeFile(file, ''))
    },
    putIfAbsent: async (key, bytes) => await write(key, bytes, linkOnce),
    async putFileIfAbsent(key, from) {
      const file = place(key)
      await withFolder(file, async () => await linkOnce(from, file))
      await fsp.rm(from, { force: true })
    },
    async take(id, key) {
      const file = place(key)
      await withFolder(file, async () => await replace(partialUploads.file(id), file))
    },
    async read(key, range) {
      const file = place(key)
      await fsp.access(file)
      return fs.createReadStream(file, range)
    },
    size: async (key) => await sizeOf(place(key)),
    async localFile(key) {
      return { file: place(key), [Symbol.asyncDispose]: async () => {} }
    },
    async remove(key) {
      const file = place(key)
      await fsp.rm(file, { force: true })
      // Folders are removed with their last file. A folder with other files cannot be removed (ENOTEMPTY).
      for (let above = path.dirname(file); above !== folder; above = path.dirname(above)) {
        try {
          await fsp.rmdir(above)
        } catch {
          return
        }
      }
    },
    async list(under) {
      const keys: string[] = []
      for await (const below of filesBelow(place(under))) keys.push([under, ...below].join('/'))
      return keys
    },
    page: async (after, limit) => await listFolder(folder, after, limit),
    async ready() {
      try {
        await fsp.mkdir(folder, { recursive: true })
        await fsp.access(folder, fs.constants.W_OK)
        return true
      } catch {
        return false
      }
    },
    stop: partialUploads.stop,
  }
}
