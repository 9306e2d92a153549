import {
  S3Client,
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { errorMessages } from '@flashsheet/contracts/errors/messages'
import * as fs from 'node:fs'
import * as fsp from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { openPartialUploadsInBucket } from './partial-uploads-s3.ts'
import { assertNoConnectionHeld } from '../core/connection-held-guard.ts'
import { unavailable } from '../core/errors.ts'
import { clientConfig, hasStatus, mapOutages, toUnavailable, type S3Settings } from './s3-client.ts'
import { openScratch, type LocalFile } from './scratch.ts'
import type { Storage } from './storage.ts'

/** Parts are buffered in memory, so that one can be sent again after a broken connection. */
const partBytes = 8 * 1_048_576
const partsAtOnce = 2

/** Restarts the socket's time-out while bytes wait for a slow reader: the store is silent only because of us. */
function keepWhileUnread(body: IncomingMessage, socketTimeoutMs: number): void {
  const timer = setInterval(() => {
    if (body.readableLength > 0) body.socket.setTimeout(socketTimeoutMs)
  }, socketTimeoutMs / 3)
  timer.unref()
  body.once('close', () => clearInterval(timer))
}

/** Stores objects in a bucket. On disk there are only temporary files, in a scratch folder. */
export function createS3Storage(settings: S3Settings, expiresAfterMs: number): Storage {
  const { bucket } = settings
  const client = new S3Client(clientConfig(settings))
  mapOutages(client)
  client.middlewareStack.add(
    (next) => async (args) => {
      assertNoConnectionHeld('the bucket')
      return await next(args)
    },
    { step: 'initialize' },
  )
  const scratch = openScratch(settings.scratch)
  const object = (key: string) => ({ Bucket: bucket, Key: key })

  const send = async (key: string, body: Uint8Array | Readable, onlyNew: boolean) => {
    const upload = new Upload({
      client,
      params: { ...object(key), Body: body, ...(onlyNew ? { IfNoneMatch: '*' } : {}) },
      partSize: partBytes,
      queueSize: partsAtOnce,
    })
    try {
      await upload.done()
    } catch (error) {
      // Another writer was first, with the same bytes.
      if (onlyNew && hasStatus(error, 412)) return
      if (!(onlyNew && hasStatus(error, 409))) throw error
      // Another write of this key was under way, and may have failed since.
      if ((await size(key)) === undefined) throw unavailable(errorMessages.storageUnavailable, undefined, error)
    }
  }
  const read: Storage['read'] = async (key, range) => {
    const { Body } = await client.send(
      new GetObjectCommand({ ...object(key), ...(range ? { Range: `bytes=${range.start}-${range.end}` } : {}) }),
    )
    if (!Body) throw new Error(`the storage answered nothing for ${key}`)
    keepWhileUnread(Body as IncomingMessage, settings.socketTimeoutMs)
    return Body as Readable
  }
  const size: Storage['size'] = async (key) => {
    try {
      return (await client.send(new HeadObjectCommand(object(key)))).ContentLength
    } catch (error) {
      if (hasStatus(error, 404)) return undefined
      throw error
    }
  }
  const localFile = async (key: string): Promise<LocalFile> => {
    const file = await scratch.file()
    const release = async () => await fsp.rm(file, { force: true })
    try {
      await pipeline(await read(key), fs.createWriteStream(file))
    } catch (error) {
      await release()
      throw toUnavailable(error)
    }
    return { file, [Symbol.asyncDispose]: release }
  }
  const remove = async (key: string) => void (await client.send(new DeleteObjectCommand(object(key))))
  const partialUploads = openPartialUploadsInBucket(settings, expiresAfterMs, {
    size,
    localFile,
    remove,
    send: async (key, source) => await send(key, source, false),
  })

  return {
    partialUploads,
    scratch,
    read,
    size,
    localFile,
    remove,
    put: async (key, bytes) => await send(key, bytes, false),
    async putEmpty(key, inPlaceOf) {
      await send(key, new Uint8Array(), false)
      if (inPlaceOf !== undefined && inPlaceOf !== key) await remove(inPlaceOf)
    },
    putIfAbsent: async (key, bytes) => await send(key, bytes, true),
    putFileIfAbsent: async (key, file) => await send(key, fs.createReadStream(file), true),
    async take(id, key) {
      await client.send(new CopyObjectCommand({ ...object(key), CopySource: `${bucket}/${id}` }))
      await partialUploads.remove(id)
    },
    async list(folder) {
      const keys: string[] = []
      let token: string | undefined
      do {
        const page = await client.send(
          new ListObjectsV2Command({ Bucket: bucket, Prefix: `${folder}/`, ContinuationToken: token }),
        )
        for (const { Key } of page.Contents ?? []) if (Key !== undefined) keys.push(Key)
        token = page.NextContinuationToken
      } while (token !== undefined)
      return keys
    },
    async page(after, limit) {
      const { Contents = [], IsTruncated } = await client.send(
        new ListObjectsV2Command({ Bucket: bucket, StartAfter: after, MaxKeys: limit }),
      )
      const files = Contents.flatMap(({ Key, LastModified }) =>
        Key === undefined || LastModified === undefined ? [] : { key: Key, modifiedAt: LastModified },
      )
      return { files, next: IsTruncated ? Contents.at(-1)?.Key : undefined }
    },
    async ready() {
      try {
        await client.send(new HeadBucketCommand({ Bucket: bucket }))
        return true
      } catch {
        return false
      }
    },
    async stop() {
      await partialUploads.stop()
      client.destroy()
    },
  }
}
