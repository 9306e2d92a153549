import { S3Store } from '@tus/s3-store'
import type { Upload } from '@tus/server'
import { Readable } from 'node:stream'
import { setBounded } from '../core/set-bounded.ts'
import type { PartialUploads } from './partial-uploads.ts'
import { clientConfig, hasStatus, mapOutages, type S3Settings } from './s3-client.ts'
import type { Storage } from './storage.ts'

/** The size of the cache of upload metadata, which never changes. */
const maxCached = 1000

type Bucket = Pick<Storage, 'size' | 'localFile' | 'remove'> & {
  send: (key: string, source: Readable) => Promise<void>
}

/** Receives uploads in the bucket, at its root under their ids, so that any process can take the next piece. */
export function openPartialUploadsInBucket(
  settings: S3Settings,
  expiresAfterMs: number,
  { size, localFile, remove, send }: Bucket,
): PartialUploads {
  const store = new BucketStore(settings, expiresAfterMs)
  return {
    store,
    async bytes(id) {
      const known = await size(id)
      if (known !== undefined) return known
      // All parts may be stored although the process that should have completed the upload died.
      await store.complete(id)
      return await size(id)
    },
    localFile,
    receive: send,
    // The bucket has stored what it acknowledged.
    flush: async () => {},
    async remove(id) {
      await store.abort(id)
      for (const key of [id, `${id}.info`, `${id}.part`]) await remove(key)
    },
    stop: async () => store.close(),
  }
}

type Metadata = Awaited<ReturnType<S3Store['getMetadata']>>

/** The tus store of a bucket, which can resume an interrupted upload. */
class BucketStore extends S3Store {
  /** The last part of each piece that is being stored. */
  readonly #lastParts = new Map<string, Promise<unknown>>()

  constructor(settings: S3Settings, expiresAfterMs: number) {
    super({
      s3ClientConfig: { ...clientConfig(settings), bucket: settings.bucket },
      expirationPeriodInMilliseconds: expiresAfterMs,
      // Many compatible stores have no object tags; our own sweep removes expired uploads.
      useTags: false,
      cache: createMetadataCache(),
    })
    mapOutages(this.client)
    // A length is required at creation, where the limits are checked.
    this.extensions = ['creation', 'creation-with-upload', 'termination', 'expiration']
  }

  /** Throws `unavailable` while the bucket cannot be read: the base class reports that as a missing upload too. */
  override async getUpload(id: string): Promise<Upload> {
    try {
      await this.getMetadata(id)
    } catch (error) {
      if (!hasStatus(error, 404)) throw error
    }
    return await super.getUpload(id)
  }

  /**
   * Stores the bytes of a piece up to where they break off. S3Store itself would wait forever for a source that breaks off
   * before it is read, and then keep one of its permits to store parts.
   */
  override async write(source: Readable, id: string, offset: number): Promise<number> {
    let brokenBy: unknown
    const untilBroken = async function* () {
      try {
        yield* source as AsyncIterable<Uint8Array>
      } catch (error) {
        brokenBy = error
      }
    }
    try {
      const size = await super.write(Readable.from(untilBroken(), { objectMode: false }), id, offset)
      if (brokenBy !== undefined) throw brokenBy
      return size
    } finally {
      this.#lastParts.delete(id)
    }
  }

  protected override async uploadPart(...part: Parameters<S3Store['uploadPart']>): Promise<string> {
    return await this.#afterOthers(part[0].file.id, async () => await super.uploadPart(...part))
  }

  protected override async uploadIncompletePart(...part: Parameters<S3Store['uploadIncompletePart']>): Promise<string> {
    return await this.#afterOthers(part[0], async () => await super.uploadIncompletePart(...part))
  }

  /**
   * Stores the parts of a piece one after the other, and none after a failed one. S3Store counts the bytes of all stored
   * parts, so after a gap the upload would resume at a wrong offset.
   */
  async #afterOthers(id: string, store: () => Promise<string>): Promise<string> {
    const stored = (this.#lastParts.get(id) ?? Promise.resolve()).then(store)
    this.#lastParts.set(id, stored)
    return await stored
  }

  /** Completes the multipart upload of an upload whose bytes have all arrived; does nothing without one. */
  async complete(id: string): Promise<void> {
    try {
      const metadata = await this.getMetadata(id)
      const parts = await this.retrieveParts(id)
      const bytes = parts.reduce((sum, part) => sum + (part.Size ?? 0), 0)
      if (bytes === metadata.file.size) await this.finishMultipartUpload(metadata, parts)
    } catch (error) {
      if (!hasStatus(error, 404)) throw error
    }
  }

  /** Aborts the multipart upload of an upload; does nothing without one. */
  async abort(id: string): Promise<void> {
    try {
      const { 'upload-id': uploadId } = await this.getMetadata(id)
      await this.client.abortMultipartUpload({ Bucket: this.bucket, Key: id, UploadId: uploadId })
    } catch (error) {
      if (!hasStatus(error, 404)) throw error
    } finally {
      await this.clearCache(id)
    }
  }

  close(): void {
    this.client.destroy()
  }
}

function createMetadataCache() {
  const known = new Map<string, Metadata>()
  return {
    get: async (id: string) => await Promise.resolve(known.get(id)),
    set: async (id: string, metadata: Metadata) => {
      setBounded(known, id, metadata, maxCached)
      await Promise.resolve()
    },
    delete: async (id: string) => {
      known.delete(id)
      await Promise.resolve()
    },
  }
}
