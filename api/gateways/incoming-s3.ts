import { S3Store } from '@tus/s3-store'
import { Readable } from 'node:stream'
import { createDigests } from './digests.ts'
import type { Incoming } from './incoming.ts'
import { clientConfig, hasStatus, tellOutages, type S3Settings } from './s3-client.ts'
import type { LocalFile } from './scratch.ts'

/** Uploads whose facts this process remembers; they never change, and are read again when forgotten. */
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
export function openBucketUploads({ settings, expiresAfterMs, size, localFile, remove, send }: Bucket): Incoming {
  const digests = createDigests()
  const store = new BucketStore(settings, expiresAfterMs)
  return {
    store,
    async bytes(id) {
      const there = await size(id)
      if (there !== undefined) return there
      // Every part may be there, and the process that should have joined them dead; or another has joined them meanwhile.
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
    // What the bucket has acknowledged it keeps.
    settle: async () => {},
    digest: async (id, file, bytes) => await digests.digest(id, file, bytes),
    async remove(id) {
      digests.forget(id)
      await store.abort(id)
      for (const key of [id, `${id}.info`, `${id}.part`]) await remove(key)
    },
    stop: async () => {
      await digests.stop()
      store.close()
    },
  }
}

type Facts = Awaited<ReturnType<S3Store['getMetadata']>>

/** The tus store of a bucket, with what an interrupted upload needs. */
class BucketStore extends S3Store {
  constructor(settings: S3Settings, expiresAfterMs: number) {
    super({
      s3ClientConfig: { ...clientConfig(settings), bucket: settings.bucket },
      expirationPeriodInMilliseconds: expiresAfterMs,
      // Many compatible stores know no tags; what is forgotten, our own sweep removes.
      useTags: false,
      cache: rememberFew(),
    })
    tellOutages(this.client)
    // An upload says its length when it is made: the limits are checked then.
    this.extensions = ['creation', 'creation-with-upload', 'termination', 'expiration']
  }

  /** Joins the parts of an upload all of whose bytes have arrived; nothing to join is fine. */
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

  /** Gives up the parts of an upload; none there is fine. */
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
