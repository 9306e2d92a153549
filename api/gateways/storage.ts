import * as fs from 'node:fs'
import * as fsp from 'node:fs/promises'
import * as path from 'node:path'
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { mediaLimits } from '@flashsheet/contracts/media'
import type { Config } from '../core/config.ts'
import { openIncoming, type Incoming } from './incoming.ts'

/** Where bytes live. Keys are relative paths made by the product, never by a user. */
export type Storage = {
  /** Streams `source` to `key`; the object exists whole or not at all. */
  put: (key: string, source: Readable | Uint8Array) => Promise<void>
  /** Takes over a local file (moved where possible). */
  putFile: (key: string, file: string) => Promise<void>
  /** Bytes `start..end` inclusive, or all. Throws when there is no such object. */
  read: (key: string, range?: { start: number; end: number }) => Promise<Readable>
  /** Bytes of the object, or undefined when there is none. */
  size: (key: string) => Promise<number | undefined>
  /** Gives a path to read the object from, for libraries that need a file; call `release` afterwards. */
  localFile: (key: string) => Promise<{ file: string; release: () => Promise<void> }>
  /** Streams `source` to `key` unless there is one: the first of several makers wins, and its bytes never change. */
  putOnce: (key: string, source: Readable | Uint8Array) => Promise<void>
  /** The same with a local file, which is taken over or removed. */
  putFileOnce: (key: string, file: string) => Promise<void>
  /** Removing what is not there is fine. */
  remove: (key: string) => Promise<void>
  /** Keys that begin with `folder/`. */
  list: (folder: string) => Promise<string[]>
  /** Where uploads arrive before they become objects. */
  incoming: Incoming
  ready: () => Promise<boolean>
  stop: () => Promise<void>
}

/** Opens the storage of the settings: a folder on disk. */
export function createStorage(config: Config): Storage {
  if (config.storage.kind !== 'disk') throw new Error('STORAGE=s3 is not available yet. Use STORAGE=disk.')
  return createDiskStorage(config.storage.folder)
}

function createDiskStorage(folder: string): Storage {
  const place = (key: string) => {
    const file = path.join(folder, key)
    if (!file.startsWith(folder + path.sep)) throw new Error('a storage key points outside the storage')
    return file
  }
  const incoming = openIncoming(path.join(folder, 'uploads'), mediaLimits.uploadHours * 3_600_000)
  const draftOf = (file: string) => `${file}.${randomUUID()}.draft`
  const flush = async (file: string) => {
    const handle = await fsp.open(file, 'r')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  }
  const settle = async (draft: string, file: string) => {
    await flush(draft)
    await fsp.rename(draft, file)
  }
  const settleOnce = async (draft: string, file: string) => {
    await flush(draft)
    try {
      // A link fails when the name is taken, so a file once read from is never replaced.
      await fsp.link(draft, file)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
  /** Writes beside `key` and lets `finish` decide what becomes of it. */
  const write = async (key: string, source: Readable | Uint8Array, finish: (draft: string, file: string) => Promise<void>) => {
    const file = place(key)
    await fsp.mkdir(path.dirname(file), { recursive: true })
    const draft = draftOf(file)
    try {
      await pipeline(source instanceof Readable ? source : Readable.from([source]), fs.createWriteStream(draft))
      await finish(draft, file)
    } finally {
      await fsp.rm(draft, { force: true })
    }
  }
  return {
    incoming,
    put: async (key, source) => await write(key, source, settle),
    putOnce: async (key, source) => await write(key, source, settleOnce),
    async putFileOnce(key, from) {
      const file = place(key)
      await fsp.mkdir(path.dirname(file), { recursive: true })
      await settleOnce(from, file)
      await fsp.rm(from, { force: true })
    },
    async putFile(key, from) {
      const file = place(key)
      await fsp.mkdir(path.dirname(file), { recursive: true })
      try {
        await settle(from, file)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
        const draft = draftOf(file)
        await fsp.copyFile(from, draft)
        await settle(draft, file)
        await fsp.rm(from, { force: true })
      }
    },
    async read(key, range) {
      const file = place(key)
      await fsp.access(file)
      return fs.createReadStream(file, range)
    },
    async size(key) {
      try {
        return (await fsp.stat(place(key))).size
      } catch {
        return undefined
      }
    },
    async localFile(key) {
      return { file: place(key), release: async () => {} }
    },
    async remove(key) {
      const file = place(key)
      await fsp.rm(file, { force: true })
      // Folders go with their last file; that there is another in it is what the error says.
      for (let above = path.dirname(file); above !== folder; above = path.dirname(above)) {
        const gone = await fsp.rmdir(above).then(
          () => true,
          () => false,
        )
        if (!gone) return
      }
    },
    async list(under) {
      const root = place(under)
      try {
        const entries = await fsp.readdir(root, { recursive: true, withFileTypes: true })
        return entries.filter((entry) => entry.isFile()).map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
        throw error
      }
    },
    async ready() {
      try {
        await fsp.mkdir(folder, { recursive: true })
        await fsp.access(folder, fs.constants.W_OK)
        return true
      } catch {
        return false
      }
    },
    stop: incoming.stop,
  }
}
