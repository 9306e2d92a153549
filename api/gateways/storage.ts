import type { Readable } from 'node:stream'
import type { Incoming } from './incoming.ts'
import type { LocalFile, Scratch } from './scratch.ts'

export type StoredFile = { key: string; modifiedAt: Date }

/** `next` is what the page behind this one comes after; undefined: this was the last one. */
export type StoredPage = { files: StoredFile[]; next: string | undefined }

/** Where bytes live. Keys are relative paths made by the product, never by a user. */
export type Storage = {
  /** Writes `bytes` to `key`; the object exists whole or not at all. */
  put: (key: string, bytes: Uint8Array) => Promise<void>
  /**
   * Makes an object without content, of which the name is all that counts, in place of another that need not be there. At least one of
   * the two is there at any time.
   */
  putEmpty: (key: string, inPlaceOf?: string) => Promise<void>
  /** As `put` unless there is one: the first of several makers wins, and its bytes never change. */
  putOnce: (key: string, bytes: Uint8Array) => Promise<void>
  /** The same with a local file, which is taken over or left for its maker to remove. */
  putFileOnce: (key: string, file: string) => Promise<void>
  /** Makes the upload `id`, all of which has arrived, the object `key`. */
  take: (id: string, key: string) => Promise<void>
  /** Bytes `start..end` inclusive, or all. Throws when there is no such object. */
  read: (key: string, range?: { start: number; end: number }) => Promise<Readable>
  /** Bytes of the object, or undefined when there is none. */
  size: (key: string) => Promise<number | undefined>
  /** Gives a path to read the object from, for libraries that need a file; call `release` afterwards. */
  localFile: (key: string) => Promise<LocalFile>
  /** Removing what is not there is fine. */
  remove: (key: string) => Promise<void>
  /** Keys that begin with `folder/`. */
  list: (folder: string) => Promise<string[]>
  /** The first `limit` files behind `after`, in an order that never changes: whatever lies in the storage, uploads under way as well. */
  page: (after: string | undefined, limit: number) => Promise<StoredPage>
  /** Where uploads arrive before they become objects. */
  incoming: Incoming
  /** Local files that nobody needs once they are an object. */
  scratch: Scratch
  ready: () => Promise<boolean>
  stop: () => Promise<void>
}
