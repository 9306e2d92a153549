import { S3Store } from '@tus/s3-store'
import { Readable } from 'node:stream'
import type { PartialUploads } from './partial-uploads.ts'
import { clientConfig, hasStatus, mapOutages, type S3Settings } from './s3-client.ts'
import type { LocalFile } from './scratch.ts'

/** A cache of upload metadata, which never changes. */
const mostKnown = 1000

type Bucket = {
  settings: S3Settings
  expiresAfterMs: number
  size: (key: string) => Promise<number | undefined>
  localFile: (key: string) => Promise<LocalFile>
  remove: (key: string) => Promise<void>
  send: (key: string, source: Readable) => Promise<void>
}

/** Uploads in the bucket itself, at its root under their ids, so that the next piece may come to any process. */
export function openPartialUploadsInBucket({
  settings,
  expiresAfterMs,
  size,
  localFile,
  remove,
  send,
}: Bucket): PartialUploads {
  const store = new BucketStore(settings, expiresAfterMs)
  return {
    store,
    async bytes(id) {
      const there = await size(id)
      if (there !== undefined) return there
      // All parts may be there, with the process that should have completed the upload dead, or another may have
      // completed it meanwhile.
      await store.join(id)
      return await size(id)
    },
    localFile,
    async receive(id, source) {
      let bytes = 0
      const counted = async function* () {
        for await (const chunk of source as AsyncIterable<Uint8Array>) {
          bytes += chunk.byteLength
          yield chunk
        }
      }
      await send(id, Readable.from(counted()))
      return bytes
    },
    // Acknowledged parts stay.
    settle: async () => {},
    async remove(id) {
      await store.abort(id)
      for (const key of [id, `${id}.info`, `${id}.part`]) await remove(key)
    },
    stop: async () => {
      await Promise.resolve(store.close())
    },
  }
}

type Facts = Awaited<ReturnType<S3Store['getMetadata']>>

/** The tus store of a bucket, which can resume an interrupted upload. */
class BucketStore extends S3Store {
  constructor(settings: S3Settings, expiresAfterMs: number) {
    super({
      s3ClientConfig: { ...clientConfig(settings), bucket: settings.bucket },
      expirationPeriodInMilliseconds: expiresAfterMs,
      // Many compatible stores have no object tags; our own sweep removes expired uploads.
      useTags: false,
      cache: rememberFew(),
    })
    mapOutages(this.client)
    // A length is required at creation, where the limits are checked.
    this.extensions = ['creation', 'creation-with-upload', 'termination', 'expiration']
  }

  /** Completes the multipart upload of an upload whose bytes have all arrived; does nothing without one. */
  async join(id: string): Promise<void> {
    try {
      const facts = await this.getMetadata(id)
      const parts = await this.retrieveParts(id)
      const bytes = parts.reduce((sum, part) => sum + (part.Size ?? 0), 0)
      if (bytes === facts.file.size) await this.finishMultipartUpload(facts, parts)
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

function rememberFew() {
  const known = new Map<string, Facts>()
  return {
    get: async (id: string) => await Promise.resolve(known.get(id)),
    set: async (id: string, facts: Facts) => {
      known.set(id, facts)
      const [oldest] = known.keys()
      if (known.size > mostKnown && oldest !== undefined) known.delete(oldest)
      await Promise.resolve()
    },
    delete: async (id: string) => {
      known.delete(id)
      await Promise.resolve()
    },
  }
}
