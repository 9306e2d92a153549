import type { Readable } from 'node:stream'
import type { PartialUploads } from './partial-uploads.ts'
import type { LocalFile, Scratch } from './scratch.ts'

export type StoredFile = { key: string; modifiedAt: Date }

/** `next` is the cursor of the next page; undefined on the last one. */
export type StoredPage = { files: StoredFile[]; next: string | undefined }

/** Object storage. Keys are relative paths made by the product, never by a user. */
export type Storage = {
  /** Writes `bytes` to `key` atomically. */
  put: (key: string, bytes: Uint8Array) => Promise<void>
  /**
   * Creates an object without content, whose name is all that matters, and deletes `inPlaceOf`, which may be missing. At
   * least one of the two exists at any time.
   */
  putEmpty: (key: string, inPlaceOf?: string) => Promise<void>
  /** Like `put`, but never replaces an object: the first of several writers wins. */
  putIfAbsent: (key: string, bytes: Uint8Array) => Promise<void>
  /** Like `putIfAbsent`, with a local file, which is moved or stays for the caller to delete. */
  putFileIfAbsent: (key: string, file: string) => Promise<void>
  /** Turns the completely received upload `id` into the object `key`. */
  take: (id: string, key: string) => Promise<void>
  /** Bytes `start..end` inclusive, or all. Throws when there is no such object. */
  read: (key: string, range?: { start: number; end: number }) => Promise<Readable>
  /** Size of the object, or undefined when there is none. */
  size: (key: string) => Promise<number | undefined>
  /** A path from which the object can be read, for libraries that need a file. */
  localFile: (key: string) => Promise<LocalFile>
  /** Removing an absent object does nothing. */
  remove: (key: string) => Promise<void>
  /** Keys that begin with `folder/`. */
  list: (folder: string) => Promise<string[]>
  /** The first `limit` files after `after`, in a stable order, unfinished uploads included. */
  page: (after: string | undefined, limit: number) => Promise<StoredPage>
  /** Where uploads are received before they become objects. */
  partialUploads: PartialUploads
  /** Temporary local files. */
  scratch: Scratch
  ready: () => Promise<boolean>
  stop: () => Promise<void>
}
